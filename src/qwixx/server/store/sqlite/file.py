"""The database file: created completely or not at all, readable only by its owner, checked and migrated."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from qwixx.errors import QwixxError
from qwixx.server.store.interface import newer_version

_STEPS = (
    """
    CREATE TABLE IF NOT EXISTS tables (code TEXT PRIMARY KEY, stage TEXT NOT NULL, touched REAL NOT NULL,
        room TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS ledger (code TEXT NOT NULL, step INTEGER NOT NULL, line TEXT NOT NULL,
        PRIMARY KEY (code, step)) WITHOUT ROWID;
    """,
    """
    CREATE TABLE IF NOT EXISTS due (code TEXT PRIMARY KEY, marked REAL NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS seen (one INTEGER PRIMARY KEY CHECK (one = 1), at REAL NOT NULL);
    """,
    """
    CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS days (date TEXT NOT NULL, variant TEXT NOT NULL, device TEXT NOT NULL,
        code TEXT NOT NULL, score INTEGER, PRIMARY KEY (date, variant, device));
    """,
    """
    CREATE TABLE IF NOT EXISTS begun (date TEXT NOT NULL, mark TEXT NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY (date, mark)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS audit (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, action TEXT NOT NULL,
        target TEXT NOT NULL, address TEXT NOT NULL, request TEXT NOT NULL);
    """,
    """
    CREATE TABLE IF NOT EXISTS choices (date TEXT NOT NULL, variant TEXT NOT NULL, place TEXT NOT NULL,
        action TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (date, variant, place, action)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS losses (date TEXT NOT NULL, variant TEXT NOT NULL, code TEXT NOT NULL,
        lost INTEGER, luck INTEGER, PRIMARY KEY (date, variant, code)) WITHOUT ROWID;
    """,
)
"""
The migrations, each from one version to the next, the first from nothing. A released one never changes.

Later files of version 1 have the tables of version 2 already, so these are created only where they are missing.
"""
VERSION = len(_STEPS)
_LOCK_TIMEOUT = 10
"""Seconds to wait for another process that has locked the file."""
_OWNER_ONLY = 0o600


def prepare(path: Path) -> None:
    """Create the file if there is none, and make it private. Raises `QwixxError` if it is damaged."""
    beside = Path(f"{path}-wal")
    if path.exists():
        if path.stat().st_size == 0:
            raise QwixxError(
                f"The database {str(path)!r} is a file of no bytes, as a damaged disk leaves it. "
                "Restore a backup, or delete it to start again."
            )
    elif beside.exists() and beside.stat().st_size:
        raise QwixxError(
            f"The database {str(path)!r} is missing, but what was last written to it is in {beside.name!r}. "
            "Put the file back, or delete both to start again."
        )
    else:
        _create(path)
    for each in (path, beside, Path(f"{path}-shm")):
        if os.name == "posix" and each.exists() and each.stat().st_mode & 0o077:
            each.chmod(_OWNER_ONLY)


def _create(path: Path) -> None:
    """Create an empty database under a temporary name first: a crash leaves no partial file."""
    temporary = Path(f"{path}.new")
    temporary.unlink(missing_ok=True)
    os.close(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, _OWNER_ONLY))
    with contextlib.closing(connect(temporary, "full")):
        pass  # connecting has run the migrations
    temporary.replace(path)


def connect(path: Path, sync: str) -> sqlite3.Connection:
    """Open and migrate the file. Raises `sqlite3.Error` if it is not a database, or too new."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=_LOCK_TIMEOUT)
    try:
        version = version_of(connection)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={'FULL' if sync == 'full' else 'NORMAL'}")
        if version != VERSION:  # with a full disk, a current file can still be read
            _migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of a file, 0 if it is empty. Raises `sqlite3.Error` if it is too new."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise sqlite3.DatabaseError(newer_version(version, VERSION))
    return version


def _migrate(connection: sqlite3.Connection) -> None:
    """Run the missing migrations in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in _STEPS[version_of(connection) :]:  # read again: another process may have been first
            for statement in filter(str.strip, step.split(";")):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version={VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
