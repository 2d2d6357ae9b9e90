"""Undo of a decision after its phase: one player asks, and all other connected players have to agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qwixx.server.base.errors import Refused
from qwixx.server.wire.connection import Connection
from qwixx.server.wire.message_parts import UndoRequest
from qwixx.server.wire.messages import Error

if TYPE_CHECKING:
    from qwixx.server.table.table import Table


@dataclass(slots=True)
class _Request:
    seat: int
    phase: int
    waiting: set[int]
    """The seats that have not answered yet."""


class PendingUndo:
    """The open undo request of a table, if any. It is valid for one phase and is not stored."""

    def __init__(self) -> None:
        """Start without a request."""
        self._request: _Request | None = None

    def ask(self, table: Table, connection: Connection, seat: int, phase: int) -> None:
        """Request an undo for a seat; without other people it is done immediately."""
        table.dealer.check_undo(seat, phase)
        others = _people_here(table) - set(connection.seats)
        if others:
            self._request = _Request(seat, phase, others)
            table.change.people_changed = True
        else:
            table.dealer.undo(seat)

    def answer(self, table: Table, connection: Connection, *, agrees: bool) -> None:
        """Answer for all seats of a connection; one refusal ends the request."""
        request = self._request
        if request is None or request.phase != table.dealer.phase or not request.waiting & set(connection.seats):
            raise Refused("not-now")
        table.change.people_changed = True
        if agrees:
            request.waiting -= set(connection.seats)
            if not request.waiting:
                table.dealer.undo(request.seat)
                self._request = None
            return
        self._request = None
        for each in table.connections:
            if request.seat in each.seats:
                table.reply(each, Error("undo-declined"))

    def expire(self, table: Table) -> bool:
        """Drop a request whose phase is over, or when an asked player has left; return whether there was one."""
        request = self._request
        if request is None or (request.phase == table.dealer.phase and request.waiting <= _people_here(table)):
            return False
        self._request = None
        return True

    def message(self) -> UndoRequest | None:
        """Return the open request for the message about the room."""
        return None if self._request is None else UndoRequest(self._request.seat, sorted(self._request.waiting))


def _people_here(table: Table) -> set[int]:
    return {place for place in table.here() if table.room.seats[place].is_person}
