"""One round of a table's work: what it has carried out, still to be written, and then to be told."""

from __future__ import annotations

from dataclasses import dataclass, field

import qwixx
from qwixx.server.connection import Connection


@dataclass(slots=True)
class Round:
    """What one round has to write and to tell."""

    lines: list[str] = field(default_factory=list)
    """What the ledger gets more."""
    changes: dict[int, str] = field(default_factory=dict)
    """What becomes of lines that the ledger has: people have changed their minds."""
    cut: int | None = None
    """The step from which on the ledger loses its lines before it gets more: choices were taken back."""
    events: list[qwixx.Event] = field(default_factory=list)
    room_changed: bool = False
    """The room has to be written and told."""
    people_changed: bool = False
    """Somebody came or went: told, not written."""
    is_deleted: bool = False
    """The table has to go for good."""
    moved: bool = False
    """The game has to be told to all."""
    resync: list[Connection] = field(default_factory=list)
    """Those who are told alone where the game stands."""
    replies: list[tuple[Connection, bytes]] = field(default_factory=list)
    decided: list[float] = field(default_factory=list)
    """When the decisions of people came in that this round carries out."""

    @property
    def has_to_be_written(self) -> bool:
        """Whether the store has to hear of it."""
        return self.room_changed or bool(self.lines or self.changes) or self.cut is not None

    def clear(self) -> None:
        """Be as new, for another round: to make hundreds of them anew keeps the collector at work."""
        self.lines.clear()
        self.changes.clear()
        self.cut = None
        self.events.clear()
        self.room_changed = self.people_changed = self.is_deleted = self.moved = False
        self.resync.clear()
        self.replies.clear()
        self.decided.clear()
