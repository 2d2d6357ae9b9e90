"""
Undo of a decision after its phase: one player asks, and all other people have to agree.

While the next roll waits, they need not agree if none of them has decided since: such a decision has shown nothing.

A person whose connection drops for a moment is asked, too: otherwise a player could wait for that moment, and decide
again with the choices of the others known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

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
        self._declined: dict[int, int] = {}
        """By seat: the last phase in which a person declined its request."""

    def ask(self, table: Table, connection: Connection, seat: int, phase: int) -> Change:
        """Request an undo for a seat; it is done immediately if nobody has to agree. A no is valid for the phase."""
        dealer = table.dealer
        dealer.check_undo(seat, phase)
        if self._declined.get(seat) == phase:
            raise Refused("undo-declined")
        others = _people_asked(table) - set(connection.seats)
        if not others or (dealer.undo_left() and not others & dealer.core.decided_since(seat)):
            return dealer.undo(seat)
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
        self._declined[request.seat] = request.phase
        askers = [each for each in table.connections if request.seat in each.seats]
        return replace(reply_all(askers, encode(Error("undo-declined"))), people=True)

    def expire(self, table: Table) -> bool:
        """Drop a request whose phase is over, or when a bot plays for an asked person; return whether there was one."""
        request = self._request
        if request is None or (request.phase == table.dealer.phase and request.waiting <= _people(table)):
            return False
        self._request = None
        return True

    def message(self) -> UndoRequest | None:
        """Return the open request for the message about the room."""
        return None if self._request is None else UndoRequest(self._request.seat, sorted(self._request.waiting))


def _people(table: Table) -> set[int]:
    return {place for place, seat in enumerate(table.room.seats) if seat.is_person}


def _people_asked(table: Table) -> set[int]:
    """Return the seats of people who are connected, or were a moment ago."""
    away, seats = table.presence.seconds_away, table.room.seats
    return {place for place in _people(table) if away(seats[place]) <= table.settings.grace_seconds}
