"""
Rate limits and quotas by address, all connections of an address together.

They work with every ASGI server, also behind a proxy.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator

from qwixx.server.base.errors import Refused
from qwixx.server.base.settings import Settings
from qwixx.server.limits.fair_queue import FairQueue
from qwixx.server.limits.rate_limits import BucketsByAddress, SlidingWindow

_MAX_WAIT_SECONDS = 5.0
"""A request above the rate limit is delayed for this long at most; one that had to wait longer is refused."""
_DAY = 86400.0
_REQUEST_SECONDS = 0.0007
"""Time that a plain request takes in the event loop, without its response."""


class Quotas:
    """Everything that is counted by address."""

    def __init__(self, settings: Settings) -> None:
        """Take the limits from the settings."""
        self.fair_queue = FairQueue()
        """Messages and requests are processed in turn, address by address."""
        self.messages = BucketsByAddress(settings.address_rate, settings.address_burst)
        """The rate limit of messages on sockets."""
        self._requests = BucketsByAddress(settings.request_rate, settings.request_burst)
        self._tables = SlidingWindow(settings.tables_per_address)
        self.mark: Callable[[str], str] | None = None
        """Turns an address into its keyed hash, which servers of a cluster share; None if there is one server."""
        self._unsent_tables: Counter[str] = Counter()
        """By mark: tables that were opened here and not yet reported to the other servers."""
        self.exhausted: set[str] = set()
        """Marks of addresses that have opened as many tables as they may, on all servers together."""
        self._wrong_codes = SlidingWindow(settings.guesses_per_address)
        self._daily_games = SlidingWindow(settings.days_per_address, seconds=_DAY)
        self.replays = SlidingWindow(settings.replays_per_address, seconds=60.0)
        """The rate limit of replays, records and reviews."""
        self.prints = SlidingWindow(settings.prints_per_address, seconds=60.0)
        """The rate limit of files to print."""
        self._sockets: Counter[str] = Counter()
        self._max_sockets = settings.connections_per_address

    async def limit_request_rate(self, address: str, cost: float = 1.0) -> None:
        """Apply the rate limit to a request: delay it, or raise `Refused` if the delay would be too long."""
        bucket = self._requests.of(address)
        seconds = bucket.charge(cost)
        if seconds > _MAX_WAIT_SECONDS:
            bucket.refund(cost)
            raise Refused("too-fast")
        if seconds > 0:
            await asyncio.sleep(seconds)
        await self.fair_queue.wait_turn(address, cost * _REQUEST_SECONDS)

    def count_table(self, address: str) -> None:
        """Count a table that is being opened; raises `Refused` if there are too many."""
        if (self.mark and self.exhausted and self.mark(address) in self.exhausted) or not self._tables.take(address):
            raise Refused("too-fast")
        if self.mark:
            self._unsent_tables[self.mark(address)] += 1

    def release_table(self, address: str) -> None:
        """Undo `count_table`: the table could not be opened."""
        self._tables.refund(address)
        if self.mark:
            self._unsent_tables[self.mark(address)] -= 1

    def take_unsent_counts(self) -> Counter[str]:
        """Return the tables opened here since the last call, by mark, for the other servers."""
        unsent, self._unsent_tables = self._unsent_tables, Counter()
        return Counter({mark: number for mark, number in unsent.items() if number})

    def restore_counts(self, unsent: Counter[str]) -> None:
        """Undo `take_unsent_counts`: the counts could not be sent."""
        self._unsent_tables.update(unsent)

    def count_daily_game(self, address: str, variant: str) -> None:
        """Count a game of today's roll; raises `Refused` if there are too many: after a restart the dice are known."""
        if not self._daily_games.take(f"{address} {variant}"):
            raise Refused("too-fast")

    def release_daily_game(self, address: str, variant: str) -> None:
        """Undo `count_daily_game`: the game could not be started."""
        self._daily_games.refund(f"{address} {variant}")

    def may_try_code(self, address: str) -> bool:
        """Return whether an address may try another table code: not after too many wrong ones."""
        return not self._wrong_codes.is_full(address)

    def count_wrong_code(self, address: str) -> None:
        """Count a code that belongs to no table."""
        self._wrong_codes.take(address)

    @contextlib.contextmanager
    def holding_socket(self, address: str) -> Iterator[None]:
        """Count a socket while it is open; raises `Refused` if there are too many."""
        if self._sockets[address] >= self._max_sockets:
            raise Refused("full")
        self._sockets[address] += 1
        try:
            yield
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]
