"""Undo of a decision after its phase: one player asks, and all other connected players have to agree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qwixx.server.base.errors import Refused
from qwixx.server.table.change import PEOPLE, Change, reply_all
from qwixx.server.wire.connection import Connection
from qwixx.server.wire.message_parts import UndoRequest
from qwixx.server.wire.messages import Error, encode

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

    def ask(self, table: Table, connection: Connection, seat: int, phase: int) -> Change:
        """Request an undo for a seat; without other people it is done immediately."""
        table.dealer.core.check_undo(seat, phase)
        others = _people_here(table) - set(connection.seats)
        if not others:
            return table.dealer.undo(seat)
        self._request = _Request(seat, phase, others)
        return PEOPLE

    def answer(self, table: Table, connection: Connection, *, agrees: bool) -> Change:
        """Answer for all seats of a connection; one refusal ends the request."""
        request = self._request
        if request is None or request.phase != table.dealer.phase or not request.waiting & set(connection.seats):
            raise Refused("not-now")
        request.waiting -= set(connection.seats)
        if agrees and request.waiting:
            return PEOPLE
        self._request = None
        if agrees:
            return replace(table.dealer.undo(request.seat), people=True)
        askers = [each for each in table.connections if request.seat in each.seats]
        return replace(reply_all(askers, encode(Error("undo-declined"))), people=True)

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
