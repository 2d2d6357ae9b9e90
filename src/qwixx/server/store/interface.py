"""
The base of the stores for tables, which collects writes in batches; the rest of the server uses only this.

`sqlite` stores them in one file, `postgres` in a database for several processes; `open_store` opens the one of the
settings.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from qwixx.server.base.counters import Counters
from qwixx.server.base.errors import StoreFailed
from qwixx.server.base.retention import RetentionPolicy
from qwixx.server.room.integrity import Damaged, decode_room
from qwixx.server.room.room import Room
from qwixx.server.store.write_batch import Batch, SqlValue

log = logging.getLogger("qwixx.store")


class LeaseLost(StoreFailed):
    """This process does not own a table any more: its state may be outdated, and it may not write to it."""

    def __init__(self) -> None:
        """Set the message."""
        super().__init__("another process may have taken over the table")


class OwnedElsewhere(Exception):  # noqa: N818 - no error: it says where to go
    """Another process owns this table."""

    def __init__(self, address: str) -> None:
        """Keep the address of that process."""
        super().__init__(address)
        self.address = address


def ignore_failure(done: asyncio.Future[None]) -> asyncio.Future[None]:
    """Return a future that nobody has to await, also if the write fails."""
    done.add_done_callback(lambda done: done.cancelled() or done.exception())
    return done


class Store(ABC):
    """
    Stores rooms and ledgers. An awaited write is on disk.

    Every write joins the current batch, and its future is done when the batch is on disk.

    Several processes may share a store. Then each table has one owner at a time: the process that has acquired it.
    Writes of other processes to this table fail.
    """

    is_shared: bool
    """Whether other processes use the same store."""
    count = 0
    """Number of stored tables."""

    def __init__(self) -> None:
        """Start without trouble."""
        self.counts = Counters()
        """Where commits are counted and timed."""
        self._trouble = ""
        self.damaged: dict[str, str] = {}
        """Codes of damaged tables that were found so far, each with the reason. They can only be deleted."""

    def set_aside(self, code: str, reason: str) -> None:
        """Note that a table is damaged; log it once."""
        if code not in self.damaged:
            log.error("a table is damaged and set aside", extra={"code": code, "reason": reason})
        self.damaged[code] = reason

    @contextlib.contextmanager
    def setting_aside(self, code: str) -> Iterator[None]:
        """Set a table aside if this block finds that it is damaged; otherwise it is well again."""
        try:
            yield
        except Damaged as damage:
            self.set_aside(code, damage.reason)
            raise
        self.damaged.pop(code, None)

    def _decode(self, code: str, text: str | bytes) -> Room:
        """Read a room; set its table aside if that is not possible. Raises `Damaged`."""
        try:
            return decode_room(code, text)
        except Damaged as damage:
            self.set_aside(code, damage.reason)  # without `setting_aside`: a readable room may have a damaged ledger
            raise

    def _decode_all(self, rows: Iterable[tuple[str, str, float]]) -> list[tuple[Room, float]]:
        """Read the rooms of rows with code, room and time; leave out those that are damaged."""
        rooms = []
        for code, text, touched in rows:
            with contextlib.suppress(Damaged):
                rooms.append((self._decode(code, text), touched))
        return rooms

    @property
    def trouble(self) -> str:
        """Why the last write failed; empty if it succeeded."""
        return self._trouble

    def _report(self, began: float, error: Exception | None) -> None:
        """Count a commit that began at this time, and log when writing starts to fail or works again."""
        self.counts.commits.observe(time.perf_counter() - began)
        self.counts.commits_failed += error is not None
        if error and not self._trouble:
            log.error("writing fails: %s", error)
        elif self._trouble and not error:
            log.warning("writing works again")
        self._trouble = "" if error is None else str(error) or repr(error)

    @abstractmethod
    def _current_batch(self) -> Batch:
        """Return the batch that will be written next."""

    def _batch_of(self, code: str) -> Batch:
        """Return the current batch, ready for a write to this table."""
        return self._current_batch()

    def write(
        self,
        code: str,
        room: Room | None,
        step: int,
        lines: Sequence[str],
        cut: int | None = None,
    ) -> asyncio.Future[None]:
        """
        Save a room, if given; append lines to its ledger from this step on. All or nothing.

        With `cut`, first delete the lines from that step on.
        """
        batch = self._batch_of(code)
        batch.write(code, room, step, lines, cut)
        return batch.done

    def touch(self, code: str) -> asyncio.Future[None]:
        """Record a visit to a table, so that it is not deleted as old. This may fail and need not be awaited."""
        batch = self._current_batch()
        batch.touched[code] = time.time()
        return ignore_failure(batch.done)

    def delete(self, code: str) -> asyncio.Future[None]:
        """Delete a table with its ledger."""
        batch = self._batch_of(code)
        batch.deleted.append(code)
        return batch.done

    def heartbeat(self) -> asyncio.Future[None]:
        """Write the time of now, which shows that the server runs and that writing works."""
        batch = self._current_batch()
        batch.heartbeat = time.time()
        return batch.done

    def execute(self, statement: str, values: Sequence[SqlValue]) -> asyncio.Future[None]:
        """Run SQL with `?` for each value, on database tables other than those of rooms and ledgers."""
        batch = self._current_batch()
        batch.statements.append((statement, values))
        return batch.done

    @abstractmethod
    async def add(self, room: Room, lines: Sequence[str]) -> bool:
        """Add a new table with its ledger. Return False if its code is in use; then nothing has changed."""

    @abstractmethod
    async def query(self, statement: str, values: Sequence[SqlValue]) -> list[tuple[SqlValue, ...]]:
        """Return the rows of a SELECT with `?` for each value, on the same database tables as `execute`."""

    @abstractmethod
    async def read(self, code: str) -> tuple[Room, list[str]] | None:
        """Return a room and its ledger, None if there is no such table. Raises `Damaged`."""

    @abstractmethod
    async def room(self, code: str) -> Room | None:
        """Return a room without its ledger. Raises `Damaged` if it cannot be read."""

    @abstractmethod
    async def latest(self, limit: int) -> list[tuple[Room, float]]:
        """Return at most `limit` readable rooms, the last visited first, each with the time of its visit."""

    @abstractmethod
    async def last_heartbeat(self) -> float | None:
        """Return the time of the last heartbeat."""

    @abstractmethod
    async def clean(self, keep: RetentionPolicy, spare: Collection[str] = ()) -> int:
        """Delete old tables, except those in `spare`; return their number."""

    @abstractmethod
    async def start(self, lost: Callable[[], object]) -> None:
        """Open the store; `lost` is called when this process has lost all tables that it owned."""

    @abstractmethod
    async def acquire(self, code: str) -> None:
        """Become the owner of a table, its only writer. Raises `OwnedElsewhere` if another process is."""

    @abstractmethod
    def release(self, code: str) -> None:
        """Stop being the owner of a table, after all writes so far."""

    @abstractmethod
    def is_owner(self, code: str) -> bool:
        """Return whether this process is certainly still the owner: no other process can have written to the table."""

    @abstractmethod
    async def verify_owner(self, code: str) -> bool:
        """Ask the database whether this process is still the owner, where that is not certain."""

    @abstractmethod
    async def close(self) -> None:
        """Finish all writes and close the store."""


def newer_version(version: int, known: int) -> str:
    """Return the sentence that a database was written by a newer version of this program."""
    return (
        f"it was written by a newer version of qwixx (its form is {version}, and this one knows forms up to {known}); "
        "install that version, or name another database"
    )
