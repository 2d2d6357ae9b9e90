"""A meter counts what is used of one limit: it is a token bucket, a sliding window, or a count of what is there."""

from __future__ import annotations

import time
from collections import deque


class Meter:
    """
    Tokens that are taken and come back.

    With a rate they come back steadily (a token bucket: a rate with a burst). With a period each comes back that long
    after it was taken (a sliding window: a count per time). With neither they come back when they are returned.
    """

    __slots__ = ("_left", "_most", "_rate", "_seconds", "_times", "_when")

    def __init__(self, most: int, rate: float = 0.0, seconds: float = 0.0) -> None:
        """Start with all tokens."""
        self._most, self._rate, self._seconds = most, rate, seconds
        self._left: float = most
        self._when = time.monotonic()
        self._times: deque[float] = deque()
        """When each token of a sliding window was taken."""

    def take(self, count: int = 1, reserve: int = 0) -> bool:
        """Return whether there are this many tokens beyond the reserve, and take them."""
        if self._rate or self._seconds:
            self._refill()
        if self._left < count + reserve:
            return False
        self._left -= count
        if self._seconds:
            self._times.append(self._when)
        return True

    def charge(self, cost: float) -> float:
        """Take this many tokens in any case, into debt if needed; return the seconds until a rate has paid for them."""
        self._refill()
        self._spend(cost)
        return -self._left / self._rate if self._left < 0 and self._rate else 0.0

    def give_back(self, cost: float = 1) -> None:
        """Return tokens that are not used any more, or were not needed."""
        self._left = min(self._most, self._left + cost)
        if self._times:
            self._times.pop()

    def available(self) -> int:
        """Return how many tokens there are now."""
        self._refill()
        return int(self._left)

    def _spend(self, cost: float) -> None:
        self._left -= cost
        if self._seconds:
            self._times.append(self._when)

    def _refill(self) -> None:
        if self._rate:
            now = time.monotonic()
            left = self._left + (now - self._when) * self._rate
            self._left = left if left < self._most else self._most
            self._when = now
        elif self._seconds:
            self._when = time.monotonic()
            while self._times and self._times[0] < self._when - self._seconds:
                self._times.popleft()
                self._left += 1
