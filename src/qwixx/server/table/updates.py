"""
What is new in a game, for everybody at its table: the whole state to whoever comes, and then only what changed.

All who are here have heard the same, so one memory of what was told last serves them all.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import astuple

import qwixx
from qwixx.server import telling
from qwixx.server.connection import Connection
from qwixx.server.protocol import ViewChange, encode
from qwixx.view import View

if TYPE_CHECKING:
    from qwixx.server.table import Table

_FIELDS = View.__struct_fields__
_CHANGE, _STATE, _NEWCOMER = b"change", b"state", b"newcomer"
"""Whom something is told: who knows what was told last, who is told everything each time, who needs the story too."""


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
        sitting = table.room.seats
        mine: dict[int, bytes] = {}
        for connection in connections:
            for seat in connection.mine:
                if seat not in mine and sitting[seat].is_person:
                    mine[seat] = self._part(game, seat, dealer.phase, dealer.choices.get(seat), view)
        if connections is table.connections:
            self._view, self._mine = view, mine
        choices: dict[str, str] | UnsetType = UNSET
        if not table.room.options.sealed:
            choices = {str(seat): text for seat, text in dealer.choices.items()}
        rest = encode(
            telling.Rest(events, table.clock.left(), dealer.rollers(), dealer.undoable(), game.outcome(), choices)
        )
        letters: dict[bytes, telling.Letter] = {}
        told: dict[tuple[bytes, tuple[int, ...]], bytes] = {}
        for connection in connections:
            kind = (
                _NEWCOMER
                if connection in newcomers
                else _CHANGE
                if connection.wants_changes and before is not None
                else _STATE
            )
            data = told.get((kind, connection.mine))
            if data is None:
                letter = letters.get(kind)
                if letter is None:
                    letter = letters[kind] = self._letter(kind, table, before, view, rest)
                own = [(seat, mine[seat]) for seat in connection.mine if seat in mine]
                if kind is _CHANGE:
                    own = [part for part in own if part[1] != known.get(part[0])]
                data = told[kind, connection.mine] = letter.to(own)
            connection.tell(data)

    @staticmethod
    def _letter(kind: bytes, table: Table, before: View | None, view: View, rest: bytes) -> telling.Letter:
        """Write what all of a kind are told."""
        dealer = table.dealer
        if kind is _CHANGE:
            assert before is not None
            return telling.Letter(b"change", dealer.phase, _changes(before, view), rest)
        if kind is _NEWCOMER:
            assert dealer.game is not None
            story = telling.story_part(dealer.game, int(table.room.opening["first"]), dealer.asides)
            rest = telling.with_story(rest, story)
        return telling.Letter(b"state", dealer.phase, view, rest)

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
    fields = zip(_FIELDS, astuple(before), astuple(after), strict=True)
    found: dict[str, object] = {name: new for name, old, new in fields if new is not old and new != old}
    if "sheets" in found:
        pairs = zip(before.sheets, after.sheets, strict=True)
        found["sheets"] = [new for old, new in pairs if new is not old and new != old]
    return ViewChange(**found)
