"""
The store in PostgreSQL: one connection writes, with many moves in one commit; a few others read.

Writes that arrive during a commit share the next one. Every transaction checks the fencing tokens of its leases (see
`leases`), so that two processes never write to one table.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from functools import partial
from typing import Any

import asyncpg

from qwixx.server.base.errors import Refused, StoreFailed
from qwixx.server.base.retention import RetentionPolicy
from qwixx.server.limits.declared import MAX_WAIT, READERS
from qwixx.server.room.integrity import check_steps
from qwixx.server.room.room import Room
from qwixx.server.store.interface import LeaseLost, Store, ignore_failure
from qwixx.server.store.postgres import cleanup, schema
from qwixx.server.store.postgres import connection as connecting
from qwixx.server.store.postgres.leases import HELD, Leases
from qwixx.server.store.write_batch import Batch, SqlValue

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
_TOUCH = f"UPDATE tables SET touched = {_NOW} WHERE code = ANY($1::text[])"  # noqa: S608 - our own text
_DELETE = (
    "DELETE FROM ledger WHERE code = ANY($1::text[])",
    "DELETE FROM tables WHERE code = ANY($1::text[])",
    "DELETE FROM due WHERE code = ANY($1::text[])",
)
_HEARTBEAT = f"INSERT INTO seen VALUES (1, {_NOW}) ON CONFLICT (one) DO UPDATE SET at = excluded.at"  # noqa: S608 - our own text
_RELEASE = (
    "DELETE FROM leases USING unnest($1::text[], $2::bigint[]) AS old (code, token) WHERE leases.token = old.token"
)
_READ = """SELECT room, ARRAY(SELECT step FROM ledger WHERE code = $1 ORDER BY step) AS steps,
    ARRAY(SELECT line FROM ledger WHERE code = $1 ORDER BY step) AS lines FROM tables WHERE code = $1"""
_RETRY_SECONDS = 0.5


class _Writes(Batch):
    """A batch with its leases."""

    def __init__(self, done: asyncio.Future[None]) -> None:
        super().__init__(done)
        self.tokens: dict[str, int] = {}
        self.released: dict[str, int] = {}

    @property
    def has_lines_only(self) -> bool:
        """Whether one statement is enough: it has all leases that it needs, and releases none."""
        is_plain = self.is_plain and bool(self.lines) and not self.rooms
        return is_plain and not self.released and self.needed == self.tokens.keys()

    @property
    def lease_columns(self) -> tuple[list[str], list[int]]:
        """Codes and fencing tokens of its leases, as columns."""
        return list(self.tokens), list(self.tokens.values())

    @property
    def line_columns(self) -> tuple[list[str], list[int], list[str]]:
        """The new lines of ledgers, as columns."""
        lines = self.lines
        return [each.code for each in lines], [each.step for each in lines], [each.text for each in lines]

    @property
    def needed(self) -> set[str]:
        """The tables that this process has to own for this batch; a new room alone needs no lease."""
        lines = {each.code for each in self.lines}
        return lines.union((each[0] for each in self.cuts), self.deleted)


class PostgresStore(Store):
    """A store that other processes may share."""

    is_shared = True

    def __init__(self, url: str, sync: str = "full", *, address: str = "", readers: int = 4) -> None:
        """Open nothing before `start`. Other processes reach this one at `address`."""
        super().__init__()
        self._url, self._sync = url, sync
        self.leases = Leases(url, address)
        self._readers = readers
        self._pool: Any = None
        self._writer: Any = None
        self._batch: _Writes | None = None
        self._has_batch = asyncio.Event()
        self._stopped = False
        self._writing: asyncio.Task[None] | None = None

    async def start(self, lost: Callable[[], object] = lambda: None) -> None:
        """Migrate the database and open the connections. Raises `QwixxError` if it cannot be used."""
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

    async def add(self, room: Room, lines: Sequence[str]) -> bool:
        """Add a new table. If two processes use the same free code at the same time, one fails and may try again."""
        if await self.room(room.code) is not None:
            return False
        await asyncio.shield(self.write(room.code, room, 0, lines))
        return True

    def release(self, code: str) -> None:
        """Release a table after all writes so far."""
        token = self.leases.forget(code)
        if token is not None:
            batch = self._current_batch()
            batch.released[code] = token
            ignore_failure(batch.done)

    def _batch_of(self, code: str) -> Batch:
        """Add the lease of a table to the current batch. A table without a lease is new, or its write will fail."""
        batch, token = self._current_batch(), self.leases.token(code)
        if token is not None:
            batch.tokens[code] = token
        return batch

    def _current_batch(self) -> _Writes:
        if self._batch is None:
            self._batch = _Writes(asyncio.get_running_loop().create_future())
            self._has_batch.set()
        return self._batch

    async def _run(self) -> None:
        while not (self._stopped and self._batch is None):
            await self._has_batch.wait()
            self._has_batch.clear()
            batch, self._batch = self._batch, None
            if batch is not None:
                began = time.perf_counter()
                error = await self._commit(batch)
                self._report(began, error)
                if error and not self._stopped:
                    # While writing fails, a proxy may route no clients here, so retry without waiting for one.
                    asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._retry)
                batch.finish(error)

    def _retry(self) -> None:
        """Check whether writing works again."""
        if self._trouble and not self._stopped:
            ignore_failure(self.heartbeat())

    @property
    def trouble(self) -> str:
        """Why the last write failed, or that leases cannot be renewed; empty if all is well."""
        return self._trouble or ("leases cannot be renewed" if self.leases.renewing.has_failed else "")

    def _lose(self, lost: Callable[[], object]) -> None:
        """Drop the current batch and the writing connection: this process does not own its tables any more."""
        lost()
        if self._writer is not None:
            self._writer.terminate()  # after a sleep of the machine it may be inside a transaction
        batch, self._batch = self._batch, None
        if batch is not None:
            ignore_failure(batch.done)
            batch.finish(LeaseLost())

    async def _commit(self, batch: _Writes) -> Exception | None:
        """Write a batch, all or nothing; return the error, if any."""
        try:
            if self._writer is None or self._writer.is_closed():
                self._writer = await connecting.connect(self._url, self._sync)
        except Exception as error:  # all waiting callers get the error, and the task continues
            return StoreFailed(connecting.reason(error))
        server = self.leases.server
        try:
            if batch.has_lines_only:
                await self._add_lines(server, batch)
            else:
                async with self._writer.transaction():
                    more = await self._write_all(server, batch)
                self.count += more
        except Exception as error:
            if not isinstance(error, asyncpg.PostgresError | StoreFailed):
                self._writer.terminate()
            # If the connection is lost, it is unknown what was written, or still will be. So this process owns nothing
            # until its row is deleted, which waits for running writes.
            if (isinstance(error, LeaseLost) or self._writer.is_closed()) and server == self.leases.server:
                self.leases.drop_all()
            return error if isinstance(error, StoreFailed) else StoreFailed(connecting.reason(error))
        return None

    async def _add_lines(self, server: int, batch: _Writes) -> None:
        """Check the leases and write lines in one statement, which is one round trip."""
        done = await self._writer.execute(_ADD_LINES_ONLY, server, *batch.lease_columns, *batch.line_columns)
        if done != f"INSERT 0 {len(batch.lines)}":
            raise LeaseLost

    async def _write_all(self, server: int, batch: _Writes) -> int:
        """Do all writes of a batch; return by how much the number of tables has grown."""
        execute = self._writer.execute
        held = await self._writer.fetchval(_COUNT_HELD, server, *batch.lease_columns) if batch.tokens else 0
        fresh = batch.rooms.keys() - batch.tokens.keys()
        if held != len(batch.tokens) or batch.needed - batch.tokens.keys() - fresh:
            raise LeaseLost
        for statement, codes in ((_ADD_ROOMS, fresh), (_CHANGE_ROOMS, batch.rooms.keys() - fresh)):
            if codes:
                rooms = [batch.rooms[code] for code in codes]
                texts = ([room[3] for room in rooms], [room[0] for room in rooms], [room[2] for room in rooms])
                _check(await execute(statement, *texts), len(rooms))
        if batch.cuts:
            await execute(_CUT, *_columns(batch.cuts, 2))
        if batch.lines:
            await execute(_ADD_LINES, *batch.line_columns)
        if batch.touched:
            await execute(_TOUCH, list(batch.touched))
        gone = 0
        if batch.deleted:
            gone = [_number(await execute(statement, batch.deleted)) for statement in _DELETE][1]
        if batch.released:
            await execute(_RELEASE, list(batch.released), list(batch.released.values()))
        for statement, values in batch.statements:
            await execute(_numbered(statement), *values)
        if batch.heartbeat is not None:
            await execute(_HEARTBEAT)
        return len(fresh) - gone

    # ---- reading

    async def read(self, code: str) -> tuple[Room, list[str]] | None:
        """Return a room and its ledger, from one snapshot."""
        found = await self._fetch(_READ, code)
        if not found:
            return None
        room = self._decode(code, found[0]["room"])
        check_steps(found[0]["steps"])
        return room, found[0]["lines"]

    async def room(self, code: str) -> Room | None:
        """Return a room without its ledger, in constant time."""
        found = await self._fetch("SELECT room FROM tables WHERE code = $1", code, many=False)
        return self._decode(code, found) if found else None

    async def latest(self, limit: int) -> list[tuple[Room, float]]:
        """Return at limit `limit` rooms, the last visited first, each with the time of its visit."""
        rows = await self._fetch("SELECT code, room, touched FROM tables ORDER BY touched DESC LIMIT $1", limit)
        return self._decode_all((row["code"], row["room"], float(row["touched"])) for row in rows)

    async def query(self, statement: str, values: Sequence[SqlValue]) -> list[tuple[SqlValue, ...]]:
        """Return the rows of a SELECT."""
        return [tuple(row) for row in await self._fetch(_numbered(statement), *values)]

    async def last_heartbeat(self) -> float | None:
        """Return the time of the last heartbeat."""
        found = await self._fetch("SELECT at FROM seen", many=False)
        return None if found is None else float(found)

    async def _fetch(self, statement: str, *values: object, many: bool = True) -> Any:
        async with self._reading() as connection:
            return await (connection.fetch if many else connection.fetchval)(statement, *values)

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[Any]:
        """Use a connection of the pool. Raises `Refused` if none is free for long, `StoreFailed` if it fails."""
        try:
            connection = await self._pool.acquire(timeout=MAX_WAIT)
        except TimeoutError:
            raise Refused(READERS.refusal) from None
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            raise StoreFailed(connecting.reason(error)) from None
        try:
            yield connection
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            raise StoreFailed(connecting.reason(error)) from None
        finally:
            await self._pool.release(connection)

    # ---- ownership of tables

    async def acquire(self, code: str) -> None:
        """Get the lease of a table. Raises `OwnedElsewhere` if a live process has it."""
        async with self._reading() as connection:
            await self.leases.acquire(connection, code)

    def is_owner(self, code: str) -> bool:
        """Return whether this process has the lease of a table and no other can have taken it over."""
        return self.leases.is_current and self.leases.token(code) is not None

    async def verify_owner(self, code: str) -> bool:
        """Renew the leases if they may have expired, and return whether this process still owns a table."""
        token = self.leases.token(code)
        if token is not None and not self.leases.is_current:
            with contextlib.suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                await self.leases.renew()
        return self.is_owner(code) and self.leases.token(code) == token

    # ---- cleanup

    async def clean(self, keep: RetentionPolicy, spare: Collection[str] = ()) -> int:
        """Delete old tables, except those in `spare` and those that any process has in memory."""
        async with self._reading() as connection:
            gone = await cleanup.clean(connection, keep, spare)
        self.count = await self._fetch("SELECT count(*) FROM tables", many=False)
        return gone

    async def close(self) -> None:
        """Finish all writes, release all tables and close the connections."""
        self._stopped = True
        self._has_batch.set()
        if self._writing is not None:
            await self._writing
        await self.leases.close()
        if self._writer is not None:
            self._writer.terminate()
        if self._pool is not None:
            self._pool.terminate()


def _columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[list[Any]]:
    """Return rows as columns, for `unnest`."""
    return [[row[place] for row in rows] for place in range(width)]


def _numbered(statement: str) -> str:
    """Replace the placeholders of a statement: `?` becomes `$1`, `$2` and so on."""
    numbers = itertools.count(1)
    return re.sub(r"\?", lambda _: f"${next(numbers)}", statement)


def _number(done: str) -> int:
    """Return the number of rows from the status of a statement, for example `UPDATE 3`."""
    return int(done.rpartition(" ")[2])


def _check(done: str, wanted: int) -> None:
    if _number(done) != wanted:
        raise StoreFailed("a room that should change is not there")
