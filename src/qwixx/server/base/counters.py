"""
What a server has done since it started, in plain numbers.

Counting happens where people wait for their moves, so it is an addition to a number here and nothing more; what a
monitor reads is made from these numbers when it asks (`metrics`). Nothing here names a person, a table or an address.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections import Counter

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds up to which something counts as this quick."""
_BEAT = 0.25
"""Seconds between two looks at how late the event loop is."""


class Times:
    """How long something took, counted by how quick it was."""

    __slots__ = ("_counts", "sum")

    def __init__(self) -> None:
        """Begin with nothing."""
        self._counts = [0] * (len(_BOUNDS) + 1)
        self.sum = 0.0
        """All of it together, in seconds."""

    def note(self, seconds: float) -> None:
        """Count one more."""
        self._counts[bisect_left(_BOUNDS, seconds)] += 1
        self.sum += seconds

    @property
    def count(self) -> int:
        """How often it was."""
        return sum(self._counts)

    def up_to(self) -> list[tuple[float, int]]:
        """Give for each bound how many were at most that long; the last bound is infinite."""
        found, so_far = [], 0
        for bound, count in zip((*_BOUNDS, float("inf")), self._counts, strict=True):
            so_far += count
            found.append((bound, so_far))
        return found

    def quantile(self, share: float) -> float:
        """Give the bound that this share of all kept to; 0 if there were none, infinite if it is beyond all bounds."""
        wanted = share * self.count
        return next((bound for bound, so_far in self.up_to() if so_far and so_far >= wanted), 0.0)


class Counts:
    """The numbers of one server."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.moves = Times()
        """Decisions of people, from the moment they came in to the moment all at the table had been told."""
        self.bot_moves = 0
        self.thinking = Times()
        """How long bots thought, the wait for a free thread included."""
        self.commits = Times()
        """Writes to the database; one holds the moves of many tables."""
        self.commits_failed = 0
        self.requests = Times()
        self.answers: Counter[int] = Counter()
        """Requests by the status of their answer."""
        self.refused: Counter[str] = Counter()
        """What was refused, by its code."""
        self.closed: Counter[int] = Counter()
        """Sockets that this server hung up on, by the close code."""
        self.failed: Counter[str] = Counter()
        """What should never happen, by where it did: a table, a connection, a request, a player."""
        self.opened: Counter[str] = Counter()
        """Tables that were opened, by game."""
        self.finished: Counter[str] = Counter()
        """Games that were played to their end, by game."""
        self.late = Times()
        """How late the event loop was for an appointment: what everybody waits for."""


class Pulse:
    """Looks several times a second how late the event loop is."""

    def __init__(self, counts: Counts) -> None:
        """Note it among these numbers."""
        self._counts = counts
        self._next: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to look."""
        loop = asyncio.get_running_loop()
        due = loop.time() + _BEAT
        self._next = loop.call_at(due, self._beat, due)

    def stop(self) -> None:
        """Look no more."""
        if self._next is not None:
            self._next.cancel()

    def _beat(self, due: float) -> None:
        self._counts.late.note(max(0.0, asyncio.get_running_loop().time() - due))
        self.start()
