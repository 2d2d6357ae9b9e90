"""The clock of a table: a timer for each phase."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Clock:
    """Calls back when the time of a phase is up; the callback posts to the inbox of the table."""

    def __init__(self, ring: Callable[[int], object]) -> None:
        """Call `ring(phase)` when time is up."""
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None
        self._phase = -1

    def set(self, phase: int, seconds: float) -> None:
        """Start the timer for a phase; 0 seconds stop it. A running timer of the same phase is not restarted."""
        if seconds and self._timer is not None and self._phase == phase:
            return
        self.stop()
        self._phase = phase
        if seconds:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._ring, phase)

    def stop(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def left(self) -> float | None:
        """Return the seconds left, None if the timer is stopped."""
        if self._timer is None:
            return None
        return round(max(0.0, self._timer.when() - asyncio.get_running_loop().time()), 1)
