"""All tables of a PostgreSQL database as rows, for copies."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import asyncpg

from qwixx.errors import QwixxError
from qwixx.server.copies import AT_ONCE, QUESTIONS, Rows
from qwixx.server.postgres import connecting, schema

_LOCK = "LOCK TABLE tables, ledger, secrets, days IN ACCESS EXCLUSIVE MODE NOWAIT"
"""While a copy is brought in, no server writes."""


class Database:
    """One transaction of a database, as a source or as a target."""

    def __init__(self, connection: Any) -> None:
        """Take a connection with a transaction."""
        self._connection = connection

    async def rows(self, kind: str) -> AsyncIterator[Rows]:
        """Give the rows of a kind in order."""
        found = await self._connection.cursor(QUESTIONS[kind].format("C"))
        while rows := await found.fetch(AT_ONCE):
            yield [tuple(row) for row in rows]

    async def add(self, kind: str, rows: Rows) -> None:
        """Write some rows."""
        await self._connection.copy_records_to_table(kind, records=rows)


@contextlib.asynccontextmanager
async def reading(url: str) -> AsyncIterator[Database]:
    """Read a database as it is in one moment, while servers go on."""
    async with _connected(url) as connection:
        if not await schema.version_of(connection):
            raise QwixxError(f"The database {connecting.where(url)} has no tables of qwixx.")
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            yield Database(connection)


@contextlib.asynccontextmanager
async def writing(url: str) -> AsyncIterator[Database]:
    """Write to a database that has no tables; all or nothing."""
    async with _connected(url) as connection:
        await schema.migrate(connection)
        async with connection.transaction():
            await connection.execute(_LOCK)
            if await connection.fetchval("SELECT EXISTS (SELECT FROM tables)"):
                raise QwixxError(f"The database {connecting.where(url)} has tables already; restore into an empty one.")
            yield Database(connection)


@contextlib.asynccontextmanager
async def _connected(url: str) -> AsyncIterator[Any]:
    """Open a connection that may take its time: copies of much take long."""
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
