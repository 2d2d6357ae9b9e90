"""
Where tables stay: all that the rest of the server knows of it.

`sqlite` keeps them in one file, `postgres` in a database for several processes; `stores` opens what the settings name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from qwixx.server.batches import Fact
from qwixx.server.counts import Counts
from qwixx.server.retention import Keep
from qwixx.server.room import Room


class StoreFailed(Exception):  # noqa: N818 - it says what has happened
    """A database did not do what it was asked; nothing of it has happened, or nobody can know yet."""


class StoreLost(StoreFailed):
    """This process does not have a table any more: what it knows of it may be old, and it may not write to it."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("another process may have taken over the table")


class Elsewhere(Exception):  # noqa: N818 - it says where to go, and nothing is wrong
    """Another process has this table in memory."""

    def __init__(self, address: str) -> None:
        """Name its address."""
        super().__init__(address)
        self.address = address


class Store(Protocol):
    """
    Keeps rooms and ledgers. What was awaited is on disk.

    A store may be shared by several processes. Then each table belongs to one of them at a time: to the one that has
    taken it. What others write to it fails.
    """

    is_shared: bool
    """Whether other processes use the same store."""
    count: int
    """How many tables are kept."""
    counts: Counts
    """Where commits are counted and timed."""

    @property
    def trouble(self) -> str:
        """Why the last write failed; empty if it did not."""

    def write(
        self,
        code: str,
        room: Room | None,
        step: int,
        lines: Sequence[str],
        changes: Mapping[int, str] = ...,
        cut: int | None = ...,
    ) -> asyncio.Future[None]:
        """
        Save a room, if given, append lines to its ledger from this step on, and change some; all or nothing.

        With a cut the ledger first loses its lines from that step on.
        """

    async def add(self, room: Room, lines: Sequence[str]) -> bool:
        """Keep a new table with what was played there; False, and nothing has happened, if its code is taken."""

    def touch(self, code: str) -> asyncio.Future[None]:
        """Note that somebody came to a table: it is not old any more. This may fail and need not be awaited."""

    def delete(self, code: str) -> asyncio.Future[None]:
        """Delete a table with all that was played there."""

    def see(self) -> asyncio.Future[None]:
        """Note that the server is there now: a write that shows whether writing works."""

    def note(self, statement: str, facts: Sequence[Fact]) -> asyncio.Future[None]:
        """Change a row of a table that is not about rooms, by plain SQL with `?` for each fact."""

    async def look_up(self, question: str, facts: Sequence[Fact]) -> list[tuple[Fact, ...]]:
        """Read rows of such a table, by plain SQL with `?` for each fact."""

    async def read(self, code: str) -> tuple[Room, list[str]] | None:
        """Give a room and its ledger."""

    async def room(self, code: str) -> Room | None:
        """Give a room alone."""

    async def latest(self, most: int) -> list[tuple[Room, float]]:
        """Give so many rooms, those that were touched last first, each with that moment."""

    async def last_seen(self) -> float | None:
        """Give the moment of the last `see`, by the clock of that time."""

    async def clean(self, keep: Keep, spare: Collection[str] = ()) -> int:
        """Delete tables that nobody needs any more, but for some; tell how many."""

    async def start(self, lost: Callable[[], object]) -> None:
        """Begin; `lost` is called when all tables that were taken belong to others, or to nobody, from now on."""

    async def take(self, code: str) -> None:
        """Take a table, so that nobody else writes to it. Raises `Elsewhere` if another process has it."""

    def release(self, code: str) -> None:
        """Leave a table to whoever wants it next, after all that was written so far."""

    def holds(self, code: str) -> bool:
        """Tell whether a table that was taken is certainly still ours: nobody else can have written to it."""

    async def confirm(self, code: str) -> bool:
        """Find out whether a table is still ours, where that is not certain."""

    async def close(self) -> None:
        """Write what is left and let go of everything."""
