"""
Rate limits: a token bucket limits a rate, a sliding window limits a count per time. Both exist once per address.

The numbers are settings (`base/settings`). All rate limits of an address are declared in `address_quotas`, those of
connections and frames in `connection_limits` and `wire/uvicorn_guards`, that of one socket in `wire/connection`.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict, deque
from functools import lru_cache

HARD_LIMIT = 4
"""Messages this many times larger than allowed are not even read."""
FRAMES_PER_MESSAGE = 5
"""The rate limit of frames is this many times that of messages: honest pages send one, and sometimes a ping."""
_MAX_ADDRESSES = 10_000
"""Above this the oldest address is forgotten."""


@lru_cache(1024)
def address_group(address: str) -> str:
    """Return the key by which an address is counted: an IPv6 client owns its whole /64 network of 2^64 addresses."""
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(number, ipaddress.IPv4Address):
        return str(number)
    if number.ipv4_mapped is not None:
        return str(number.ipv4_mapped)
    return str(ipaddress.ip_network((int(number), 64), strict=False))


class TokenBucket:
    """A rate limit: `burst` messages may pass without a pause, then `rate` a second."""

    __slots__ = ("_burst", "_rate", "_tokens", "_when", "refused")

    def __init__(self, rate: float, burst: int) -> None:
        """Start full."""
        self._rate, self._burst = rate, burst
        self._tokens = float(burst)
        self._when = time.monotonic()
        self.refused = 0
        """Messages refused since the last one that passed."""

    def take(self) -> bool:
        """Return whether one more message may pass, and count it."""
        self._refill()
        if self._tokens < 1:
            self.refused += 1
            return False
        self._tokens -= 1
        self.refused = 0
        return True

    def take_at_most(self, wanted: int) -> int:
        """Return how many of these messages may pass, and count them."""
        self._refill()
        taken = min(wanted, int(self._tokens))
        self._tokens -= taken
        self.refused = 0 if taken == wanted else self.refused + wanted - taken
        return taken

    def available(self) -> int:
        """Return how many messages may pass now."""
        self._refill()
        return int(self._tokens)

    def charge(self, cost: float) -> float:
        """Take this many tokens in any case, into debt if needed; return the seconds to wait for them."""
        self._refill()
        self._tokens -= cost
        return max(0.0, -self._tokens / self._rate)

    def refund(self, cost: float) -> None:
        """Return tokens that were charged and are not needed."""
        self._tokens = min(self._burst, self._tokens + cost)

    def _refill(self) -> None:
        now = time.monotonic()
        tokens = self._tokens + (now - self._when) * self._rate
        self._tokens = tokens if tokens < self._burst else self._burst
        self._when = now


class BucketsByAddress:
    """A token bucket for each address."""

    def __init__(self, rate: float, burst: int) -> None:
        """Give each address the same rate and burst."""
        self._rate, self._burst = rate, burst
        self._by_address: OrderedDict[str, TokenBucket] = OrderedDict()

    def of(self, address: str) -> TokenBucket:
        """Return the bucket of an address; a new one is full."""
        bucket = self._by_address.get(address)
        if bucket is None:
            bucket = self._by_address[address] = TokenBucket(self._rate, self._burst)
            _forget_oldest(self._by_address)
        else:
            self._by_address.move_to_end(address)
        return bucket


class SlidingWindow:
    """A rate limit by count: each address may do something `most` times in any period of `seconds`."""

    def __init__(self, most: int, seconds: float = 3600.0) -> None:
        """Give each address the same limit."""
        self._most, self._seconds = most, seconds
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Return whether this address may do it once more, and count it."""
        if self.is_full(address):
            return False
        self._times.setdefault(address, deque()).append(time.monotonic())
        self._times.move_to_end(address)
        _forget_oldest(self._times)
        return True

    def is_full(self, address: str) -> bool:
        """Return whether this address has reached its limit."""
        times = self._times.get(address)
        if times is None:
            return self._most <= 0
        too_old = time.monotonic() - self._seconds
        while times and times[0] < too_old:
            times.popleft()
        return len(times) >= self._most

    def refund(self, address: str) -> None:
        """Do not count the last time: it failed."""
        times = self._times.get(address)
        if times:
            times.pop()


def _forget_oldest(remembered: OrderedDict[str, TokenBucket] | OrderedDict[str, deque[float]]) -> None:
    while len(remembered) > _MAX_ADDRESSES:
        remembered.popitem(last=False)
