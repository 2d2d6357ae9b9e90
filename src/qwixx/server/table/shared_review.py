"""
The review together: after a game one person leads through its review, and all at the table can follow.

Only the place where the leader points is sent. Every page computes the values by itself, and may stop following.
Nothing of it is stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from qwixx.server.base.errors import Refused
from qwixx.server.table.change import PEOPLE, POINTED, Change
from qwixx.server.wire.connection import Connection
from qwixx.server.wire.messages import PointAt, Pointer, encode

if TYPE_CHECKING:
    from qwixx.server.table.table import Table


class SharedReview:
    """Who leads the review of a table, and where this person points."""

    def __init__(self) -> None:
        """Start without a leader."""
        self.leader: int | None = None
        self._pointer = b""
        """The encoded message; empty before the leader points somewhere."""

    def lead(self, table: Table, connection: Connection, seat: int) -> Change:
        """
        Let a seat lead: the own one while no leader is here, or as the leader another one.

        A game that still runs has no review: it would be a hint.
        """
        if table.room.stage != "over":
            raise Refused("not-now")
        here = table.here()
        if self.leader in here:
            if self.leader not in connection.seats or seat not in here:
                raise Refused("not-now")
        elif seat not in connection.seats:
            raise Refused("not-your-seat")
        self.leader = seat
        return PEOPLE

    def point(self, table: Table, connection: Connection, wanted: PointAt) -> Change:
        """Point at something, as the leader. Of several moves in one batch only the last is sent."""
        self._check_leader(connection)
        if wanted.seat >= len(table.room.seats):
            raise Refused("no-such-seat")
        self._pointer = encode(Pointer(wanted.frame, wanted.seat, wanted.cell, wanted.tried))
        return POINTED

    def stop(self, table: Table, connection: Connection) -> Change:
        """End the review together: as the leader, or as anyone with a seat when the leader has left."""
        if self.leader is None or self.leader in table.here():
            self._check_leader(connection)
        self.leader, self._pointer = None, b""
        return PEOPLE

    def _check_leader(self, connection: Connection) -> None:
        if self.leader is None or self.leader not in connection.seats:
            raise Refused("not-now")

    def send_to(self, connections: Iterable[Connection]) -> None:
        """Send where the leader points, if anybody leads."""
        if self.leader is not None and self._pointer:
            for connection in connections:
                connection.send(self._pointer)
