"""The registry of all tables: open, find, load and unload them. A table is in memory only while it is in use."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence

import msgspec

from qwixx.fair.commitment import new_seed
from qwixx.server.base.background_tasks import BackgroundTask
from qwixx.server.base.counters import Counters
from qwixx.server.base.errors import Refused
from qwixx.server.base.retention import RetentionPolicy
from qwixx.server.base.settings import Settings
from qwixx.server.limits.bans import Bans
from qwixx.server.limits.limiter import Limiter
from qwixx.server.room import ledger
from qwixx.server.room.bots import AllowedBots
from qwixx.server.room.codes import is_code, is_join_code, join_code, new_code
from qwixx.server.room.display_names import checked_name
from qwixx.server.room.room import Room, new_room
from qwixx.server.room.seats import Seat, hash_token, new_token
from qwixx.server.store.interface import LeaseLost, Store
from qwixx.server.table import core
from qwixx.server.table.announcement import Announcer
from qwixx.server.table.core import Core
from qwixx.server.table.finished_games import FinishedGames
from qwixx.server.table.hint_requests import HintService
from qwixx.server.table.inbox import Unload
from qwixx.server.table.table import Table
from qwixx.server.today.daily_game import DailyGames
from qwixx.server.workers import import_job, tasks
from qwixx.server.workers.import_job import ImportedGame
from qwixx.server.workers.pools import Pools
from qwixx.server.workers.shared_bots import SharedBots

log = logging.getLogger("qwixx.tables")
_JOIN = "SELECT code FROM tables WHERE code > ? AND code < ? AND stage = 'lobby' LIMIT 2"
SWEEP_SECONDS = 30.0
_CLEANUP_SECONDS = 3600.0
_DAY = 86400.0
_HEARTBEAT_TIMEOUT = 30.0
"""Seconds for a small write; a slower disk counts as broken."""
_TOUCH_TIMEOUT = 1.0
"""Seconds to wait for the write of a visit; with a read-only disk clients can still watch."""


class Tables:
    """All tables of this server."""

    def __init__(self, settings: Settings, store: Store) -> None:
        """Start with no table in memory; tables are loaded from the store when a client connects."""
        self.settings = settings
        self.store = store
        self.counts = Counters()
        store.counts = self.counts
        self.allowed = AllowedBots(settings.players, settings.bot_seconds)
        self.loaded: dict[str, Table] = {}
        self.connections = 0
        """Number of connections of all tables."""
        self.closed_codes = Bans()
        """Codes of tables that the operator has closed."""
        self.banned = Bans()
        """Addresses that the operator has banned."""
        self.announcer = Announcer(self)
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self.limiter = Limiter(settings)
        self.pools = Pools(self.counts, self.limiter)
        self.hint_service = HintService(self.pools)
        self.shared_bots = SharedBots(self.pools)
        self.daily_games = DailyGames(self)
        self.finished_games = FinishedGames(store, self.pools, settings.replay_memory, self.daily_games.is_secret)
        self._background = (
            BackgroundTask("unloading", self._unload_idle, lambda: SWEEP_SECONDS),
            BackgroundTask("store", self._check_store, lambda: SWEEP_SECONDS),
        )
        self._cleaned_at = -_CLEANUP_SECONDS
        self.is_stopping = False
        """Whether the server will stop soon: it still serves, but proxies should route new clients to other servers."""
        self.is_closing = False

    # ---- opening

    async def open(self, variant: str, sheet: str, bots: list[str], name: str | None) -> tuple[str, str | None]:
        """Open a table and write it to the store; return its code and the token of its first player, if any."""
        self._check_capacity()
        room = new_room(variant, sheet)
        token = None
        if name is not None:
            token = new_token()
            room.add_person(checked_name(name, self.settings.name_length), hash_token(token))
        for player in bots:
            room.add_bot(self.allowed.check(player, room.rules))
        await self._save_new(room, Core())
        return room.code, token

    async def open_rematch(self, room: Room, agreed: Sequence[int]) -> str:
        """
        Open a table with the same people, and those who wait, and start its game. Their tokens are valid there too.

        Its seed was promised at the table before, where people added words to it; they open them here, before the first
        roll. Bots play for those who have not agreed, until they connect.
        """
        places = room.rematch_seats()
        stand_in = self.allowed.default(room.rules, len(places))
        seats = [
            Seat(s.name, key=s.key, seal=s.next_seal)
            if s.key and (place in agreed or stand_in is None)
            else Seat(s.name, "bot", stand_in if s.key else s.level, s.key, seal=s.next_seal)
            for place, s in places
        ]
        lucky = room.options.lucky if len(seats) == len(room.seats) else None  # there is a pair for each seat
        options = msgspec.structs.replace(room.options, lucky=lucky)
        after = Room("", room.variant, seats=seats, options=options, host=room.host)
        after.seed = room.next_seed or new_seed()  # games that ended in an older version have no promise
        return await self.open_begun(after)

    async def import_record(self, text: str, address: str = "") -> ImportedGame:
        """Import a game from its record, to be shown or continued here; return tokens for its people."""
        self._check_capacity()
        checked = import_job.CHECKED.decode(
            await self.pools.submit_to_worker("replays", tasks.ImportTask(text), address)
        )
        room, tokens = import_job.make_room(text, checked, self.allowed, self.settings.name_length)
        await self._write(room, checked.lines)
        return ImportedGame(room.code, tokens, checked.over)

    async def open_begun(self, room: Room) -> str:
        """Open a table and start its game; return its code."""
        self._check_capacity()
        begun = Core()
        if not room.lock():  # else the table starts it, when words are opened
            begun = Core(ledger.start_game(room))
            room.stage = "playing"
        await self._save_new(room, begun)
        return room.code

    async def _save_new(self, room: Room, begun: Core) -> None:
        """Write a new room, and load it. With a shared store, the process where its clients connect loads it."""
        await self._write(room, ())
        if not self.store.is_shared:
            self._load(room, begun)

    async def _write(self, room: Room, lines: Sequence[str]) -> None:
        """Find a free code for a room, and write it with the lines of its ledger."""
        room.code = new_code()
        while (
            room.code in self.loaded
            or await self._find_joinable(join_code(room.code))
            or not await self.store.add(room, lines)
        ):
            room.code = new_code()
        self.counts.opened[room.variant] += 1
        log.info("table opened", extra={"code": room.code, "variant": room.variant})

    def _check_capacity(self) -> None:
        if self.is_closing or len(self.loaded) >= self.settings.max_tables:
            raise Refused("too-many-tables")

    # ---- finding

    async def find_room(self, code: str) -> Room | None:
        """Return the room of a code, or of a join code while that table is in its lobby."""
        room = await self.store.room(code)
        if room is None and (joinable := await self._find_joinable(code)):
            room = await self.store.room(joinable)
        return room

    async def _find_joinable(self, join: str) -> str | None:
        """Return the code of the table in its lobby that has this join code; None once its game has started."""
        if not is_join_code(join):
            return None
        found = await self.store.query(_JOIN, (join, join + "~"))
        return str(found[0][0]) if len(found) == 1 else None

    async def find(self, code: str, address: str = "") -> Table | None:
        """
        Return a table, loaded from the store if necessary; None if there is no such table.

        Tables that wait to be loaded are loaded address by address. Raises `OwnedElsewhere` if another process has it,
        and `Damaged` if it cannot be continued.
        """
        table = self.loaded.get(code)
        if table is not None and not table.is_gone:
            return table
        if not is_code(code) or self.is_closing:
            return None
        if code not in self._loading:
            # Concurrent callers share one task, so that no table is loaded twice.
            self._loading[code] = asyncio.create_task(self._load_from_store(code, address))
            self._loading[code].add_done_callback(lambda _: self._loading.pop(code, None))
        return await asyncio.shield(self._loading[code])

    async def _load_from_store(self, code: str, address: str) -> Table | None:
        leaving = self.loaded.get(code)
        if leaving is not None:
            await asyncio.wait([leaving.ended])
        if await self.store.room(code) is None:
            return None
        if len(self.loaded) >= self.settings.max_tables and not await self._unload_longest_idle():
            raise Refused("too-many-tables")
        await self.store.acquire(code)
        try:
            with self.store.setting_aside(code):
                table = await self._read(code, address)
        except BaseException:
            self.store.release(code)
            raise
        if table is None:
            self.store.release(code)
        return table

    async def _read(self, code: str, address: str) -> Table | None:
        await self._touch(code)
        found = await self.store.read(code)  # after the touch: now no process deletes it as old
        if found is None:
            return None
        room, lines = found
        if room.day:
            await self.daily_games.ready()  # a roll may be due immediately
        begun = await self.pools.run("waking", lambda: core.resume(room, lines), address)
        if not self.store.is_owner(code):
            raise LeaseLost
        return None if self.is_closing else self._load(room, begun)

    async def _touch(self, code: str) -> None:
        """Record a visit, if the disk can be written."""
        await asyncio.wait([self.store.touch(code)], timeout=_TOUCH_TIMEOUT)

    async def _unload_longest_idle(self) -> bool:
        """Unload the table without connections that is idle for longest; return whether there is a free place now."""
        idle = [table for table in self.loaded.values() if not table.connections]
        if not idle:
            return False
        longest = min(idle, key=lambda table: table.touched)
        longest.post(Unload())
        await asyncio.wait([longest.ended], timeout=_TOUCH_TIMEOUT)
        return len(self.loaded) < self.settings.max_tables

    def _load(self, room: Room, begun: Core) -> Table:
        table = self.loaded[room.code] = Table(room, begun, self)
        return table

    def forget(self, table: Table) -> None:
        """Remove an unloaded table and release it in the store."""
        if self.loaded.get(table.room.code) is table:
            del self.loaded[table.room.code]
            self.store.release(table.room.code)

    def _evict_all(self) -> None:
        """Unload all tables immediately: other processes may have written to them."""
        for table in list(self.loaded.values()):
            table.evict()

    # ---- background work

    async def start(self) -> None:
        """Open the store and start the background work."""
        await self.store.start(self._evict_all)
        for work in self._background:
            work.start()

    def troubles(self) -> list[str]:
        """List the parts that do not work now, for the operator."""
        failed = {work.name for work in self._background if work.has_failed}
        return sorted(failed | ({"store"} if self.store.trouble else set()))

    async def _unload_idle(self) -> None:
        self.unload_idle()

    async def _check_store(self) -> None:
        """Check that writing works, and delete old tables once an hour."""
        now = time.monotonic()
        if now - self._cleaned_at > _CLEANUP_SECONDS:
            await self._warn_of_clock()
            keep = RetentionPolicy(self.settings.keep_days * _DAY, self.settings.keep_finished_days * _DAY)
            count = await self.store.clean(keep, list(self.loaded))
            await self.daily_games.clean()
            self._cleaned_at = now
            if count:
                log.info("old tables deleted", extra={"count": count})
        written = self.store.heartbeat()
        await asyncio.wait([written], timeout=_HEARTBEAT_TIMEOUT)
        if not written.done():
            raise TimeoutError("the disk does not answer")
        written.result()

    async def _warn_of_clock(self) -> None:
        """Log a warning if the clock has jumped by days since the last heartbeat: it may be wrong."""
        seen = await self.store.last_heartbeat()
        days = 0 if seen is None else int((time.time() - seen) / _DAY)
        if days:
            log.warning(
                "the clock has moved by days since the last heartbeat; old tables are deleted in a day",
                extra={"days": days},
            )

    def unload_idle(self) -> None:
        """Unload tables without connections after some minutes; those without a running game sooner."""
        now = time.monotonic()
        for table in list(self.loaded.values()):
            minutes = (
                self.settings.idle_minutes if table.room.stage == "playing" else min(self.settings.idle_minutes, 1)
            )
            if not table.connections and now - table.touched > minutes * 60:
                table.post(Unload())

    def announce_stop(self) -> None:
        """Report to health checks from now on that the server will stop."""
        self.is_stopping = True

    async def unload_all(self) -> None:
        """Unload all tables after their current work, so that other processes can load them immediately."""
        self.is_stopping = self.is_closing = True
        tables = list(self.loaded.values())
        for table in tables:
            table.post(Unload(by_force=True))
        if tables:
            await asyncio.wait([table.ended for table in tables])

    async def close(self) -> None:
        """Stop all tables, then the store."""
        for work in self._background:
            work.stop()
        await self.unload_all()
        self.pools.close()
        await self.store.close()
