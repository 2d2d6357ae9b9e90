"""The database file: made whole or not at all, readable by its owner only, refused with a sentence if it is wrong."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from qwixx.errors import QwixxError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (code TEXT PRIMARY KEY, stage TEXT NOT NULL, touched REAL NOT NULL,
    room TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ledger (code TEXT NOT NULL, step INTEGER NOT NULL, line TEXT NOT NULL,
    PRIMARY KEY (code, step)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS due (code TEXT PRIMARY KEY, marked REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seen (one INTEGER PRIMARY KEY CHECK (one = 1), at REAL NOT NULL);
"""
_NAMES = {"tables", "ledger", "due", "seen"}
_VERSION = 1
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
    """Open the file. Raises `sqlite3.Error` if it is no database, or one of another version."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=_PATIENCE)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={'FULL' if sync == 'full' else 'NORMAL'}")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise sqlite3.DatabaseError("it was written by another version of qwixx")
        if version == 0 or not _is_complete(connection):
            connection.executescript(_SCHEMA)
            connection.execute(f"PRAGMA user_version={_VERSION}")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_complete(connection: sqlite3.Connection) -> bool:
    """Tell whether nothing has to be made: then a full disk does not keep anybody from reading."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    return names >= _NAMES
