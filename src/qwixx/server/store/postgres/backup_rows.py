"""All rows of a PostgreSQL database, for backup and restore."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import asyncpg

from qwixx.errors import QwixxError
from qwixx.server.store.backup import CHUNK_ROWS, COUNT, QUERIES, Rows
from qwixx.server.store.postgres import connection as connecting
from qwixx.server.store.postgres import schema

_LOCK = "LOCK TABLE tables, ledger, secrets, days, choices, losses IN ACCESS EXCLUSIVE MODE NOWAIT"
"""During a restore no server writes."""


class Database:
    """One transaction of a database, as a source or as a target."""

    def __init__(self, connection: Any) -> None:
        """Use a connection inside a transaction."""
        self._connection = connection

    async def count(self) -> int:
        """Return the number of tables."""
        return int(await self._connection.fetchval(COUNT))

    async def rows(self, kind: str) -> AsyncIterator[Rows]:
        """Yield the rows of a database table in order; an older database may not have this table."""
        if await self._connection.fetchval("SELECT to_regclass($1)", kind) is None:
            return
        found = await self._connection.cursor(QUERIES[kind].format("C"))
        while rows := await found.fetch(CHUNK_ROWS):
            yield [tuple(row) for row in rows]

    async def add(self, kind: str, rows: Rows) -> None:
        """Write some rows."""
        await self._connection.copy_records_to_table(kind, records=rows)


@contextlib.asynccontextmanager
async def reading(url: str) -> AsyncIterator[Database]:
    """Read one snapshot of a database, while servers continue."""
    async with _connected(url) as connection:
        if not await schema.version_of(connection):
            raise QwixxError(f"The database {connecting.where(url)} has no tables of qwixx.")
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            yield Database(connection)


@contextlib.asynccontextmanager
async def writing(url: str) -> AsyncIterator[Database]:
    """Write to a database without rooms; all or nothing."""
    async with _connected(url) as connection:
        await schema.migrate(connection)
        async with connection.transaction():
            await connection.execute(_LOCK)
            if await connection.fetchval("SELECT EXISTS (SELECT FROM tables)"):
                raise QwixxError(f"The database {connecting.where(url)} has tables already; restore into an empty one.")
            yield Database(connection)


@contextlib.asynccontextmanager
async def _connected(url: str) -> AsyncIterator[Any]:
    """Open a connection without a statement timeout: a large backup takes long."""
    try:
        connection = await asyncpg.connect(url, timeout=connecting.CONNECT_SECONDS)
        try:
            yield connection
        finally:
            connection.terminate()
    except QwixxError:
        raise
    except Exception as error:
        raise connecting.cannot_be_used(url, error) from None
