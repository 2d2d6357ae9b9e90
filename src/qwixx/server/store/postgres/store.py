"""
The store in PostgreSQL: one connection writes, many moves in one commit; a few others read.

Moves that come while a commit is under way share the next one. Every write shows the numbers of its leases in the same
transaction (see `leases`), so that two processes never write to one table.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

import asyncpg
import msgspec

from qwixx.server.batches import Batch, Fact
from qwixx.server.counts import Counts
from qwixx.server.postgres import connecting, schema, tidying
from qwixx.server.postgres.leases import HELD, Leases
from qwixx.server.retention import Keep
from qwixx.server.room import Refused, Room
from qwixx.server.store import StoreFailed, StoreLost

log = logging.getLogger("qwixx.store")
_NOW = "extract(epoch FROM clock_timestamp())"
_LINES = "SELECT * FROM unnest($4::text[], $5::integer[], $6::text[])"
_ADD_LINES_ONLY = f"{HELD} INSERT INTO ledger {_LINES} WHERE (SELECT number FROM held) = cardinality($2::text[])"  # noqa: S608 - our own text
_COUNT_HELD = f"{HELD} SELECT number FROM held"  # noqa: S608 - our own text
_ADD_LINES = "INSERT INTO ledger SELECT * FROM unnest($1::text[], $2::integer[], $3::text[])"
_ADD_ROOMS = f"""INSERT INTO tables (code, stage, touched, room)
    SELECT code, stage, {_NOW}, room FROM unnest($1::text[], $2::text[], $3::text[]) AS new (code, stage, room)"""  # noqa: S608 - our own text
_CHANGE_ROOMS = f"""UPDATE tables SET stage = new.stage, touched = {_NOW}, room = new.room
    FROM unnest($1::text[], $2::text[], $3::text[]) AS new (code, stage, room) WHERE tables.code = new.code"""  # noqa: S608 - our own text
_CUT = """DELETE FROM ledger USING unnest($1::text[], $2::integer[]) AS cut (code, step)
    WHERE ledger.code = cut.code AND ledger.step >= cut.step"""
_CHANGE_LINES = """UPDATE ledger SET line = new.line FROM unnest($1::text[], $2::text[], $3::integer[])
    AS new (line, code, step) WHERE ledger.code = new.code AND ledger.step = new.step"""
_TOUCH = f"UPDATE tables SET touched = {_NOW} WHERE code = ANY($1::text[])"  # noqa: S608 - our own text
_DELETE = (
    "DELETE FROM ledger WHERE code = ANY($1::text[])",
    "DELETE FROM tables WHERE code = ANY($1::text[])",
    "DELETE FROM due WHERE code = ANY($1::text[])",
)
_SEE = f"INSERT INTO seen VALUES (1, {_NOW}) ON CONFLICT (one) DO UPDATE SET at = excluded.at"  # noqa: S608 - our own text
_RELEASE = (
    "DELETE FROM leases USING unnest($1::text[], $2::bigint[]) AS old (code, token) WHERE leases.token = old.token"
)
_READ = "SELECT room, ARRAY(SELECT line FROM ledger WHERE code = $1 ORDER BY step) AS lines FROM tables WHERE code = $1"
_TRY_AGAIN_SECONDS = 0.5
_WAIT_SECONDS = 5.0
"""To wait for a connection to read with; whoever waits longer is told to come back."""


class _Writes(Batch):
    """A batch, and the leases that it needs."""

    def __init__(self, done: asyncio.Future[None]) -> None:
        super().__init__(done)
        self.tokens: dict[str, int] = {}
        self.released: dict[str, int] = {}

    @property
    def has_lines_only(self) -> bool:
        """Whether one statement is enough: it shows all leases that it needs, and gives none back."""
        is_plain = self.is_plain and bool(self.lines) and not self.rooms
        return is_plain and not self.released and self.needed == self.tokens.keys()

    @property
    def shown(self) -> tuple[list[str], list[int]]:
        """The leases that it shows, as columns."""
        return list(self.tokens), list(self.tokens.values())

    @property
    def added(self) -> tuple[list[str], list[int], list[str]]:
        """The lines that ledgers get more, as columns."""
        lines = self.lines
        return [each.code for each in lines], [each.step for each in lines], [each.text for each in lines]

    @property
    def needed(self) -> set[str]:
        """The tables that somebody has to have in order to write this, new ones but for their rooms."""
        lines = {each.code for each in self.lines}
        return lines.union((each[1] for each in self.changes), (each[0] for each in self.cuts), self.deleted)


class PostgresStore:
    """Tables in a database that other processes may use as well."""

    is_shared = True

    def __init__(self, url: str, sync: str = "full", *, address: str = "", readers: int = 4) -> None:
        """Mean a database; nothing is opened before `start`. Others reach this process at the address."""
        self._url, self._sync = url, sync
        self.count = 0
        self.counts = Counts()
        self.leases = Leases(url, address)
        self._trouble = ""
        self._readers = readers
        self._pool: Any = None
        self._writer: Any = None
        self._batch: _Writes | None = None
        self._wake = asyncio.Event()
        self._stopped = False
        self._writing: asyncio.Task[None] | None = None

    async def start(self, lost: Callable[[], object] = lambda: None) -> None:
        """Open what is needed, and bring the database forward. Raises `QwixxError` if that cannot be."""
        await schema.prepare(self._url)
        self._pool = await connecting.make_pool(self._url, "full", self._readers)
        try:
            await self.leases.start(partial(self._lose, lost))
            self.count = await self._fetch("SELECT count(*) FROM tables", many=False)
        except Exception as error:
            await self.close()
            raise connecting.cannot_be_used(self._url, error) from None
        self._writing = asyncio.create_task(self._run(), name="store")

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
        self._show(batch, code)
        return batch.done

    async def add(self, room: Room, lines: Sequence[str]) -> bool:
        """Keep a new table. Two that take the same free code in the same moment fail: one may ask for another again."""
        if await self.room(room.code) is not None:
            return False
        await asyncio.shield(self.write(room.code, room, 0, lines))
        return True

    def touch(self, code: str) -> asyncio.Future[None]:
        """Note that somebody came to a table; nobody has to wait for it, nor to hear if it cannot be written."""
        batch = self._gathering()
        batch.touched[code] = 0.0  # by the database's clock
        batch.done.add_done_callback(lambda done: done.cancelled() or done.exception())
        return batch.done

    def delete(self, code: str) -> asyncio.Future[None]:
        """Delete a table with all that was played there."""
        batch = self._gathering()
        batch.deleted.append(code)
        self._show(batch, code)
        return batch.done

    def note(self, statement: str, facts: Sequence[Fact]) -> asyncio.Future[None]:
        """Change a row of a table that is not about rooms; nobody has to have taken anything for that."""
        batch = self._gathering()
        batch.notes.append((statement, facts))
        return batch.done

    def see(self) -> asyncio.Future[None]:
        """Note that the server is there now."""
        batch = self._gathering()
        batch.seen = 0.0
        return batch.done

    def release(self, code: str) -> None:
        """Leave a table to whoever wants it next, after all that was written so far."""
        token = self.leases.forget(code)
        if token is not None:
            batch = self._gathering()
            batch.released[code] = token
            batch.done.add_done_callback(lambda done: done.cancelled() or done.exception())

    def _show(self, batch: _Writes, code: str) -> None:
        """Have a batch show the lease of a table. A table without one is new, or its write will fail."""
        token = self.leases.token(code)
        if token is not None:
            batch.tokens[code] = token

    def _gathering(self) -> _Writes:
        if self._batch is None:
            self._batch = _Writes(asyncio.get_running_loop().create_future())
            self._wake.set()
        return self._batch

    async def _run(self) -> None:
        while not (self._stopped and self._batch is None):
            await self._wake.wait()
            self._wake.clear()
            batch, self._batch = self._batch, None
            if batch is not None:
                began = time.perf_counter()
                error = await self._commit(batch)
                self.counts.commits.note(time.perf_counter() - began)
                self.counts.commits_failed += error is not None
                self._note(error)
                batch.finish(error)

    def _note(self, error: Exception | None) -> None:
        if error and not self._trouble:
            log.error("writing fails: %s", error)
        elif self._trouble and not error:
            log.warning("writing works again")
        self._trouble = "" if error is None else str(error)
        if error and not self._stopped:  # a proxy may send nobody before we are well, so it is not left to visitors
            asyncio.get_running_loop().call_later(_TRY_AGAIN_SECONDS, self._try_again)

    def _try_again(self) -> None:
        """Find out whether writing works again."""
        if self._trouble and not self._stopped:
            self.see().add_done_callback(lambda done: done.cancelled() or done.exception())

    @property
    def trouble(self) -> str:
        """Why the last write failed, or that nobody knows any more which tables are ours; empty if all is well."""
        return self._trouble or ("leases cannot be renewed" if self.leases.renewing.has_failed else "")

    def _lose(self, lost: Callable[[], object]) -> None:
        """Drop what waits to be written to tables that are not ours any more, and the way by which it was written."""
        lost()
        if self._writer is not None:
            self._writer.terminate()  # after a sleep it may be in the middle of something
        batch, self._batch = self._batch, None
        if batch is not None:
            batch.done.add_done_callback(lambda done: done.cancelled() or done.exception())
            batch.finish(StoreLost())

    async def _commit(self, batch: _Writes) -> Exception | None:
        """Write a batch, all or nothing; gives what went wrong."""
        try:
            if self._writer is None or self._writer.is_closed():
                self._writer = await connecting.connect(self._url, self._sync)
        except Exception as error:  # of whatever kind: all who wait have to be told, and the work goes on
            return StoreFailed(connecting.reason(error))
        server = self.leases.server
        try:
            if batch.has_lines_only:
                await self._add_lines(server, batch)
            else:
                async with self._writer.transaction():
                    more = await self._carry_out(server, batch)
                self.count += more
        except Exception as error:
            if not isinstance(error, asyncpg.PostgresError | StoreFailed):
                self._writer.terminate()
            # If the connection is gone nobody knows what was written, or still will be: until the row of this process
            # has been deleted, which waits for that, nothing is ours.
            if (isinstance(error, StoreLost) or self._writer.is_closed()) and server == self.leases.server:
                self.leases.lose()
            return error if isinstance(error, StoreFailed) else StoreFailed(connecting.reason(error))
        return None

    async def _add_lines(self, server: int, batch: _Writes) -> None:
        """Check the leases and write in one statement: that is one way to the database and back."""
        done = await self._writer.execute(_ADD_LINES_ONLY, server, *batch.shown, *batch.added)
        if done != f"INSERT 0 {len(batch.lines)}":
            raise StoreLost

    async def _carry_out(self, server: int, batch: _Writes) -> int:
        """Do all writes of a batch; gives how many tables there are more."""
        execute = self._writer.execute
        held = await self._writer.fetchval(_COUNT_HELD, server, *batch.shown) if batch.tokens else 0
        fresh = batch.rooms.keys() - batch.tokens.keys()
        if held != len(batch.tokens) or batch.needed - batch.tokens.keys() - fresh:
            raise StoreLost
        for statement, codes in ((_ADD_ROOMS, fresh), (_CHANGE_ROOMS, batch.rooms.keys() - fresh)):
            if codes:
                rooms = [batch.rooms[code] for code in codes]
                texts = ([room[3] for room in rooms], [room[0] for room in rooms], [room[2] for room in rooms])
                _check(await execute(statement, *texts), len(rooms))
        if batch.cuts:
            await execute(_CUT, *_columns(batch.cuts, 2))
        if batch.lines:
            await execute(_ADD_LINES, *batch.added)
        if batch.changes:
            _check(await execute(_CHANGE_LINES, *_columns(batch.changes, 3)), len(batch.changes))
        if batch.touched:
            await execute(_TOUCH, list(batch.touched))
        gone = 0
        if batch.deleted:
            gone = [_number(await execute(statement, batch.deleted)) for statement in _DELETE][1]
        if batch.released:
            await execute(_RELEASE, list(batch.released), list(batch.released.values()))
        for note, facts in batch.notes:
            await execute(_numbered(note), *facts)
        if batch.seen is not None:
            await execute(_SEE)
        return len(fresh) - gone

    # ---- reading

    async def read(self, code: str) -> tuple[Room, list[str]] | None:
        """Give a room and its ledger, both of the same moment."""
        found = await self._fetch(_READ, code)
        return (msgspec.json.decode(found[0]["room"], type=Room), found[0]["lines"]) if found else None

    async def room(self, code: str) -> Room | None:
        """Give a room alone, which costs the same however much was played there."""
        found = await self._fetch("SELECT room FROM tables WHERE code = $1", code, many=False)
        return msgspec.json.decode(found, type=Room) if found else None

    async def latest(self, most: int) -> list[tuple[Room, float]]:
        """Give so many rooms, those that were touched last first, each with that moment."""
        rows = await self._fetch("SELECT room, touched FROM tables ORDER BY touched DESC LIMIT $1", most)
        return [(msgspec.json.decode(row["room"], type=Room), float(row["touched"])) for row in rows]

    async def look_up(self, question: str, facts: Sequence[Fact]) -> list[tuple[Fact, ...]]:
        """Read rows of a table that is not about rooms."""
        return [tuple(row) for row in await self._fetch(_numbered(question), *facts)]

    async def last_seen(self) -> float | None:
        """Give the moment of the last `see`."""
        found = await self._fetch("SELECT at FROM seen", many=False)
        return None if found is None else float(found)

    async def _fetch(self, question: str, *facts: object, many: bool = True) -> Any:
        async with self._reading() as connection:
            return await (connection.fetch if many else connection.fetchval)(question, *facts)

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[Any]:
        """Borrow a connection. Raises `Refused` if none is free for long, `StoreFailed` if the database fails."""
        try:
            connection = await self._pool.acquire(timeout=_WAIT_SECONDS)
        except TimeoutError:
            raise Refused("busy") from None
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            raise StoreFailed(connecting.reason(error)) from None
        try:
            yield connection
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            raise StoreFailed(connecting.reason(error)) from None
        finally:
            await self._pool.release(connection)

    # ---- whose tables are whose

    async def take(self, code: str) -> None:
        """Take a table. Raises `Elsewhere` if a process that lives has it."""
        async with self._reading() as connection:
            await self.leases.take(connection, code)

    def holds(self, code: str) -> bool:
        """Tell whether a table was taken, and nobody can have taken it from this process since."""
        return self.leases.is_current and self.leases.token(code) is not None

    async def confirm(self, code: str) -> bool:
        """Ask the database whether a table is still ours: this process was slow, and perhaps nobody has noticed."""
        token = self.leases.token(code)
        if token is not None and not self.leases.is_current:
            with contextlib.suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                await self.leases.renew()
        return self.holds(code) and self.leases.token(code) == token

    # ---- tidying up

    async def clean(self, keep: Keep, spare: Collection[str] = ()) -> int:
        """Delete tables that nobody needs any more, but for some and for those that any process has in memory."""
        async with self._reading() as connection:
            gone = await tidying.clean(connection, keep, spare)
        self.count = await self._fetch("SELECT count(*) FROM tables", many=False)
        return gone

    async def close(self) -> None:
        """Write what is left, leave all tables to others, and let go of the database."""
        self._stopped = True
        self._wake.set()
        if self._writing is not None:
            await self._writing
        await self.leases.close()
        if self._writer is not None:
            self._writer.terminate()
        if self._pool is not None:
            self._pool.terminate()


def _columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[list[Any]]:
    """Give rows as columns, which is how a database takes many of them at once."""
    return [[row[place] for row in rows] for place in range(width)]


def _numbered(statement: str) -> str:
    """Give each fact of a statement its number, as this database wants it: `?` becomes `$1`, `$2` and so on."""
    numbers = itertools.count(1)
    return re.sub(r"\?", lambda _: f"${next(numbers)}", statement)


def _number(done: str) -> int:
    """Read from what the database says of a statement how many rows it was about."""
    return int(done.rpartition(" ")[2])


def _check(done: str, wanted: int) -> None:
    if _number(done) != wanted:
        raise StoreFailed("a room or a line that should change is not there")
