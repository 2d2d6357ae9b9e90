"""
The limiter: counts everything that has a limit in `declared`, for the connections below and the application above.

An address is counted with all its connections. The counts work with every ASGI server, also behind a proxy.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator

from qwixx.server.base.errors import Refused
from qwixx.server.base.settings import Settings
from qwixx.server.limits.declared import ADDRESSES, MAX_WAIT, REQUEST_SECONDS, REQUESTS, TABLES_OPENED, Limit
from qwixx.server.limits.fair_queue import FairQueue
from qwixx.server.limits.meter import Meter


class Limiter:
    """The use of every limit of one server."""

    def __init__(self, settings: Settings) -> None:
        """Take the amounts from the declarations and the settings."""
        self.settings = settings
        self.fair_queue = FairQueue()
        """Received data, messages, requests and answers are processed in turn, address by address."""
        self._lowered: dict[Limit, int] = {}
        self._meters: defaultdict[Limit, OrderedDict[str, Meter]] = defaultdict(OrderedDict)
        self.mark: Callable[[str], str] | None = None
        """Turns an address into its keyed hash, which servers of a cluster share; None if there is one server."""
        self._unsent_tables: Counter[str] = Counter()
        """By mark: tables that were opened here and not yet reported to the other servers."""
        self.exhausted: set[str] = set()
        """Marks of addresses that have opened as many tables as they may, on all servers together."""

    def most(self, limit: Limit) -> int:
        """Return how much a limit allows."""
        return self._lowered.get(limit, limit.most(self.settings))

    def seconds(self, limit: Limit) -> float:
        """Return how long a limit of time allows."""
        return limit.value(limit.amount, self.settings)

    def lower(self, limit: Limit, most: int) -> None:
        """Allow less than declared, if the system has room for less."""
        self._lowered[limit] = min(most, self.most(limit))

    def new_meter(self, limit: Limit) -> Meter:
        """Create a meter that its owner keeps, such as that of one connection."""
        return limit.meter(self.most(limit), self.settings)

    def meter(self, limit: Limit, key: str = "") -> Meter:
        """Return the meter of an address, or of whatever a limit is counted by; a new one has all its tokens."""
        meters = self._meters[limit]
        meter = meters.get(key)
        if meter is None:
            meter = meters[key] = self.new_meter(limit)
            while limit.returns and len(meters) > self.most(ADDRESSES):
                meters.popitem(last=False)
        else:
            meters.move_to_end(key)
        return meter

    def is_used_up(self, limit: Limit, key: str = "") -> bool:
        """Return whether nothing of a limit is left."""
        known = self._meters[limit].get(key)
        return (known.available() if known else self.most(limit)) < 1

    def check(self, limit: Limit, key: str = "") -> None:
        """Raise `Refused` if nothing of a limit is left."""
        if self.is_used_up(limit, key):
            raise Refused(limit.refusal)

    def count(self, limit: Limit, key: str = "") -> None:
        """Count one more; raises `Refused` if that is too much."""
        mark = self._mark_of(limit, key)
        if mark in self.exhausted or not self.meter(limit, key).take():
            raise Refused(limit.refusal)
        if mark:
            self._unsent_tables[mark] += 1

    def uncount(self, limit: Limit, key: str = "") -> None:
        """Undo `count`: it has ended, or it was not done."""
        meter = self._meters[limit].get(key)
        if meter is not None:
            meter.give_back()
            if not limit.returns and meter.available() >= self.most(limit):
                del self._meters[limit][key]
        if mark := self._mark_of(limit, key):
            self._unsent_tables[mark] -= 1

    @contextlib.contextmanager
    def holding(self, limit: Limit, key: str = "") -> Iterator[None]:
        """Count one more for the time of a `with` block; raises `Refused` if that is too much."""
        self.count(limit, key)
        try:
            yield
        finally:
            self.uncount(limit, key)

    async def admit_request(self, address: str, cost: float = 1.0) -> None:
        """Apply the rate limit to a request: delay it, or raise `Refused` if the delay would be too long."""
        meter = self.meter(REQUESTS, address)
        seconds = meter.charge(cost)
        if seconds > MAX_WAIT:
            meter.give_back(cost)
            raise Refused(REQUESTS.refusal)
        if seconds > 0:
            await asyncio.sleep(seconds)
        await self.fair_queue.wait_turn(address, cost * REQUEST_SECONDS)

    # ---- several servers

    def _mark_of(self, limit: Limit, address: str) -> str:
        """Return the mark by which all servers count an address; empty if this server alone counts it."""
        return self.mark(address) if self.mark and limit is TABLES_OPENED else ""

    def take_unsent_counts(self) -> Counter[str]:
        """Return the tables opened here since the last call, by mark, for the other servers."""
        unsent, self._unsent_tables = self._unsent_tables, Counter()
        return Counter({mark: number for mark, number in unsent.items() if number})

    def restore_counts(self, unsent: Counter[str]) -> None:
        """Undo `take_unsent_counts`: the counts could not be sent."""
        self._unsent_tables.update(unsent)
