"""
Backup and restore: all tables of a store into a file, and from such a file into an empty store.

A backup is a database file like that of a server, so that a server can use it directly. The written rows are read again
and compared before the file gets its name, or before the commit: a backup is complete and correct, or not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from qwixx.errors import QwixxError
from qwixx.server.base.settings import Settings
from qwixx.server.store.sqlite import file as database
from qwixx.server.store.sqlite.file_lock import FileLock

CHUNK_ROWS = 2000
"""Rows that are read and written together."""
Rows = list[tuple[Any, ...]]
QUERIES = {
    "tables": 'SELECT code, stage, touched, room FROM tables ORDER BY code COLLATE "{0}"',
    "ledger": 'SELECT code, step, line FROM ledger ORDER BY code COLLATE "{0}", step',
    "secrets": 'SELECT name, value FROM secrets ORDER BY name COLLATE "{0}"',
    "days": "SELECT date, variant, device, code, score FROM days"
    ' ORDER BY date COLLATE "{0}", variant COLLATE "{0}", device COLLATE "{0}"',
    "choices": "SELECT date, variant, place, action, number FROM choices"
    ' ORDER BY date COLLATE "{0}", variant COLLATE "{0}", place COLLATE "{0}", action COLLATE "{0}"',
    "losses": "SELECT date, variant, code, lost, luck FROM losses"
    ' ORDER BY date COLLATE "{0}", variant COLLATE "{0}", code COLLATE "{0}"',
}
"""The content of a backup, by database table. Deletion marks and leases belong to a server, not to the games."""
COUNT = "SELECT count(*) FROM tables"


@dataclass
class Contents:
    """Counts and a checksum of the rows that were read or written."""

    tables: int = 0
    lines: int = 0
    _hash: Any = field(default_factory=hashlib.sha256)

    def add(self, kind: str, rows: Rows) -> None:
        """Add some rows."""
        if kind == "tables":
            self.tables += len(rows)
        elif kind == "ledger":
            self.lines += len(rows)
        for row in rows:
            self._hash.update(repr(tuple(row)).encode())

    @property
    def digest(self) -> str:
        """The checksum as text."""
        return str(self._hash.hexdigest())


class Source(Protocol):
    """A source of rows, all from one snapshot."""

    async def count(self) -> int:
        """Return the number of tables."""

    def rows(self, kind: str) -> AsyncIterator[Rows]:
        """Yield the rows of a database table in order, in chunks."""


class Target(Protocol):
    """A target for rows, which can be read again."""

    async def add(self, kind: str, rows: Rows) -> None:
        """Write some rows of a database table."""

    def rows(self, kind: str) -> AsyncIterator[Rows]:
        """Yield the rows that were written."""


class File:
    """A database file, as a source or as a target."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Use an open file."""
        self._connection = connection

    async def count(self) -> int:
        """Return the number of tables."""
        return int(self._connection.execute(COUNT).fetchone()[0])

    async def rows(self, kind: str) -> AsyncIterator[Rows]:
        """Yield the rows of a database table in order; an older file may not have this table."""
        if not self._connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (kind,)).fetchone():
            return
        found = self._connection.execute(QUERIES[kind].format("BINARY"))
        while rows := found.fetchmany(CHUNK_ROWS):
            yield rows

    async def add(self, kind: str, rows: Rows) -> None:
        """Write some rows."""
        places = ", ".join("?" * len(rows[0]))
        self._connection.executemany(f"INSERT INTO {kind} VALUES ({places})", rows)  # noqa: S608 - our own text


@contextlib.asynccontextmanager
async def open_source(settings: Settings) -> AsyncIterator[Source]:
    """Open a database for reading, as one snapshot, also while servers run. Raises `QwixxError`."""
    if settings.is_postgres:
        async with _postgres_rows().reading(settings.db) as source:
            yield source
    else:
        with _open_read_only(settings.database) as source:
            yield source


async def copy(source: Source, target: Target) -> Contents:
    """Copy all rows and read them again, damaged tables included. Raises `QwixxError` if they differ."""
    read, written = Contents(), Contents()
    for kind in QUERIES:
        async for rows in source.rows(kind):
            read.add(kind, rows)
            await target.add(kind, rows)
    for kind in QUERIES:
        async for rows in target.rows(kind):
            written.add(kind, rows)
    if read.digest != written.digest:
        raise QwixxError("The copy is not what was read; the disk may be damaged. Nothing was kept of it.")
    return written


async def backup(settings: Settings, path: Path) -> Contents:
    """Write a backup of all tables to a new file, also while servers run. Raises `QwixxError` if it fails."""
    if path.exists():
        raise QwixxError(f"The file {str(path)!r} exists already; nothing was written.")
    async with open_source(settings) as source:
        return await _to_file(source, path)


async def restore(settings: Settings, path: Path) -> Contents:
    """Restore all tables of a backup into an empty database. Raises `QwixxError` if it fails."""
    with _open_read_only(path) as source:
        if settings.is_postgres:
            async with _postgres_rows().writing(settings.db) as target:
                return await copy(source, target)
        home = settings.database
        with contextlib.closing(FileLock(home)):
            if home.exists():
                raise QwixxError(f"The database {str(home)!r} exists already; move it away first.")
            return await _to_file(source, home)


async def _to_file(source: Source, path: Path) -> Contents:
    """Write under a temporary name; rename the file when it is verified and on disk."""
    fresh = Path(f"{path}.new")
    try:
        fresh.unlink(missing_ok=True)
        os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with contextlib.closing(database.connect(fresh, "full")) as connection:
            connection.execute("BEGIN")
            written = await copy(source, File(connection))
            connection.execute("COMMIT")
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise QwixxError(f"The copy is damaged ({found}); the disk may be. Nothing was kept of it.")
            connection.execute("PRAGMA journal_mode=DELETE")  # a backup is one file, without a WAL
        with fresh.open("rb") as file:
            os.fsync(file.fileno())
        fresh.replace(path)
    except (sqlite3.Error, OSError) as error:
        raise QwixxError(f"The copy {str(path)!r} cannot be written: {error}.") from None
    finally:
        for beside in ("", "-wal", "-shm", "-journal"):
            Path(f"{fresh}{beside}").unlink(missing_ok=True)
    return written


@contextlib.contextmanager
def _open_read_only(path: Path) -> Any:
    """Open a file for reading, as one snapshot."""
    if not path.is_file():
        raise QwixxError(f"There is no file {str(path)!r}.")
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=10)
        with contextlib.closing(connection):
            if not database.version_of(connection):
                raise sqlite3.DatabaseError("it has no tables of qwixx")
            connection.execute("BEGIN")
            yield File(connection)
    except sqlite3.Error as error:
        raise QwixxError(f"The database {str(path)!r} cannot be read: {error}.") from None


def _postgres_rows() -> Any:
    """Import the module for PostgreSQL; only operators who use it need asyncpg."""
    try:
        from qwixx.server.store.postgres import backup_rows  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise QwixxError(
            f"For PostgreSQL the package {error.name} is missing; install it by: pip install 'qwixx[postgres]'"
        ) from None
    return backup_rows
