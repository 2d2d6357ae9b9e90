"""Tables in one SQLite file, written by one thread, many moves in one commit."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import msgspec

from qwixx.errors import QwixxError
from qwixx.server import database, retention
from qwixx.server.batches import Batch, Fact
from qwixx.server.counts import Counts
from qwixx.server.lock import FileLock
from qwixx.server.retention import Keep
from qwixx.server.room import Room

log = logging.getLogger("qwixx.store")
R = TypeVar("R")
"""What stands in a column."""
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
How rooms and lines are written together: by one statement, which is a transaction of its own.

Each statement gives the interpreter lock up and has to win it back, several times. A busy event loop lets go of it for
moments only, and being woken in vain at each of them took both threads longer than writing does.
"""
_WRITE = "INSERT INTO writes VALUES (?, ?, ?)"
_TAKEN = "SELECT code FROM tables WHERE code IN (SELECT value FROM json_each(?))"
_CUT = "DELETE FROM ledger WHERE code = ? AND step >= ?"
_CHANGE_LINE = "UPDATE ledger SET line = ? WHERE code = ? AND step = ?"
_TOUCH = "UPDATE tables SET touched = ? WHERE code = ?"
_DELETE = ("DELETE FROM ledger WHERE code = ?", "DELETE FROM tables WHERE code = ?", "DELETE FROM due WHERE code = ?")
_LATEST = "SELECT room, touched FROM tables ORDER BY touched DESC LIMIT ?"
_SEE = "INSERT INTO seen VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET at = excluded.at"
_LOOK_AGAIN = 0.002
"""Seconds between two looks whether everything has been written, when the store is closed."""


