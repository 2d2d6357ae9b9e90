"""
Copies of all tables: from any store into a file, and from such a file into a store that has none yet.

A copy is a database file like the server's own, so that a server can use it as it is. What was written is read again
and compared with what was read, before it gets its name or is committed: a copy is whole and right, or not there.
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

import msgspec

from qwixx.errors import QwixxError
from qwixx.server import database
from qwixx.server.lock import FileLock
from qwixx.server.room import Room
from qwixx.server.settings import Settings

AT_ONCE = 2000
"""Rows that are read and written together."""
Rows = list[tuple[Any, ...]]
QUESTIONS = {
    "tables": 'SELECT code, stage, touched, room FROM tables ORDER BY code COLLATE "{0}"',
    "ledger": 'SELECT code, step, line FROM ledger ORDER BY code COLLATE "{0}", step',
    "secrets": 'SELECT name, value FROM secrets ORDER BY name COLLATE "{0}"',
    "days": "SELECT date, variant, device, code, score FROM days"
    ' ORDER BY date COLLATE "{0}", variant COLLATE "{0}", device COLLATE "{0}"',
}
"""What a copy consists of. Marks of old tables, and whose a table is, belong to the place and not to the games."""


@dataclass
class Contents:
    """What was read or written: how much, and a sum over every byte of it."""

    tables: int = 0
    lines: int = 0
    _sum: Any = field(default_factory=hashlib.sha256)

    def add(self, kind: str, rows: Rows) -> None:
        """Take in some rows."""
        if kind == "tables":
            self.tables += len(rows)
        elif kind == "ledger":
            self.lines += len(rows)
        for row in rows:
            self._sum.update(repr(tuple(row)).encode())

    @property
    def digest(self) -> str:
        """The sum, as text."""
        return str(self._sum.hexdigest())


class Source(Protocol):
    """Where rows come from, all of one moment."""

    def rows(self, kind: str) -> AsyncIterator[Rows]:
        """Give the rows of a kind in order, some at a time."""


class Target(Protocol):
    """Where rows go, and can be read again."""

    async def add(self, kind: str, rows: Rows) -> None:
        """Write some rows of a kind."""

    def rows(self, kind: str) -> AsyncIterator[Rows]:
        """Give what was written."""


class File:
    """A database file, as a source or as a target."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take an open file."""
        self._connection = connection

    async def rows(self, kind: str) -> AsyncIterator[Rows]:
        """Give the rows of a kind in order; an older file may have none of it."""
        if not self._connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (kind,)).fetchone():
            return
        found = self._connection.execute(QUESTIONS[kind].format("BINARY"))
        while rows := found.fetchmany(AT_ONCE):
            yield rows

    async def add(self, kind: str, rows: Rows) -> None:
        """Write some rows."""
        places = ", ".join("?" * len(rows[0]))
        self._connection.executemany(f"INSERT INTO {kind} VALUES ({places})", rows)  # noqa: S608 - our own words


async def copy(source: Source, target: Target) -> Contents:
    """Copy everything, and read it again. Raises `QwixxError` if that is not the same, or makes no sense."""
    read, written = Contents(), Contents()
    for kind in QUESTIONS:
        async for rows in source.rows(kind):
            read.add(kind, rows)
            if kind == "tables":
                _check(rows)
            await target.add(kind, rows)
    for kind in QUESTIONS:
        async for rows in target.rows(kind):
            written.add(kind, rows)
    if read.digest != written.digest:
        raise QwixxError("The copy is not what was read; the disk may be damaged. Nothing was kept of it.")
    return written


def _check(rows: Rows) -> None:
    for code, _, _, room in rows:
        try:
            msgspec.json.decode(room, type=Room)
        except msgspec.MsgspecError as error:
            raise QwixxError(f"Table {code} cannot be read ({error}), so nothing was copied.") from None


async def backup(settings: Settings, path: Path) -> Contents:
    """Write a copy of all tables to a new file, also while servers run. Raises `QwixxError` if that cannot be."""
    if path.exists():
        raise QwixxError(f"The file {str(path)!r} exists already; nothing was written.")
    if settings.is_postgres:
        copies = _of_postgres()
        async with copies.reading(settings.db) as source:
            return await _to_file(source, path)
    with _opened(settings.database) as source:
        return await _to_file(source, path)


async def restore(settings: Settings, path: Path) -> Contents:
    """Bring all tables of a copy into a database that has none. Raises `QwixxError` if that cannot be."""
    with _opened(path) as source:
        if settings.is_postgres:
            async with _of_postgres().writing(settings.db) as target:
                return await copy(source, target)
        home = settings.database
        with contextlib.closing(FileLock(home)):
            if home.exists():
                raise QwixxError(f"The database {str(home)!r} exists already; move it away first.")
            return await _to_file(source, home)


async def _to_file(source: Source, path: Path) -> Contents:
    """Write a file under another name, and give it its own only when everything in it is right and on disk."""
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
            connection.execute("PRAGMA journal_mode=DELETE")  # one file is all there is
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
def _opened(path: Path) -> Any:
    """Open a file for reading, as it is in one moment."""
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


def _of_postgres() -> Any:
    """Load what copies from and to PostgreSQL; only those who use it need asyncpg."""
    try:
        from qwixx.server.postgres import copying  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise QwixxError(
            f"For PostgreSQL the package {error.name} is missing; install it by: pip install 'qwixx[postgres]'"
        ) from None
    return copying
