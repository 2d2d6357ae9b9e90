"""The schema of the PostgreSQL database, and its migrations."""

from __future__ import annotations

from typing import Any

from qwixx.errors import QwixxError
from qwixx.server.base.errors import StoreFailed
from qwixx.server.store.interface import newer_version
from qwixx.server.store.postgres import connection as connecting

_STEPS = (
    """
    CREATE TABLE tables (code text COLLATE "C" PRIMARY KEY, stage text NOT NULL, touched double precision NOT NULL,
        room text NOT NULL);
    CREATE TABLE ledger (code text COLLATE "C" NOT NULL, step integer NOT NULL, line text NOT NULL,
        PRIMARY KEY (code, step));
    CREATE TABLE due (code text COLLATE "C" PRIMARY KEY, marked double precision NOT NULL);
    CREATE TABLE seen (one integer PRIMARY KEY CHECK (one = 1), at double precision NOT NULL);
    CREATE TABLE servers (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, address text NOT NULL,
        until timestamptz NOT NULL);
    CREATE TABLE leases (code text COLLATE "C" PRIMARY KEY, token bigint GENERATED ALWAYS AS IDENTITY,
        server bigint NOT NULL REFERENCES servers ON DELETE CASCADE);
    CREATE INDEX leases_of_server ON leases (server);
    """,
    """
    CREATE TABLE secrets (name text PRIMARY KEY, value text NOT NULL);
    CREATE TABLE days (date text NOT NULL, variant text NOT NULL, device text NOT NULL, code text NOT NULL,
        score integer, PRIMARY KEY (date, variant, device));
    """,
    """
    CREATE TABLE shared (kind text NOT NULL, name text NOT NULL, until double precision NOT NULL,
        PRIMARY KEY (kind, name));
    CREATE UNLOGGED TABLE opened (mark text NOT NULL, slot bigint NOT NULL, number integer NOT NULL,
        PRIMARY KEY (mark, slot));
    """,
    """
    CREATE TABLE begun (date text NOT NULL, mark text NOT NULL, number integer NOT NULL, PRIMARY KEY (date, mark));
    CREATE TABLE audit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL, action text NOT NULL,
        target text NOT NULL, address text NOT NULL, request text NOT NULL);
    """,
    """
    CREATE TABLE choices (date text NOT NULL, variant text NOT NULL, place text NOT NULL, action text NOT NULL,
        number integer NOT NULL, PRIMARY KEY (date, variant, place, action));
    CREATE TABLE losses (date text NOT NULL, variant text NOT NULL, code text NOT NULL, lost integer, luck integer,
        PRIMARY KEY (date, variant, code));
    """,
)
"""The migrations, each from one version to the next, the first from nothing. A released one never changes."""
VERSION = len(_STEPS)
_LOCK = 0x71776978
"""The key of the advisory lock under which one process migrates the database while others wait."""
_FORM = "CREATE TABLE IF NOT EXISTS form (one integer PRIMARY KEY CHECK (one = 1), version integer NOT NULL)"
_SAVE = "INSERT INTO form VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET version = excluded.version"


async def migrate(connection: Any) -> None:
    """Run the missing migrations, all or none. Raises `StoreFailed` if the database is newer than this program."""
    if connection.get_server_version().major < connecting.OLDEST:
        raise StoreFailed(
            f"it is PostgreSQL {connection.get_server_version().major}, and {connecting.OLDEST} is needed"
        )
    if await version_of(connection) == VERSION:
        return
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
        await connection.execute(_FORM)
        for step in _STEPS[await version_of(connection) :]:  # read again: another process may have been first
            await connection.execute(step)
        await connection.execute(_SAVE, VERSION)


async def version_of(connection: Any) -> int:
    """Return the version of a database, 0 if it is empty. Raises `StoreFailed` if it is too new."""
    if await connection.fetchval("SELECT to_regclass('form')") is None:
        return 0
    version = int(await connection.fetchval("SELECT version FROM form") or 0)
    if version > VERSION:
        raise StoreFailed(newer_version(version, VERSION))
    return version


async def prepare(url: str) -> None:
    """Check and migrate a database. Raises `QwixxError` if it cannot be used."""
    try:
        connection = await connecting.connect(url, "full")
        try:
            await migrate(connection)
        finally:
            await connection.close(timeout=connecting.CONNECT_SECONDS)
    except QwixxError:
        raise
    except Exception as error:
        raise connecting.cannot_be_used(url, error) from None
