"""The store in one SQLite file. One thread writes, with many moves in one commit."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import msgspec

from qwixx.errors import QwixxError
from qwixx.server.base import retention
from qwixx.server.base.errors import StoreFailed
from qwixx.server.base.retention import RetentionPolicy
from qwixx.server.room.integrity import check_steps
from qwixx.server.room.room import Room
from qwixx.server.store.interface import Store
from qwixx.server.store.sqlite import file
from qwixx.server.store.sqlite.file_lock import FileLock
from qwixx.server.store.write_batch import Batch, SqlValue

R = TypeVar("R")
_ADD_LINES = "INSERT INTO ledger SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)"
_WRITING = (
    "PRAGMA temp_store=MEMORY",
    "CREATE TEMP VIEW writes (rooms, fresh, lines) AS SELECT NULL, NULL, NULL",
    """CREATE TEMP TRIGGER write INSTEAD OF INSERT ON writes BEGIN
        SELECT RAISE(ABORT, 'taken') FROM tables WHERE code IN (SELECT value FROM json_each(NEW.fresh));
        INSERT INTO tables (stage, touched, room, code)
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(NEW.rooms) WHERE true
            ON CONFLICT (code) DO UPDATE SET stage = excluded.stage, touched = excluded.touched, room = excluded.room;
        INSERT INTO ledger SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(NEW.lines);
    END""",
)
"""
Writes rooms and lines together, in one statement, which is a transaction by itself.

