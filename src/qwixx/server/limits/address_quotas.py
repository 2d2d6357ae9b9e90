"""What each address may do, all its connections together, on any ASGI server and behind a proxy too."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator

from qwixx.server.limits import Buckets, Window
from qwixx.server.room import Refused
from qwixx.server.settings import Settings
from qwixx.server.turns import Turns

_LONGEST_WAIT = 5.0
"""Seconds that a request waits for its turn at most; one that had to wait longer is refused."""


_DAY = 86400.0
_REQUEST_SECONDS = 0.0007
"""What it takes of the loop's time to carry out a plain request, without its answer."""


class Quotas:
    """Counts by address."""

    def __init__(self, settings: Settings) -> None:
        """Allow what the settings say."""
        self.turns = Turns()
        """Messages and requests are worked off in turn, address by address."""
        self.messages = Buckets(settings.address_rate, settings.address_burst)
        self._requests = Buckets(settings.request_rate, settings.request_burst)
        self._tables = Window(settings.tables_per_address)
        self.mark: Callable[[str], str] | None = None
        """What stands for an address among several servers; None: there is one."""
        self._opened: Counter[str] = Counter()
        """By mark: tables that were opened here, of which the others have not heard."""
        self.exhausted: set[str] = set()
        """Marks of those who have opened as many tables as they may, at all servers together."""
        self._misses = Window(settings.guesses_per_address)
        self._days = Window(settings.days_per_address, seconds=_DAY)
        self._sockets: Counter[str] = Counter()
        self._most_sockets = settings.connections_per_address

    async def wait_turn(self, address: str, cost: float = 1.0) -> None:
        """Let a request wait for its turn, so that many at once are slowed down; far too many are refused."""
        bucket = self._requests.of(address)
        seconds = bucket.book(cost)
        if seconds > _LONGEST_WAIT:
            bucket.give_back(cost)
            raise Refused("too-fast")
        if seconds > 0:
            await asyncio.sleep(seconds)
        await self.turns.come(address, cost * _REQUEST_SECONDS)

    def count_table(self, address: str) -> None:
        """Count a table that is being opened; one too many is refused."""
        if (self.mark and self.exhausted and self.mark(address) in self.exhausted) or not self._tables.take(address):
            raise Refused("too-fast")
        if self.mark:
            self._opened[self.mark(address)] += 1

    def uncount_table(self, address: str) -> None:
        """Forget a table that could not be opened."""
        self._tables.give_back(address)
        if self.mark:
            self._opened[self.mark(address)] -= 1

    def take_opened(self) -> Counter[str]:
        """Give what the other servers should hear of: tables that were opened here since this was last asked."""
        opened, self._opened = self._opened, Counter()
        return Counter({mark: number for mark, number in opened.items() if number})

    def put_back(self, opened: Counter[str]) -> None:
        """Keep for later what could not be told."""
        self._opened.update(opened)

    def count_day(self, address: str, variant: str) -> None:
        """Count a game of today that is being begun; one too many is refused: who begins anew knows the dice."""
        if not self._days.take(f"{address} {variant}"):
            raise Refused("too-fast")

    def uncount_day(self, address: str, variant: str) -> None:
        """Forget one that could not be begun."""
        self._days.give_back(f"{address} {variant}")

    def may_guess(self, address: str) -> bool:
        """Tell whether an address may name further codes: not if too many of them led nowhere."""
        return not self._misses.is_full(address)

    def missed(self, address: str) -> None:
        """Note that a code led nowhere."""
        self._misses.take(address)

    @contextlib.contextmanager
    def holding_socket(self, address: str) -> Iterator[None]:
        """Count a socket while it is open; one too many is refused."""
        if self._sockets[address] >= self._most_sockets:
            raise Refused("full")
        self._sockets[address] += 1
        try:
            yield
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]
