"""
Where tables stay: one SQLite file, written by one thread, many moves in one commit.

`Store` is all that the rest of the server knows of it, so that another database can take its place.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from qwixx.errors import QwixxError
from qwixx.server.room import Room

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (code TEXT PRIMARY KEY, stage TEXT NOT NULL, touched REAL NOT NULL,
    room TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ledger (code TEXT NOT NULL, step INTEGER NOT NULL, line TEXT NOT NULL,
    PRIMARY KEY (code, step)) WITHOUT ROWID;
"""
_VERSION = 1
# One statement for a whole batch: the interpreter lock is then given up and won back once, not once a row.
_ADD_LINES = "INSERT INTO ledger SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)"
_OLD = "stage <> 'over' AND touched < ? AND code NOT IN (SELECT value FROM json_each(?))"
_CLEAN_LEDGER = f"DELETE FROM ledger WHERE code IN (SELECT code FROM tables WHERE {_OLD})"  # noqa: S608 - our own text
_CLEAN_TABLES = f"DELETE FROM tables WHERE {_OLD}"  # noqa: S608 - as above
_SAVE = "INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?)"


class Store(Protocol):
    """Keeps rooms and ledgers. What was awaited is on disk."""

    def write(self, code: str, room: Room | None, step: int, lines: Sequence[str]) -> asyncio.Future[None]:
        """Save a room, if given, and append lines to its ledger from this step on, all or nothing."""

    async def read(self, code: str) -> tuple[Room, list[str]] | None:
        """Give a room and its ledger."""

    async def count(self) -> int:
        """Count the tables kept."""

    async def clean(self, older_than: float, spare: Collection[str] = ()) -> int:
        """Delete tables that are not over and were not touched since, but for some; tell how many."""

    async def close(self) -> None:
        """Write what is left and let go of the file."""


class _Batch:
    """Writes that will share one commit, and the future that all who wait for it await."""

    def __init__(self, done: asyncio.Future[None]) -> None:
        self.done = done
        self.rooms: dict[str, tuple[str, str, float, str]] = {}
        self.lines: list[tuple[str, int, str]] = []


class SqliteStore:
    """The store in one file. Reading has a connection of its own, since WAL lets readers and the writer be."""

    def __init__(self, path: Path, sync: str = "full") -> None:
        """Open or make the file. Raises `QwixxError` with a sentence if that cannot be."""
        self._path = path
        try:
            self._writer = self._open(sync)
            self._reader = self._open(sync)
        except sqlite3.Error as error:
            raise QwixxError(f"The database {str(path)!r} cannot be used: {error}.") from None
        self._batch: _Batch | None = None
        self._wake = threading.Condition()
        self._stopped = False
        self._reading = asyncio.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, name="qwixx-store", daemon=True)
        self._thread.start()

    def _open(self, sync: str) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=10)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={'FULL' if sync == 'full' else 'NORMAL'}")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise sqlite3.DatabaseError("it was written by another version of qwixx")
        connection.executescript(_SCHEMA)
        connection.execute(f"PRAGMA user_version={_VERSION}")
        return connection

    # ---- writing

    def write(self, code: str, room: Room | None, step: int, lines: Sequence[str]) -> asyncio.Future[None]:
        """Put a write into the batch that is being gathered; the future is done when it is on disk."""
        with self._wake:
            batch = self._batch
            if batch is None:
                self._loop = asyncio.get_running_loop()
                batch = self._batch = _Batch(self._loop.create_future())
                self._wake.notify()
            if room is not None:
                text = msgspec.json.encode(room).decode()
                batch.rooms[code] = (code, room.stage, time.time(), text)
            for offset, line in enumerate(lines):
                batch.lines.append((code, step + offset, line))
            return batch.done

    def _run(self) -> None:
        while True:
            with self._wake:
                while self._batch is None and not self._stopped:
                    self._wake.wait()
                batch, self._batch = self._batch, None
            if batch is None:
                return
            error = self._commit(batch)
            assert self._loop is not None
            self._loop.call_soon_threadsafe(_finish, batch.done, error)

    def _commit(self, batch: _Batch) -> Exception | None:
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            if batch.rooms:
                self._writer.executemany(_SAVE, batch.rooms.values())
            if batch.lines:
                self._writer.execute(_ADD_LINES, (msgspec.json.encode(batch.lines).decode(),))
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            return error
        return None

    # ---- reading

    async def read(self, code: str) -> tuple[Room, list[str]] | None:
        """Give a room and its ledger, without holding up the event loop."""
        async with self._reading:
            return await asyncio.to_thread(self._read, code)

    def _read(self, code: str) -> tuple[Room, list[str]] | None:
        self._reader.execute("BEGIN")  # both reads see the same moment
        try:
            found = self._reader.execute("SELECT room FROM tables WHERE code = ?", (code,)).fetchone()
            rows = self._reader.execute("SELECT line FROM ledger WHERE code = ? ORDER BY step", (code,)).fetchall()
        finally:
            self._reader.execute("COMMIT")
        return (msgspec.json.decode(found[0], type=Room), [line for (line,) in rows]) if found else None

    async def count(self) -> int:
        """Count the tables kept."""
        async with self._reading:
            row = await asyncio.to_thread(lambda: self._reader.execute("SELECT count(*) FROM tables").fetchone())
        return int(row[0])

    async def clean(self, older_than: float, spare: Collection[str] = ()) -> int:
        """Delete tables that are not over and were not touched since, but for some."""
        return await asyncio.to_thread(self._clean, older_than, msgspec.json.encode(list(spare)).decode())

    def _clean(self, older_than: float, spare: str) -> int:
        # A connection of its own: the writer's belongs to the writer's thread.
        connection = self._open("full")
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_CLEAN_LEDGER, (older_than, spare))
            count = connection.execute(_CLEAN_TABLES, (older_than, spare)).rowcount
            connection.execute("COMMIT")
        finally:
            connection.close()
        return count

    async def close(self) -> None:
        """Write what is left and let go of the file."""
        with self._wake:
            self._stopped = True
            self._wake.notify()
        await asyncio.to_thread(self._thread.join)
        self._writer.close()
        self._reader.close()


def _finish(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
