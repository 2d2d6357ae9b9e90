"""
The interface of a store for tables; the rest of the server uses only this.

`sqlite` stores them in one file, `postgres` in a database for several processes; `open_store` opens the one of the
settings.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from qwixx.server.base.counters import Counters
from qwixx.server.base.retention import RetentionPolicy
from qwixx.server.room.room import Room
from qwixx.server.store.write_batch import SqlValue


class StoreFailed(Exception):  # noqa: N818 - it names the event
    """A statement failed: nothing was written, or it is not known yet whether it was."""


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


class Store(Protocol):
    """
    Stores rooms and ledgers. An awaited write is on disk.

    Several processes may share a store. Then each table has one owner at a time: the process that has acquired it.
    Writes of other processes to this table fail.
    """

    is_shared: bool
    """Whether other processes use the same store."""
    count: int
    """Number of stored tables."""
    counts: Counters
    """Where commits are counted and timed."""

    @property
    def trouble(self) -> str:
        """Why the last write failed; empty if it succeeded."""

    def write(
        self,
        code: str,
        room: Room | None,
        step: int,
        lines: Sequence[str],
        cut: int | None = ...,
    ) -> asyncio.Future[None]:
        """
        Save a room, if given; append lines to its ledger from this step on. All or nothing.

        With `cut`, first delete the lines from that step on.
        """

    async def add(self, room: Room, lines: Sequence[str]) -> bool:
        """Add a new table with its ledger. Return False if its code is in use; then nothing has changed."""

    def touch(self, code: str) -> asyncio.Future[None]:
        """Record a visit to a table, so that it is not deleted as old. This may fail and need not be awaited."""

    def delete(self, code: str) -> asyncio.Future[None]:
        """Delete a table with its ledger."""

    def heartbeat(self) -> asyncio.Future[None]:
        """Write the time of now, which shows that the server runs and that writing works."""

    def execute(self, statement: str, values: Sequence[SqlValue]) -> asyncio.Future[None]:
        """Run SQL with `?` for each value, on database tables other than those of rooms and ledgers."""

    async def query(self, statement: str, values: Sequence[SqlValue]) -> list[tuple[SqlValue, ...]]:
        """Return the rows of a SELECT with `?` for each value, on the same database tables as `execute`."""

    async def read(self, code: str) -> tuple[Room, list[str]] | None:
        """Return a room and its ledger, None if there is no such table."""

    async def room(self, code: str) -> Room | None:
        """Return a room without its ledger."""

    async def latest(self, limit: int) -> list[tuple[Room, float]]:
        """Return at most `limit` rooms, the last visited first, each with the time of its visit."""

    async def last_heartbeat(self) -> float | None:
        """Return the time of the last heartbeat."""

    async def clean(self, keep: RetentionPolicy, spare: Collection[str] = ()) -> int:
        """Delete old tables, except those in `spare`; return their number."""

    async def start(self, lost: Callable[[], object]) -> None:
        """Open the store; `lost` is called when this process has lost all tables that it owned."""

    async def acquire(self, code: str) -> None:
        """Become the owner of a table, its only writer. Raises `OwnedElsewhere` if another process is."""

    def release(self, code: str) -> None:
        """Stop being the owner of a table, after all writes so far."""

    def is_owner(self, code: str) -> bool:
        """Return whether this process is certainly still the owner: no other process can have written to the table."""

    async def verify_owner(self, code: str) -> bool:
        """Ask the database whether this process is still the owner, where that is not certain."""

    async def close(self) -> None:
        """Finish all writes and close the store."""


def newer_version(version: int, known: int) -> str:
    """Return the sentence that a database was written by a newer version of this program."""
    return (
        f"it was written by a newer version of qwixx (its form is {version}, and this one knows forms up to {known}); "
        "install that version, or name another database"
    )
