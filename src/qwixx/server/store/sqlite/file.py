"""The database file: made whole or not at all, readable by its owner only, refused with a sentence if it is wrong."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from qwixx.errors import QwixxError

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
)
"""
What leads from each version of the file to the next, the first from nothing. A step that was released is never changed.

Later files of version 1 have the tables of version 2 already, so these are made only where they are missing.
"""
VERSION = len(_STEPS)
_PATIENCE = 10
"""Seconds to wait for somebody else who has the file locked."""
_OWNER_ONLY = 0o600


def prepare(path: Path) -> None:
    """Make the file if there is none, and see to it that nobody else can read it. Raises `QwixxError`."""
    beside = Path(f"{path}-wal")
    if path.exists():
        if path.stat().st_size == 0:
            raise QwixxError(
                f"The database {str(path)!r} is a file of no bytes, as a damaged disk leaves it. "
                "Put a copy of it back, or delete it to begin anew."
            )
    elif beside.exists() and beside.stat().st_size:
        raise QwixxError(
            f"The database {str(path)!r} is missing, but what was last written to it is in {beside.name!r}. "
            "Put the file back, or delete both to begin anew."
        )
    else:
        _make(path)
    for each in (path, beside, Path(f"{path}-shm")):
        if os.name == "posix" and each.exists() and each.stat().st_mode & 0o077:
            each.chmod(_OWNER_ONLY)


def _make(path: Path) -> None:
    """Make an empty database under another name first: a crash leaves no half of one."""
    fresh = Path(f"{path}.new")
    fresh.unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL, _OWNER_ONLY))
    with contextlib.closing(connect(fresh, "full")):
        pass  # connecting has written what every database starts with
    fresh.replace(path)


def connect(path: Path, sync: str) -> sqlite3.Connection:
    """Open the file, brought forward to this version. Raises `sqlite3.Error` if it is no database, or a newer one."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=_PATIENCE)
    try:
        version = version_of(connection)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={'FULL' if sync == 'full' else 'NORMAL'}")
        if version != VERSION:  # a full disk keeps nobody from reading what needs no step
            _migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def version_of(connection: sqlite3.Connection) -> int:
    """Give the version of a file, 0 if nothing was written yet. Raises `sqlite3.Error` if it is a newer one."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise sqlite3.DatabaseError(newer(version, VERSION))
    return version


def newer(version: int, known: int) -> str:
    """Say that something was written by a later version of this program."""
    return (
        f"it was written by a newer version of qwixx (its form is {version}, and this one knows forms up to {known}); "
        "install that version, or name another database"
    )


def _migrate(connection: sqlite3.Connection) -> None:
    """Take the steps that are missing, all or none: whoever opens the file sees it before or after."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in _STEPS[version_of(connection) :]:  # read again: another process may have come first
            for statement in filter(str.strip, step.split(";")):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version={VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
