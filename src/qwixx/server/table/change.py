"""What a handler of a table returns: the changes to be written to the store, and then to be sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import qwixx
from qwixx.server.wire.connection import Connection
from qwixx.server.wire.messages import Message, encode

Reply = tuple[Connection, bytes]


@dataclass(frozen=True, slots=True)
class Change:
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
    is_deleted: bool = False
    """The table has to be deleted."""
    admitted: Connection | None = None
    """A connection that has just sent its tokens."""
    resync: Connection | None = None
    """A connection that gets the whole state, whether or not it has changed."""
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


def reply(connection: Connection, message: Message) -> Change:
    """Send a message to one connection after the commit, so that it never reports what is not on disk."""
    return reply_all([connection], encode(message))


def reply_all(connections: Iterable[Connection], data: bytes) -> Change:
    """Send an encoded message to some connections after the commit."""
    return Change(replies=tuple((each, data) for each in connections))


@dataclass(slots=True)
class Batch:
    """The changes that share one commit. It is reused: new objects for every batch keep the garbage collector busy."""

    first: int = 0
    """The step of the first new line."""
    lines: list[str] = field(default_factory=list)
    cut: int | None = None
    events: list[qwixx.Event] = field(default_factory=list)
    room: bool = False
    people: bool = False
    state: bool = False
    is_deleted: bool = False
    admitted: list[Connection] = field(default_factory=list)
    resync: list[Connection] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    decided_at: list[float] = field(default_factory=list)
    """When the server received the decisions of this batch, to measure latency."""

    @property
    def needs_write(self) -> bool:
        """Whether anything has to be written to the store."""
        return self.room or bool(self.lines) or self.cut is not None

    def add(self, change: Change) -> None:
        """Add a change to those before it."""
        if change.cut is not None:
            if change.cut < self.first:
                self.first = self.cut = change.cut
            del self.lines[change.cut - self.first :]
        self.lines += change.lines
        self.events += change.events
        self.room |= change.room
        self.people |= change.people
        self.state |= change.state
        self.is_deleted |= change.is_deleted
        if change.admitted is not None:
            self.admitted.append(change.admitted)
        if change.resync is not None:
            self.resync.append(change.resync)
        self.replies += change.replies

    def clear(self) -> None:
        """Reset for the next batch."""
        self.cut = None
        self.room = self.people = self.state = self.is_deleted = False
        for each in (self.lines, self.events, self.admitted, self.resync, self.replies, self.decided_at):
            each.clear()