Each statement releases the interpreter lock and has to get it back, several times. A busy event loop releases the lock
only for moments, and the fight for it took both threads longer than the write itself.
"""
_WRITE = "INSERT INTO writes VALUES (?, ?, ?)"
_TAKEN = "SELECT code FROM tables WHERE code IN (SELECT value FROM json_each(?))"
_CUT = "DELETE FROM ledger WHERE code = ? AND step >= ?"
_TOUCH = "UPDATE tables SET touched = ? WHERE code = ?"
_DELETE = ("DELETE FROM ledger WHERE code = ?", "DELETE FROM tables WHERE code = ?", "DELETE FROM due WHERE code = ?")
_LINES = "SELECT step, line FROM ledger WHERE code = ? ORDER BY step"
_LATEST = "SELECT code, room, touched FROM tables ORDER BY touched DESC LIMIT ?"
_HEARTBEAT = "INSERT INTO seen VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET at = excluded.at"
_POLL_SECONDS = 0.002
"""Interval of the check whether everything is written, when the store is closed."""


class SqliteStore(Store):
    """The store in one file. Reads have a separate connection, because in WAL mode they do not block writes."""

    is_shared = False

    def __init__(self, path: Path, sync: str = "full") -> None:
        """Open or create the file. Raises `QwixxError` if it cannot be used."""
        super().__init__()
        self._path = path.resolve()
        with contextlib.ExitStack() as undo:
            try:
                self._lock = undo.enter_context(contextlib.closing(FileLock(self._path)))
                file.prepare(self._path)
                self._writer = undo.enter_context(contextlib.closing(file.connect(self._path, sync)))
                for statement in _WRITING:
                    self._writer.execute(statement)
                self._reader = undo.enter_context(contextlib.closing(file.connect(self._path, sync)))
                self.count = int(self._reader.execute("SELECT count(*) FROM tables").fetchone()[0])
            except (sqlite3.Error, OSError) as error:
                raise QwixxError(f"The database {str(path)!r} cannot be used: {error}.") from None
            undo.pop_all()
        self._next_batch: Batch | None = None
        """Writes that wait for the batch before them; used only by the event loop."""
        self._is_writing = False
        """Whether a batch is being written, or will be in the next iteration of the loop."""
        self._queue: SimpleQueue[Batch | None] = SimpleQueue()
        """The queue to the writing thread; None ends it."""
        self._count_lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="qwixx-read")
        self._cleaning = ThreadPoolExecutor(1, thread_name_prefix="qwixx-clean")
        self._thread = threading.Thread(target=self._run, name="qwixx-store", daemon=True)
        self._thread.start()

    # ---- writing

    async def add(self, room: Room, lines: Sequence[str]) -> bool:
        """Add a new table; the write itself shows whether its code is free, so no read is needed before."""
        batch = self._current_batch()
        if room.code in batch.rooms:
            return False
        batch.write(room.code, room, 0, lines, None)
        batch.new_codes.add(room.code)
        await asyncio.shield(batch.done)
        return room.code not in batch.taken

    def _current_batch(self) -> Batch:
        """Return the current batch; its future is done when all of it is on disk."""
        batch = self._next_batch
        if batch is None:
            self._loop = asyncio.get_running_loop()
            batch = self._next_batch = Batch(self._loop.create_future())
            if not self._is_writing:
                self._is_writing = True
                self._loop.call_soon(self._submit)  # later, so that all writes of this iteration share the commit
        return batch

    def _submit(self) -> None:
        """Give the current batch to the writing thread."""
        batch, self._next_batch = self._next_batch, None
        self._is_writing = batch is not None
        if batch is not None:
            self._queue.put(batch)

    def _written(self, batch: Batch, error: Exception | None) -> None:
        """Start the next batch first, so that the disk does not wait, then complete this one."""
        self._submit()
        batch.finish(error)

    def _run(self) -> None:
        while self._write_next():
            pass

    def _write_next(self) -> bool:
        """Wait for a batch and write it; return False at the end. No reference to it remains during the next wait."""
        batch = self._queue.get()
        if batch is None:
            return False
        began = time.perf_counter()
        error = self._commit(batch)
        self._report(began, error)
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._written, batch, error)
        return True

    def _commit(self, batch: Batch) -> Exception | None:
        try:
            if batch.is_plain:
                more = self._write(batch)
            else:
                self._writer.execute("BEGIN IMMEDIATE")
                more = self._write_all(batch)
                self._writer.execute("COMMIT")
        except Exception as error:  # all waiting callers get the error, and the thread continues
            with contextlib.suppress(sqlite3.Error):
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
            # A traceback would keep the batch and its waiting tables in memory.
            return StoreFailed(str(error)) if isinstance(error, sqlite3.Error) else error.with_traceback(None)
        self._count(more)
        return None

    def _write_all(self, batch: Batch) -> int:
        """Do all writes of a batch; return by how much the number of tables has grown."""
        execute = self._writer.execute
        for cut in batch.cuts:
            execute(_CUT, cut)
        more = self._write(batch)
        for code, moment in batch.touched.items():
            execute(_TOUCH, (moment, code))
        for code in batch.deleted:
            more -= [execute(statement, (code,)).rowcount for statement in _DELETE][1]
        for statement, values in batch.statements:
            execute(statement, values)
        if batch.heartbeat is not None:
            execute(_HEARTBEAT, (batch.heartbeat,))
        return more

    def _write(self, batch: Batch) -> int:
        """Write the rooms and lines of a batch; return the number of new tables."""
        if not batch.rooms:
            if batch.lines:
                self._writer.execute(_ADD_LINES, (_text(batch.lines),))
            return 0
        fresh = _text(list(batch.new_codes))
        try:
            self._writer.execute(_WRITE, (_text(list(batch.rooms.values())), fresh, _text(batch.lines)))
        except sqlite3.IntegrityError:
            taken = {code for (code,) in self._writer.execute(_TAKEN, (fresh,)).fetchall()}
            if not taken:
                raise
            batch.leave_out(taken)
            return self._write(batch)
        return len(batch.new_codes)

    def _count(self, more: int) -> None:
        with self._count_lock:
            self.count += more

    # ---- reading

    async def read(self, code: str) -> tuple[Room, list[str]] | None:
        """Return a room and its ledger, read in a thread."""
        return await self._run_read(lambda: self._read(code))

    def _read(self, code: str) -> tuple[Room, list[str]] | None:
        self._reader.execute("BEGIN")  # both reads see the same snapshot
        try:
            room = self._read_room(code)
            rows = self._reader.execute(_LINES, (code,)).fetchall()
        finally:
            self._reader.execute("COMMIT")
        if room is None:
            return None
        check_steps([step for step, _ in rows])
        return room, [line for _, line in rows]

    async def room(self, code: str) -> Room | None:
        """Return a room without its ledger, in constant time."""
        return await self._run_read(lambda: self._read_room(code))

    def _read_room(self, code: str) -> Room | None:
        found = self._reader.execute("SELECT room FROM tables WHERE code = ?", (code,)).fetchone()
        return self._decode(code, found[0]) if found else None

    async def latest(self, limit: int) -> list[tuple[Room, float]]:
        """Return at limit `limit` rooms, the last visited first, each with the time of its visit."""
        return await _run(self._cleaning, lambda: self._latest(limit))

    def _latest(self, limit: int) -> list[tuple[Room, float]]:
        # This reads all tables, so it does not use the thread and the connection that players wait for.
        with contextlib.closing(file.connect(self._path, "full")) as connection:
            rows = connection.execute(_LATEST, (limit,)).fetchall()
        return self._decode_all(rows)

    async def last_heartbeat(self) -> float | None:
        """Return the time of the last heartbeat."""
        found = await self._run_read(lambda: self._reader.execute("SELECT at FROM seen").fetchone())
        return float(found[0]) if found else None

    async def query(self, statement: str, values: Sequence[SqlValue]) -> list[tuple[SqlValue, ...]]:
        """Return the rows of a SELECT."""
        return await self._run_read(lambda: self._reader.execute(statement, values).fetchall())

    async def _run_read(self, query: Callable[[], R]) -> R:
        """Run a query in the thread for reading, which does nothing else."""
        return await _run(self._reading, query)

    # ---- cleanup

    async def clean(self, keep: RetentionPolicy, spare: Collection[str] = ()) -> int:
        """Delete old tables, except those in `spare`."""
        return await _run(self._cleaning, lambda: self._clean(keep, list(spare)))

    def _clean(self, keep: RetentionPolicy, spare: Collection[str]) -> int:
        # A separate connection: that of the writer belongs to the writing thread.
        with contextlib.closing(file.connect(self._path, "full")) as connection:
            gone = retention.clean(connection, keep, spare)
        self._count(-gone)
        return gone

    # ---- one process owns all tables, because the file is locked

    async def start(self, lost: Callable[[], object]) -> None:
        """Do nothing: no table can be lost."""

    async def acquire(self, code: str) -> None:
        """Do nothing: this process owns every table."""

    def release(self, code: str) -> None:
        """Do nothing: no other process can own it."""

    def is_owner(self, code: str) -> bool:
        """Return True: this process owns every table."""
        return True

    async def verify_owner(self, code: str) -> bool:
        """Return True: this process owns every table."""
        return True

    async def close(self) -> None:
        """Finish all writes and close the file."""
        while self._is_writing:
            await asyncio.sleep(_POLL_SECONDS)
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)
        for pool in (self._reading, self._cleaning):
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)
        self._writer.close()
        self._reader.close()
        self._lock.close()


async def _run(pool: ThreadPoolExecutor, work: Callable[[], R]) -> R:
    """Run work on the database in a thread. Raises `StoreFailed`."""
    try:
        return await asyncio.get_running_loop().run_in_executor(pool, work)
    except sqlite3.Error as error:
        raise StoreFailed(str(error)) from None


def _text(rows: Sequence[object]) -> str:
    """Encode rows as JSON, which the database reads with `json_each`."""
    return msgspec.json.encode(rows).decode()
