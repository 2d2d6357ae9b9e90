"""The changes of one batch of a table: first to be written to the store, then to be sent."""

from __future__ import annotations

from dataclasses import dataclass, field

import qwixx
from qwixx.server.wire.connection import Connection


@dataclass(slots=True)
class Change:
    """What a batch has to write and to send."""

    lines: list[str] = field(default_factory=list)
    """New lines of the ledger."""
    replaced: dict[int, str] = field(default_factory=dict)
    """By step: new text of lines that are in the ledger already, because players changed their choices."""
    cut: int | None = None
    """The step from which the ledger drops its lines before it gets new ones: decisions were undone."""
    events: list[qwixx.Event] = field(default_factory=list)
    room_changed: bool = False
    """The room has to be written and sent."""
    people_changed: bool = False
    """Connections or votes changed: the room has to be sent, not written."""
    is_deleted: bool = False
    """The table has to be deleted."""
    state_changed: bool = False
    """The state of the game has to be sent to all."""
    admitted: list[Connection] = field(default_factory=list)
    """Connections that have just sent their tokens."""
    resync: list[Connection] = field(default_factory=list)
    """Connections that get the whole state, whether or not it has changed."""
    replies: list[tuple[Connection, bytes]] = field(default_factory=list)
    decided_at: list[float] = field(default_factory=list)
    """When the server received the decisions of this batch, to measure latency."""

    @property
    def needs_write(self) -> bool:
        """Whether anything has to be written to the store."""
        return self.room_changed or bool(self.lines or self.replaced) or self.cut is not None

    def clear(self) -> None:
        """Reset for the next batch: hundreds of new objects for every batch would keep the garbage collector busy."""
        self.lines.clear()
        self.replaced.clear()
        self.cut = None
        self.events.clear()
        self.room_changed = self.people_changed = self.is_deleted = self.state_changed = False
        self.admitted.clear()
        self.resync.clear()
        self.replies.clear()
        self.decided_at.clear()
