"""
Counters and histograms of a server since it started.

Counting happens while players wait for their moves, so it only adds to a number. The metrics are made from these
numbers when a monitor asks (`operate/metrics`). Nothing here names a person, a table or an address.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections import Counter

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the histogram's buckets, in seconds."""
_INTERVAL = 0.25
"""Seconds between two measurements of the event loop's lag."""


class Histogram:
    """A histogram of durations."""

    __slots__ = ("_counts", "sum")

    def __init__(self) -> None:
        """Start at zero."""
        self._counts = [0] * (len(_BOUNDS) + 1)
        self.sum = 0.0
        """The sum of all durations in seconds."""

    def observe(self, seconds: float) -> None:
        """Count one duration."""
        self._counts[bisect_left(_BOUNDS, seconds)] += 1
        self.sum += seconds

    @property
    def count(self) -> int:
        """The number of durations."""
        return sum(self._counts)

    def cumulative(self) -> list[tuple[float, int]]:
        """Return for each bound how many durations were at most that long; the last bound is infinite."""
        totals, so_far = [], 0
        for bound, count in zip((*_BOUNDS, float("inf")), self._counts, strict=True):
            so_far += count
            totals.append((bound, so_far))
        return totals

    def quantile(self, share: float) -> float:
        """Return the bound below which this share of durations is; 0 if there are none, infinite above all bounds."""
        wanted = share * self.count
        return next((bound for bound, so_far in self.cumulative() if so_far and so_far >= wanted), 0.0)


class Counters:
    """The counters of one server."""

    def __init__(self) -> None:
        """Start at zero."""
        self.moves = Histogram()
        """Decisions of people: from receiving the message to sending the new state to everyone at the table."""
        self.bot_moves = 0
        self.thinking = Histogram()
        """Time of a bot's decision, with the wait for a free thread."""
        self.commits = Histogram()
        """Writes to the database; one holds the moves of many tables."""
        self.commits_failed = 0
        self.requests = Histogram()
        self.answers: Counter[int] = Counter()
        """Requests by the status of their response."""
        self.refused: Counter[str] = Counter()
        """Refusals by their code."""
        self.closed: Counter[int] = Counter()
        """Sockets that this server closed, by the close code."""
        self.failed: Counter[str] = Counter()
        """Unexpected errors, by where they happened: a table, a connection, a request, a player."""
        self.opened: Counter[str] = Counter()
        """Tables that were opened, by game."""
        self.finished: Counter[str] = Counter()
        """Games that were played to their end, by game."""
        self.loop_lag = Histogram()
        """How late the event loop ran a timer: everyone waits that long."""


class LoopLagMonitor:
    """Measures the lag of the event loop several times a second."""

    def __init__(self, counts: Counters) -> None:
        """Record the lag in these counters."""
        self._counts = counts
        self._next: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start measuring."""
        loop = asyncio.get_running_loop()
        due = loop.time() + _INTERVAL
        self._next = loop.call_at(due, self._measure, due)

    def stop(self) -> None:
        """Stop measuring."""
        if self._next is not None:
            self._next.cancel()

    def _measure(self, due: float) -> None:
        self._counts.loop_lag.observe(max(0.0, asyncio.get_running_loop().time() - due))
        self.start()
