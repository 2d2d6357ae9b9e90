"""
Whose a table is: a row of the database, and a number that every write has to show.

A process has one row in `servers`, which it renews as long as it lives, and one row in `leases` for each table that it
has in memory. A table is taken from a process only by deleting that process's own row, which the database allows only
after its time has run out, by the database's clock. All leases of that process go with its row.

That nobody writes to a table that somebody else has taken follows from two locks. A write begins by sharing the lock of
its process's row and finds its lease there, or fails. Deleting the row needs that lock alone: so it waits for writes
that have begun, and what begins later finds no row. A lease also goes when its own process gives it back, which is done
on the connection that writes, one after the other.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import asyncpg

from qwixx.server.background import Background
from qwixx.server.postgres import connecting
from qwixx.server.store import Elsewhere, StoreFailed

log = logging.getLogger("qwixx.leases")
LEASE_SECONDS = 2.2
"""How long a process that says nothing keeps its tables."""
_RENEW_SECONDS = 0.4
_MARGIN = 0.2
"""So much earlier a process does not rely on its lease any more: the database may have begun to count before us."""
_PATIENCE = 2.0
"""Seconds to wait for the database when a lease is renewed."""
_BEGIN = "INSERT INTO servers (address, until) VALUES ($1, clock_timestamp() + $2 * interval '1 second') RETURNING id"
_RENEW = "UPDATE servers SET until = clock_timestamp() + $2 * interval '1 second' WHERE id = $1 RETURNING id"
_END = "DELETE FROM servers WHERE id = $1"
_TAKE = """INSERT INTO leases (code, server) SELECT $1, id FROM servers WHERE id = $2
    ON CONFLICT (code) DO NOTHING RETURNING token"""
_WHO = """SELECT servers.id, address, until < clock_timestamp() AS is_over
    FROM leases JOIN servers ON servers.id = leases.server WHERE code = $1"""
_TAKE_AGAIN = "UPDATE leases SET token = DEFAULT WHERE code = $1 AND server = $2 RETURNING token"
"""For a lease that could not be given back when this process let go of its table."""
_BURY = "DELETE FROM servers WHERE id = $1 AND until < clock_timestamp()"
HELD = """WITH me AS MATERIALIZED (SELECT id FROM servers WHERE id = $1 FOR KEY SHARE), held AS (
    SELECT count(*) AS number FROM unnest($2::text[], $3::bigint[]) AS wanted (code, token)
    JOIN leases USING (code, token) JOIN me ON me.id = leases.server)"""
"""The beginning of every write: `held` counts the leases that this process has of those it needs."""


class Leases:
    """The tables that this process has taken."""

    def __init__(self, url: str, address: str) -> None:
        """Belong to the process that others reach at this address."""
        self._url, self._address = url, address
        self.server = 0
        """The number of this process's row; 0: it has none."""
        self._tokens: dict[str, int] = {}
        self._stale: list[int] = []
        """Rows of this process that it does not use any more."""
        self._connection: Any = None
        self._using = asyncio.Lock()
        self._until = 0.0
        self._lost: Callable[[], object] = _nothing
        self.renewing = Background("leases", self.renew, lambda: _RENEW_SECONDS)

    async def start(self, lost: Callable[[], object]) -> None:
        """Register this process; `lost` is called when its tables are not its own any more."""
        self._lost = lost
        await self.renew()
        self.renewing.start()

    @property
    def is_current(self) -> bool:
        """Whether nobody can have taken a table from this process, by a clock that also counts while it sleeps."""
        return _now() < self._until

    def token(self, code: str) -> int | None:
        """Give the number that a write to a table has to show; None if it was not taken."""
        return self._tokens.get(code)

    async def take(self, connection: Any, code: str) -> None:
        """Take a table. Raises `Elsewhere` if a process that lives has it, `StoreFailed` if it cannot be had now."""
        if code in self._tokens:
            return
        if not self.server:
            await self.renew()
        server = self.server
        token = await connection.fetchval(_TAKE, code, server)
        if token is None:
            owner = await connection.fetchrow(_WHO, code)
            if owner is not None and not owner["is_over"] and owner["id"] != server:
                raise Elsewhere(owner["address"])
            if owner is not None and owner["is_over"] and owner["id"] != server:
                log.warning("another process is silent, its tables are free", extra={"server": owner["id"]})
                await connection.execute(_BURY, owner["id"])
            is_mine = owner is not None and owner["id"] == server
            token = await connection.fetchval(_TAKE_AGAIN if is_mine else _TAKE, code, server)
        if token is None or server != self.server:
            raise StoreFailed("a table could not be taken; it may be free in a moment")
        self._tokens[code] = token

    def forget(self, code: str) -> int | None:
        """Stop using a table; gives the number of the lease that has to be deleted, if there is one."""
        return self._tokens.pop(code, None)

    def lose(self) -> None:
        """Know that all tables may be somebody else's. The row goes too: what is still on its way cannot land."""
        server, self.server = self.server, 0
        self._until = 0.0
        self._tokens.clear()
        if server:
            log.warning("this process has lost its tables", extra={"server": server})
            self._stale.append(server)
            self._lost()

    async def close(self) -> None:
        """Leave all tables to others."""
        self.renewing.stop()
        server, self.server, self._until = self.server, 0, 0.0
        with contextlib.suppress(Exception):  # the rows run out by themselves
            async with self._asking() as connection:
                for each in (*self._stale, server):
                    await connection.execute(_END, each)
        if self._connection is not None:
            self._connection.terminate()

    async def renew(self) -> None:
        """Say that this process lives; register it anew if somebody thought otherwise."""
        async with self._asking() as connection:
            begin = _now()
            if self.server:
                server = self.server
                if await connection.fetchval(_RENEW, server, LEASE_SECONDS) is None and server == self.server:
                    self.lose()
            if not self.server:
                while self._stale:  # before anything is taken anew: this waits for what is still being written
                    await connection.execute(_END, self._stale[0])
                    self._stale.pop(0)
                begin = _now()
                self.server = int(await connection.fetchval(_BEGIN, self._address, LEASE_SECONDS))
        if self.server:
            self._until = begin + LEASE_SECONDS - _MARGIN

    @contextlib.asynccontextmanager
    async def _asking(self) -> AsyncIterator[Any]:
        """Give the one connection for leases, for a bounded time; one that fails is replaced by the next who asks."""
        async with asyncio.timeout(_PATIENCE), self._using:
            if self._connection is None or self._connection.is_closed():
                self._connection = await connecting.connect(self._url, "full")
            try:
                yield self._connection
            except asyncpg.PostgresError:
                raise  # the statement failed, not the connection
            except BaseException:
                self._connection.terminate()
                raise


def _now() -> float:
    """Give the time of a clock that nobody sets, and that goes on while the machine sleeps if there is such a one."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def _nothing() -> None:
    """Tell nobody."""
