"""
Sends the state of a game to all connections of its table: first the whole state, then only the changes.

All connections have got the same updates, so the table remembers the last sent view once for all of them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import astuple

import qwixx
from qwixx.game.view import View
from qwixx.server.table import outgoing
from qwixx.server.wire.connection import Connection
from qwixx.server.wire.messages import ViewChange, encode

if TYPE_CHECKING:
    from qwixx.server.table.table import Table

_FIELDS = View.__struct_fields__
_CHANGE, _STATE, _NEWCOMER = b"change", b"state", b"newcomer"
"""Kinds of receivers: those who get only changes, those who always get the whole state, and new ones (with history)."""


class StateBroadcaster:
    """Remembers what was sent last, and sends the difference."""

    def __init__(self) -> None:
        """Start with nothing sent."""
        self._view: View | None = None
        self._mine: dict[int, bytes] = {}
        self._made_from: dict[int, tuple[int, str | None, bool]] = {}
        """By seat, what its part was made from: the phase, the choice, and whether only one seat has to decide."""

    def reset(self) -> None:
        """Send the whole state next time: the seats have changed."""
        self._view = None

    def send_updates(
        self,
        table: Table,
        connections: Collection[Connection],
        events: list[qwixx.Event],
        newcomers: Collection[Connection],
    ) -> None:
        """Send each connection what its seats may see, newcomers the history too; encode shared parts once."""
        dealer = table.dealer
        game = dealer.game
        assert game is not None
        view = game.view(None)
        before, sent = self._view, self._mine
        seats, chosen = table.room.seats, dealer.core.choices()
        mine: dict[int, bytes] = {}
        for connection in connections:
            for seat in connection.seats:
                if seat not in mine and seats[seat].is_person:
                    mine[seat] = self._part(game, seat, dealer.phase, chosen.get(seat), view)
        if connections is table.connections:
            self._view, self._mine = view, mine
        choices: dict[str, str] | UnsetType = UNSET
        if not table.room.options.sealed:
            choices = {str(seat): text for seat, text in chosen.items()}
        announced = {str(seat): rows for seat, rows in dealer.announced().items()} or UNSET
        shared = encode(
            outgoing.SharedPart(
                events,
                table.clock.left(),
                dealer.rollers(),
                dealer.core.undoable(),
                game.outcome(),
                choices,
                announced,
                round(dealer.undo_left(), 1) or UNSET,
            )
        )
        messages: dict[bytes, outgoing.StateMessage] = {}
        encoded: dict[tuple[bytes, tuple[int, ...]], bytes] = {}
        for connection in connections:
            kind = (
                _NEWCOMER
                if connection in newcomers
                else _CHANGE
                if connection.wants_changes and before is not None
                else _STATE
            )
            data = encoded.get((kind, connection.seats))
            if data is None:
                message = messages.get(kind)
                if message is None:
                    message = messages[kind] = self._message(kind, table, before, view, shared)
                own = [(seat, mine[seat]) for seat in connection.seats if seat in mine]
                if kind is _CHANGE:
                    own = [part for part in own if part[1] != sent.get(part[0])]
                data = encoded[kind, connection.seats] = message.with_seats(own)
            connection.send(data)

    @staticmethod
    def _message(kind: bytes, table: Table, before: View | None, view: View, shared: bytes) -> outgoing.StateMessage:
        """Build the shared message for one kind of receivers."""
        dealer = table.dealer
        if kind is _CHANGE:
            assert before is not None
            return outgoing.StateMessage(b"change", dealer.phase, _changes(before, view), shared)
        if kind is _NEWCOMER:
            assert dealer.game is not None
            history = outgoing.history_part(dealer.game, int(table.room.opening["first"]), dealer.core.asides)
            shared = outgoing.with_history(shared, history)
        return outgoing.StateMessage(b"state", dealer.phase, view, shared)

    def _part(self, game: qwixx.Game, seat: int, phase: int, choice: str | None, view: View) -> bytes:
        """Return the encoded part of a seat; within a phase it depends on its choice and on who else has to decide."""
        made_from = phase, choice, len(view.deciders) == 1
        part = self._mine.get(seat)
        if part is None or self._made_from.get(seat) != made_from or game.variant.is_cards:
            part = outgoing.seat_part(game, seat, choice)
            self._made_from[seat] = made_from
        return part


def _changes(before: View, after: View) -> Struct:
    """Return the fields that differ; of the sheets only those that differ."""
    fields = zip(_FIELDS, astuple(before), astuple(after), strict=True)
    changed: dict[str, object] = {name: new for name, old, new in fields if new is not old and new != old}
    if "sheets" in changed:
        pairs = zip(before.sheets, after.sheets, strict=True)
        changed["sheets"] = [new for old, new in pairs if new is not old and new != old]
    return ViewChange(**changed)
