"""The result of a handler of a table: the changes to be written to the store, and then to be sent."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

import qwixx
from qwixx.server.wire.connection import Connection
from qwixx.server.wire.messages import Message, encode

Reply = tuple[Connection, bytes]


class Change(Struct, frozen=True, gc=False):
    """The effect of one message, bot or clock. The core of a table fills in the first three fields."""

    lines: tuple[str, ...] = ()
    """New lines of the ledger."""
    events: tuple[qwixx.Event, ...] = ()
    cut: int | None = None
    """The step from which the new lines replace the ledger; None if they follow its end."""
    room: bool = False
    """The room has to be written and sent."""
    people: bool = False
    """Connections or votes changed: the room has to be sent, not written."""
    state: bool = False
    """The state of the game has to be sent to all."""
    pointed: bool = False
    """The leader of a review points at something else."""
    is_deleted: bool = False
    """The table has to be deleted."""
    admitted: Connection | None = None
    """A connection that has just sent its tokens. It gets the whole state."""
    resync: Connection | None = None
    """Another connection that gets the whole state, whether or not it has changed."""
    replies: tuple[Reply, ...] = ()

    def then(self, after: Change) -> Change:
        """Add a change of the game that followed this one and rewrote nothing."""
        assert after.cut is None
        return replace(
            self,
            lines=self.lines + after.lines,
            events=self.events + after.events,
            room=self.room or after.room,
            state=self.state or after.state,
        )


NOTHING = Change()
ROOM, PEOPLE, STATE = Change(room=True), Change(people=True), Change(state=True)
POINTED = Change(pointed=True)


def reply(connection: Connection, message: Message) -> Change:
    """Send a message to one connection after the commit, so that it never reports what is not on disk."""
    return reply_all([connection], encode(message))


def reply_all(connections: Iterable[Connection], data: bytes) -> Change:
    """Send an encoded message to some connections after the commit."""
    return Change(replies=tuple((each, data) for each in connections))


class Batch:
    """The changes that share one commit."""

    def __init__(self, first: int) -> None:
        """Start at this step of the ledger."""
        self.first = first
        self.cut: int | None = None
        """The step from which the lines replace what is on disk."""
        self.lines: list[str] = []
        self.events: list[qwixx.Event] = []
        self.replies: list[Reply] = []
        self.admitted: list[Connection] = []
        """Connections that have just sent their tokens."""
        self.resync: list[Connection] = []
        """Others that get the whole state."""
        self.room = self.people = self.state = self.pointed = self.is_deleted = False
        self.decided_at: list[float] = []
        """When the server received the decisions of this batch, to measure latency."""

    def add(self, change: Change) -> None:
        """Add a change to those before it."""
        if change.cut is not None:
            if change.cut < self.first:
                self.first = self.cut = change.cut
            del self.lines[change.cut - self.first :]
        self.lines += change.lines
        self.events += change.events
        self.replies += change.replies
        if change.admitted is not None:
            self.admitted.append(change.admitted)
        if change.resync is not None:
            self.resync.append(change.resync)
        self.room |= change.room
        self.people |= change.people
        self.state |= change.state
        self.pointed |= change.pointed
        self.is_deleted |= change.is_deleted

    @property
    def needs_write(self) -> bool:
        """Whether anything has to be written to the store."""
        return self.room or bool(self.lines) or self.cut is not None
