"""
What is new in a game, for everybody at its table: the whole state to whoever comes, and then only what changed.

All who are here have heard the same, so one memory of what was told last serves them all.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec import UNSET, Raw, Struct, UnsetType

import qwixx
from qwixx.server import telling
from qwixx.server.connection import Connection
from qwixx.server.protocol import ViewChange, encode
from qwixx.view import View

if TYPE_CHECKING:
    from qwixx.server.table import Table

_FIELDS = tuple(name for name in View.__struct_fields__ if name != "sheets")


class News:
    """What pages that want only changes know already."""

    def __init__(self) -> None:
        """Begin with nobody who knows anything."""
        self._view: View | None = None
        self._mine: dict[int, bytes] = {}
        self._asked: dict[int, tuple[int, str | None, bool]] = {}
        """What the parts of seats were made from: in which phase, after which choice, and whether one seat is left."""

    def forget(self) -> None:
        """Tell everything anew the next time: who sits where has changed."""
        self._view = None

    def tell(
        self,
        table: Table,
        connections: Collection[Connection],
        events: list[qwixx.Event],
        newcomers: Collection[Connection],
    ) -> None:
        """Send each connection what its seats may see, newcomers the story too; what several share is made once."""
        dealer = table.dealer
        game = dealer.game
        assert game is not None
        view = game.view(None)
        before, known = self._view, self._mine
        people = [place for place, seat in enumerate(table.room.seats) if seat.is_person]
        seats = {seat for connection in connections for seat in connection.mine}.intersection(people)
        mine = {seat: self._part(game, seat, dealer.phase, dealer.choices.get(seat), view) for seat in seats}
        if connections is table.connections:
            self._view, self._mine = view, mine
        happened = Raw(encode(events))
        choices: dict[str, str] | UnsetType = UNSET
        if not table.room.options.sealed:
            choices = {str(seat): text for seat, text in dealer.choices.items()}
        rest = (happened, table.clock.left(), dealer.rollers(), dealer.undoable(), game.outcome(), choices)
        whole: Raw | None = None
        changed: Raw | None = None
        story: Raw | UnsetType = UNSET
        told: dict[tuple[bool, bool, tuple[int, ...]], bytes] = {}
        for connection in connections:
            is_new = connection in newcomers
            is_change = connection.wants_changes and before is not None and not is_new
            data = told.get((is_new, is_change, connection.mine))
            if data is None:
                own = seats.intersection(connection.mine)
                if is_change:
                    assert before is not None
                    changed = changed or Raw(encode(_changes(before, view)))
                    parts = {str(seat): Raw(mine[seat]) for seat in own if mine[seat] != known.get(seat)}
                    data = encode(telling.ChangeRaw(dealer.phase, changed, parts, *rest))
                else:
                    whole = whole or Raw(encode(view))
                    parts = {str(seat): Raw(mine[seat]) for seat in own}
                    if is_new and story is UNSET:
                        story = telling.story_part(game, int(table.room.opening["first"]), dealer.late)
                    data = encode(telling.StateRaw(dealer.phase, whole, parts, *rest, story if is_new else UNSET))
                told[is_new, is_change, connection.mine] = data
            connection.tell(data)

    def _part(self, game: qwixx.Game, seat: int, phase: int, choice: str | None, view: View) -> bytes:
        """Say what a seat may do; while a window is open that changes by its own choice, and when one is left."""
        asked = phase, choice, len(view.deciders) == 1
        known = self._mine.get(seat)
        if known is None or self._asked.get(seat) != asked or game.variant.is_cards:
            known = telling.mine_part(game, seat, choice)
            self._asked[seat] = asked
        return known


def _changes(before: View, after: View) -> Struct:
    """Say what is not as it was; of the sheets those that are not."""
    found: dict[str, object] = {}
    for name in _FIELDS:
        value = getattr(after, name)
        if value != getattr(before, name):
            found[name] = value
    sheets = [new for old, new in zip(before.sheets, after.sheets, strict=True) if new is not old and new != old]
    if sheets:
        found["sheets"] = sheets
    return ViewChange(**found)