class SqliteStore:
    """The store in one file. Reading has a connection of its own, since WAL lets readers and the writer be."""

    is_shared = False

    def __init__(self, path: Path, sync: str = "full") -> None:
        """Open or make the file. Raises `QwixxError` with a sentence if that cannot be."""
        self._path = path.resolve()
        with contextlib.ExitStack() as undo:
            try:
                self._lock = undo.enter_context(contextlib.closing(FileLock(self._path)))
                database.prepare(self._path)
                self._writer = undo.enter_context(contextlib.closing(database.connect(self._path, sync)))
                for statement in _WRITING:
                    self._writer.execute(statement)
                self._reader = undo.enter_context(contextlib.closing(database.connect(self._path, sync)))
                self.count = int(self._reader.execute("SELECT count(*) FROM tables").fetchone()[0])
            except (sqlite3.Error, OSError) as error:
                raise QwixxError(f"The database {str(path)!r} cannot be used: {error}.") from None
            undo.pop_all()
        self.trouble = ""
        self.counts = Counts()
        self._gathered: Batch | None = None
        """Writes that wait for those before them; the event loop alone looks at it."""
        self._is_writing = False
        """Whether a batch is being written, or about to be."""
        self._handed: SimpleQueue[Batch | None] = SimpleQueue()
        """The way to the thread that writes; None ends it."""
        self._counting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="qwixx-read")
        self._cleaning = ThreadPoolExecutor(1, thread_name_prefix="qwixx-clean")
        self._thread = threading.Thread(target=self._run, name="qwixx-store", daemon=True)
        self._thread.start()

    # ---- writing

    def write(
        self,
        code: str,
        room: Room | None,
        step: int,
        lines: Sequence[str],
        changes: Mapping[int, str] = {},
        cut: int | None = None,
    ) -> asyncio.Future[None]:
        """Put a write into the batch that is being gathered; the future is done when it is on disk."""
        batch = self._gathering()
        batch.write(code, room, step, lines, changes, cut)
        return batch.done

    async def add(self, room: Room, lines: Sequence[str]) -> bool:
        """Keep a new table; whether its code is free shows when it is written, so that nobody has to look before."""
        batch = self._gathering()
        if room.code in batch.rooms:
            return False
        batch.write(room.code, room, 0, lines, {}, None)
        batch.fresh.add(room.code)
        await asyncio.shield(batch.done)
        return room.code not in batch.taken

    def touch(self, code: str) -> asyncio.Future[None]:
        """Note that somebody came to a table; nobody has to wait for it, nor to hear if it cannot be written."""
        batch = self._gathering()
        batch.touched[code] = time.time()
        batch.done.add_done_callback(lambda done: done.cancelled() or done.exception())
        return batch.done

    def delete(self, code: str) -> asyncio.Future[None]:
        """Delete a table with all that was played there."""
        batch = self._gathering()
        batch.deleted.append(code)
        return batch.done

    def note(self, statement: str, facts: Sequence[Fact]) -> asyncio.Future[None]:
        """Change a row of a table that is not about rooms."""
        batch = self._gathering()
        batch.notes.append((statement, facts))
        return batch.done

    def see(self) -> asyncio.Future[None]:
        """Note that the server is there now."""
        batch = self._gathering()
        batch.seen = time.time()
        return batch.done

    def _gathering(self) -> Batch:
        """Give the batch that gathers what is to be written; its future is done when all of it is on disk."""
        batch = self._gathered
        if batch is None:
            self._loop = asyncio.get_running_loop()
            batch = self._gathered = Batch(self._loop.create_future())
            if not self._is_writing:
                self._is_writing = True
                self._loop.call_soon(self._hand_over)  # not at once: whatever has come by now shares the commit
        return batch

    def _hand_over(self) -> None:
        """Have all that was gathered written by the thread."""
        batch, self._gathered = self._gathered, None
        self._is_writing = batch is not None
        if batch is not None:
            self._handed.put(batch)

    def _written(self, batch: Batch, error: Exception | None) -> None:
        """Go on with what was gathered meanwhile, so that the disk need not wait, and let those know who do."""
        self._hand_over()
        batch.finish(error)

    def _run(self) -> None:
        while self._write_next():
            pass

    def _write_next(self) -> bool:
        """Wait for a batch and write it; False if none will come. Nothing of it is kept while waiting for the next."""
        batch = self._handed.get()
        if batch is None:
            return False
        began = time.perf_counter()
        error = self._commit(batch)
        self.counts.commits.note(time.perf_counter() - began)
        self.counts.commits_failed += error is not None
        if error and not self.trouble:
            log.error("writing fails: %s", error)
        elif self.trouble and not error:
            log.warning("writing works again")
        self.trouble = "" if error is None else str(error) or repr(error)
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._written, batch, error)
        return True

    def _commit(self, batch: Batch) -> Exception | None:
        try:
            if batch.is_plain:
                more = self._write(batch)
            else:
                self._writer.execute("BEGIN IMMEDIATE")
                more = self._carry_out(batch)
                self._writer.execute("COMMIT")
        except Exception as error:  # of whatever kind: all who wait have to be told, and the thread goes on
            with contextlib.suppress(sqlite3.Error):
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
            return error.with_traceback(None)  # it would keep the batch, and the batch whoever waits for it
        self._count(more)
        return None

    def _carry_out(self, batch: Batch) -> int:
        """Do all writes of a batch; gives how many tables there are more."""
        execute = self._writer.execute
        for cut in batch.cuts:
            execute(_CUT, cut)
        more = self._write(batch)
        if batch.changes and self._writer.executemany(_CHANGE_LINE, batch.changes).rowcount != len(batch.changes):
            raise sqlite3.IntegrityError("a line that should change is not there")
        for code, moment in batch.touched.items():
            execute(_TOUCH, (moment, code))
        for code in batch.deleted:
            more -= [execute(statement, (code,)).rowcount for statement in _DELETE][1]
        for statement, facts in batch.notes:
            execute(statement, facts)
        if batch.seen is not None:
            execute(_SEE, (batch.seen,))
        return more

    def _write(self, batch: Batch) -> int:
        """Write the rooms and lines of a batch; gives how many tables there are more."""
        if not batch.rooms:
            if batch.lines:
                self._writer.execute(_ADD_LINES, (_text(batch.lines),))
            return 0
        fresh = _text(list(batch.fresh))
        try:
            self._writer.execute(_WRITE, (_text(list(batch.rooms.values())), fresh, _text(batch.lines)))
        except sqlite3.IntegrityError:
            taken = {code for (code,) in self._writer.execute(_TAKEN, (fresh,)).fetchall()}
            if not taken:
                raise
            batch.leave_out(taken)
            return self._write(batch)
        return len(batch.fresh)

    def _count(self, more: int) -> None:
        with self._counting:
            self.count += more

    # ---- reading

    async def read(self, code: str) -> tuple[Room, list[str]] | None:
        """Give a room and its ledger, without holding up the event loop."""
        return await self._ask(lambda: self._read(code))

    def _read(self, code: str) -> tuple[Room, list[str]] | None:
        self._reader.execute("BEGIN")  # both reads see the same moment
        try:
            room = self._read_room(code)
            rows = self._reader.execute("SELECT line FROM ledger WHERE code = ? ORDER BY step", (code,)).fetchall()
        finally:
            self._reader.execute("COMMIT")
        return None if room is None else (room, [line for (line,) in rows])

    async def room(self, code: str) -> Room | None:
        """Give a room alone, which costs the same however much was played there."""
        return await self._ask(lambda: self._read_room(code))

    def _read_room(self, code: str) -> Room | None:
        found = self._reader.execute("SELECT room FROM tables WHERE code = ?", (code,)).fetchone()
        return msgspec.json.decode(found[0], type=Room) if found else None

    async def latest(self, most: int) -> list[tuple[Room, float]]:
        """Give so many rooms, those that were touched last first, each with that moment."""
        return await asyncio.get_running_loop().run_in_executor(self._cleaning, self._latest, most)

    def _latest(self, most: int) -> list[tuple[Room, float]]:
        # This goes through all tables, so it keeps away from the thread and the connection that players wait for.
        with contextlib.closing(database.connect(self._path, "full")) as connection:
            rows = connection.execute(_LATEST, (most,)).fetchall()
        return [(msgspec.json.decode(room, type=Room), touched) for room, touched in rows]

    async def last_seen(self) -> float | None:
        """Give the moment of the last `see`."""
        found = await self._ask(lambda: self._reader.execute("SELECT at FROM seen").fetchone())
        return float(found[0]) if found else None

    async def look_up(self, question: str, facts: Sequence[Fact]) -> list[tuple[Fact, ...]]:
        """Read rows of a table that is not about rooms."""
        return await self._ask(lambda: self._reader.execute(question, facts).fetchall())

    async def _ask(self, question: Callable[[], R]) -> R:
        """Read in the one thread that reads: nothing else that takes long can keep it busy."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, question)

    # ---- tidying up

    async def clean(self, keep: Keep, spare: Collection[str] = ()) -> int:
        """Delete tables that nobody needs any more, but for some."""
        return await asyncio.get_running_loop().run_in_executor(self._cleaning, self._clean, keep, list(spare))

    def _clean(self, keep: Keep, spare: Collection[str]) -> int:
        # A connection of its own: the writer's belongs to the writer's thread.
        with contextlib.closing(database.connect(self._path, "full")) as connection:
            gone = retention.clean(connection, keep, spare)
        self._count(-gone)
        return gone

    # ---- one process has it all, since the file is locked

    async def start(self, lost: Callable[[], object]) -> None:
        """Begin; nothing will be lost."""

    async def take(self, code: str) -> None:
        """Take a table: nobody else can have it."""

    def release(self, code: str) -> None:
        """Leave a table; nobody else wants it."""

    def holds(self, code: str) -> bool:
        """Tell that every table is ours."""
        return True

    async def confirm(self, code: str) -> bool:
        """Tell that every table is ours."""
        return True

    async def close(self) -> None:
        """Write what is left and let go of the file."""
        while self._is_writing:
            await asyncio.sleep(_LOOK_AGAIN)
        self._handed.put(None)
        await asyncio.to_thread(self._thread.join)
        for pool in (self._reading, self._cleaning):
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)
        self._writer.close()
        self._reader.close()
        self._lock.close()


def _text(rows: Sequence[object]) -> str:
    """Write rows as one text, which the database takes apart."""
    return msgspec.json.encode(rows).decode()
