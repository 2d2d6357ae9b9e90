"""How much is too much: a bucket for the messages of a connection, a window for the tables of an address."""

from __future__ import annotations

import time
from collections import OrderedDict, deque

HARD_LIMIT = 4
"""Messages this many times larger than allowed are not even read."""
_ADDRESSES = 10_000
"""More addresses are not remembered; the oldest is forgotten first."""


class Bucket:
    """Lets `burst` messages through at once and `rate` a second after that."""

    __slots__ = ("_burst", "_filled", "_rate", "_when", "refused")

    def __init__(self, rate: float, burst: int) -> None:
        """Start full."""
        self._rate, self._burst = rate, burst
        self._filled = float(burst)
        self._when = time.monotonic()
        self.refused = 0
        """Messages refused since the last one that was not."""

    def take(self) -> bool:
        """Tell whether one more message may pass."""
        now = time.monotonic()
        self._filled = min(self._burst, self._filled + (now - self._when) * self._rate)
        self._when = now
        if self._filled < 1:
            self.refused += 1
            return False
        self._filled -= 1
        self.refused = 0
        return True


class Window:
    """Counts what each address did in the last `seconds`."""

    def __init__(self, most: int, seconds: float = 3600.0) -> None:
        """Allow each address so many in that time."""
        self._most, self._seconds = most, seconds
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Tell whether this address may do it once more."""
        now = time.monotonic()
        times = self._seen.setdefault(address, deque())
        self._seen.move_to_end(address)
        while len(self._seen) > _ADDRESSES:
            self._seen.popitem(last=False)
        while times and times[0] < now - self._seconds:
            times.popleft()
        if len(times) >= self._most:
            return False
        times.append(now)
        return True
