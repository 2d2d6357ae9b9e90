"""A table's clock: it rings once per phase, unless the phase ends before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Clock:
    """Rings through a callback, which puts a message into the table's inbox like everybody else."""

    def __init__(self, ring: Callable[[int], object]) -> None:
        """Call `ring(phase)` when time is up."""
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None
        self._phase = -1

    def set(self, phase: int, seconds: float) -> None:
        """Wind the clock for a phase; 0 seconds stop it. The same phase does not start it anew."""
        if seconds and self._timer is not None and self._phase == phase:
            return
        self.stop()
        self._phase = phase
        if seconds:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._ring, phase)

    def stop(self) -> None:
        """Stop ringing."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def left(self) -> float | None:
        """Give the seconds left, None if the clock stands."""
        if self._timer is None:
            return None
        return round(max(0.0, self._timer.when() - asyncio.get_running_loop().time()), 1)
