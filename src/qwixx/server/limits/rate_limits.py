"""How much is too much: a bucket refills with time, a window forgets what is long ago; both count by address."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict, deque
from functools import lru_cache

HARD_LIMIT = 4
"""Messages this many times larger than allowed are not even read."""
FRAMES_PER_MESSAGE = 5
"""Frames that may come for each message that may: honest pages send one, and now and then a ping."""
_ADDRESSES = 10_000
"""More addresses are not remembered; the oldest is forgotten first."""


@lru_cache(1024)
def counted_as(address: str) -> str:
    """Give the name under which an address is counted: whoever has one IPv6 address has the 2^64 beside it, too."""
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(number, ipaddress.IPv4Address):
        return str(number)
    if number.ipv4_mapped is not None:
        return str(number.ipv4_mapped)
    return str(ipaddress.ip_network((int(number), 64), strict=False))


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
        self._refill()
        if self._filled < 1:
            self.refused += 1
            return False
        self._filled -= 1
        self.refused = 0
        return True

    def take_up_to(self, wanted: int) -> int:
        """Tell how many of these messages may pass."""
        self._refill()
        taken = min(wanted, int(self._filled))
        self._filled -= taken
        self.refused = 0 if taken == wanted else self.refused + wanted - taken
        return taken

    def left(self) -> int:
        """Tell how many may pass now."""
        self._refill()
        return int(self._filled)

    def book(self, cost: float) -> float:
        """Take this much in any case; tells how many seconds one has to wait for it."""
        self._refill()
        self._filled -= cost
        return max(0.0, -self._filled / self._rate)

    def give_back(self, cost: float) -> None:
        """Return what was booked and is not needed."""
        self._filled = min(self._burst, self._filled + cost)

    def _refill(self) -> None:
        now = time.monotonic()
        filled = self._filled + (now - self._when) * self._rate
        self._filled = filled if filled < self._burst else self._burst
        self._when = now


class Buckets:
    """A bucket for each address."""

    def __init__(self, rate: float, burst: int) -> None:
        """Give each address so many a second, and so many at once."""
        self._rate, self._burst = rate, burst
        self._by_address: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, address: str) -> Bucket:
        """Give the bucket of an address; a new one is full."""
        bucket = self._by_address.get(address)
        if bucket is None:
            bucket = self._by_address[address] = Bucket(self._rate, self._burst)
            _forget_oldest(self._by_address)
        else:
            self._by_address.move_to_end(address)
        return bucket


class Window:
    """Counts what each address did in the last `seconds`."""

    def __init__(self, most: int, seconds: float = 3600.0) -> None:
        """Allow each address so many in that time."""
        self._most, self._seconds = most, seconds
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Tell whether this address may do it once more."""
        if self.is_full(address):
            return False
        self._seen.setdefault(address, deque()).append(time.monotonic())
        self._seen.move_to_end(address)
        _forget_oldest(self._seen)
        return True

    def is_full(self, address: str) -> bool:
        """Tell whether this address has done it as often as it may."""
        times = self._seen.get(address)
        if times is None:
            return self._most <= 0
        too_old = time.monotonic() - self._seconds
        while times and times[0] < too_old:
            times.popleft()
        return len(times) >= self._most

    def give_back(self, address: str) -> None:
        """Forget the last time: nothing came of it."""
        times = self._seen.get(address)
        if times:
            times.pop()


def _forget_oldest(remembered: OrderedDict[str, Bucket] | OrderedDict[str, deque[float]]) -> None:
    while len(remembered) > _ADDRESSES:
        remembered.popitem(last=False)
