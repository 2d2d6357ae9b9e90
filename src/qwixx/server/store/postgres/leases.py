"""
Leases: a row in the database says which process owns a table, with a fencing token that every write checks.

A process has one row in `servers`, which it renews as long as it lives, and one row in `leases` for each table that it
has in memory. Another process can take over a table only by deleting the row of the owner in `servers`. The database
allows that only after the row has expired, by the clock of the database. All leases of the owner are deleted with it.

Two locks make sure that only the owner writes to a table. A write first takes a shared lock on the row of its process
and checks its leases, or fails. Deleting the row needs an exclusive lock: it waits for running writes, and later writes
find no row. A process also deletes a lease itself when it releases a table; the writing connection does that, so it
happens after all earlier writes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import asyncpg

from qwixx.server.base.background_tasks import BackgroundTask
from qwixx.server.base.errors import StoreFailed
from qwixx.server.store.interface import OwnedElsewhere
from qwixx.server.store.postgres import connection as connecting

log = logging.getLogger("qwixx.leases")
LEASE_SECONDS = 2.2
"""How long a process that does not renew its row keeps its tables."""
_RENEW_SECONDS = 0.4
_MARGIN = 0.2
"""A process stops to rely on its leases this much earlier: the database may have started to count before it."""
_RENEW_TIMEOUT = 2.0
"""Seconds to wait for the database when the row is renewed."""
_REGISTER = (
    "INSERT INTO servers (address, until) VALUES ($1, clock_timestamp() + $2 * interval '1 second') RETURNING id"
)
_RENEW = "UPDATE servers SET until = clock_timestamp() + $2 * interval '1 second' WHERE id = $1 RETURNING id"
_UNREGISTER = "DELETE FROM servers WHERE id = $1"
_ACQUIRE = """INSERT INTO leases (code, server) SELECT $1, id FROM servers WHERE id = $2
    ON CONFLICT (code) DO NOTHING RETURNING token"""
_OWNER = """SELECT servers.id, address, until < clock_timestamp() AS is_over
    FROM leases JOIN servers ON servers.id = leases.server WHERE code = $1"""
_ACQUIRE_AGAIN = "UPDATE leases SET token = DEFAULT WHERE code = $1 AND server = $2 RETURNING token"
"""For a lease that this process could not delete when it released the table."""
_DELETE_EXPIRED = "DELETE FROM servers WHERE id = $1 AND until < clock_timestamp()"
HELD = """WITH me AS MATERIALIZED (SELECT id FROM servers WHERE id = $1 FOR KEY SHARE), held AS (
    SELECT count(*) AS number FROM unnest($2::text[], $3::bigint[]) AS wanted (code, token)
    JOIN leases USING (code, token) JOIN me ON me.id = leases.server)"""
"""The start of every write: `held` counts the needed leases that this process has."""


class Leases:
    """The leases of this process."""

    def __init__(self, url: str, address: str) -> None:
        """Use the address at which other processes reach this one."""
        self._url, self._address = url, address
        self.server = 0
        """The id of the row of this process in `servers`; 0: it has none."""
        self._tokens: dict[str, int] = {}
        self._stale: list[int] = []
        """Ids of earlier rows of this process, to be deleted."""
        self._connection: Any = None
        self._using = asyncio.Lock()
        self._until = 0.0
        self._lost: Callable[[], object] = _ignore
        self.renewing = BackgroundTask("leases", self._keep, lambda: _RENEW_SECONDS)

    async def start(self, lost: Callable[[], object]) -> None:
        """Register this process; `lost` is called when it has lost its tables."""
        self._lost = lost
        await self.renew()
        self.renewing.start()

    @property
    def is_current(self) -> bool:
        """Whether no other process can have taken over a table, by a clock that also runs during sleep."""
        return _now() < self._until

    def token(self, code: str) -> int | None:
        """Return the fencing token for writes to a table; None if this process has no lease."""
        return self._tokens.get(code)

    async def acquire(self, connection: Any, code: str) -> None:
        """Get the lease of a table. Raises `OwnedElsewhere` if a live process has it, `StoreFailed` if it fails now."""
        if code in self._tokens:
            return
        if not self.server:
            await self.renew()
        server = self.server
        token = await connection.fetchval(_ACQUIRE, code, server)
        if token is None:
            owner = await connection.fetchrow(_OWNER, code)
            if owner is not None and not owner["is_over"] and owner["id"] != server:
                raise OwnedElsewhere(owner["address"])
            if owner is not None and owner["is_over"] and owner["id"] != server:
                log.warning("another process is silent, its tables are free", extra={"server": owner["id"]})
                await connection.execute(_DELETE_EXPIRED, owner["id"])
            is_own = owner is not None and owner["id"] == server
            token = await connection.fetchval(_ACQUIRE_AGAIN if is_own else _ACQUIRE, code, server)
        if token is None or server != self.server:
            raise StoreFailed("a table could not be taken; it may be free in a moment")
        self._tokens[code] = token

    def forget(self, code: str) -> int | None:
        """Stop using a table; return the token of the lease that has to be deleted, if there is one."""
        return self._tokens.pop(code, None)

    def drop_all(self) -> None:
        """Give up all leases: other processes may own the tables. The row will be deleted, so late writes fail."""
        server, self.server = self.server, 0
        self._until = 0.0
        self._tokens.clear()
        if server:
            log.warning("this process has lost its tables", extra={"server": server})
            self._stale.append(server)
            self._lost()

    async def close(self) -> None:
        """Release all tables."""
        self.renewing.stop()
        server, self.server, self._until = self.server, 0, 0.0
        with contextlib.suppress(Exception):  # the rows expire
            async with self._exclusive() as connection:
                for each in (*self._stale, server):
                    await connection.execute(_UNREGISTER, each)
        if self._connection is not None:
            self._connection.terminate()

    async def _keep(self) -> None:
        """Renew in the background. A database that fails over is a sentence in the log, not a traceback."""
        try:
            await self.renew()
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:  # a timeout is an OSError
            raise StoreFailed(connecting.reason(error)) from None

    async def renew(self) -> None:
        """Renew the row of this process; register again if another process has deleted it."""
        async with self._exclusive() as connection:
            begin = _now()
            if self.server:
                server = self.server
                if await connection.fetchval(_RENEW, server, LEASE_SECONDS) is None and server == self.server:
                    self.drop_all()
            if not self.server:
                while self._stale:  # before new leases: this waits for writes that still run
                    await connection.execute(_UNREGISTER, self._stale[0])
                    self._stale.pop(0)
                begin = _now()
                self.server = int(await connection.fetchval(_REGISTER, self._address, LEASE_SECONDS))
        if self.server:
            self._until = begin + LEASE_SECONDS - _MARGIN

    @contextlib.asynccontextmanager
    async def _exclusive(self) -> AsyncIterator[Any]:
        """Lock the connection for leases, with a timeout. A broken connection is replaced by the next call."""
        async with asyncio.timeout(_RENEW_TIMEOUT), self._using:
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
    """Return the time of a monotonic clock, if possible one that also runs while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def _ignore() -> None:
    """Do nothing."""
