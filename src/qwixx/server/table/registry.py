"""All tables: opening, finding, waking and unloading them. A table lives in memory only while somebody needs it."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Sequence

import msgspec

from qwixx.fair import new_seed
from qwixx.record import read_record
from qwixx.server import bringing, ledger, tasks
from qwixx.server.archive import Archive
from qwixx.server.background import Background
from qwixx.server.bars import Bars
from qwixx.server.bringing import Brought
from qwixx.server.counts import Counts
from qwixx.server.days import Days
from qwixx.server.hinting import HintDesk
from qwixx.server.inbox import Unload
from qwixx.server.ledger import Resumed
from qwixx.server.names import take_name
from qwixx.server.players import Allowed
from qwixx.server.pools import Pools
from qwixx.server.regulars import Regulars
from qwixx.server.retention import Keep
from qwixx.server.room import Refused, Room, new_room
from qwixx.server.seats import Seat, hashed, new_token
from qwixx.server.settings import Settings
from qwixx.server.store import Store, StoreLost
from qwixx.server.table import Table

log = logging.getLogger("qwixx.tables")
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits that are not mistaken for one another when somebody reads a code aloud; a byte draws one of 32."""
_CODE_LENGTH = 8
"""40 bits: with the few wrong codes that an address may try, nobody meets a table by chance."""
_OLD_CODE_LENGTH = 5
"""Tables of older versions keep their codes."""
SWEEP_SECONDS = 30.0
_CLEAN_SECONDS = 3600.0
_DAY = 86400.0
_SEE_PATIENCE = 30.0
"""Seconds for a small write; a disk that takes longer counts as one that does not work."""
_TOUCH_PATIENCE = 1.0
"""Seconds to wait for the note that somebody came; a disk that cannot be written keeps nobody from looking."""


class Tables:
    """Everything that is played on this server."""

    def __init__(self, settings: Settings, store: Store) -> None:
        """Start with no table in memory; those in the store wait for somebody to come."""
        self.settings = settings
        self.store = store
        self.counts = Counts()
        store.counts = self.counts
        self.allowed = Allowed(settings.players, settings.bot_seconds)
        self.loaded: dict[str, Table] = {}
        self.connections = 0
        """How many connections all tables have together."""
        self.closed = Bars()
        """Codes of tables that the operator has closed."""
        self.barred = Bars()
        """Addresses that the operator keeps out."""
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self.pools = Pools(self.counts)
        self.hints = HintDesk(self.pools)
        self.regulars = Regulars(self.pools)
        self.days = Days(self)
        self.archive = Archive(store, self.pools, settings.replay_memory, self.days.hides)
        self._background = (
            Background("unloading", self._unload_idle, lambda: SWEEP_SECONDS),
            Background("store", self._look_after_store, lambda: SWEEP_SECONDS),
        )
        self._cleaned = -_CLEAN_SECONDS
        self.is_stopping = False
        """Whether the server is about to stop: everything goes on, but proxies should lead newcomers elsewhere."""
        self.is_closing = False

    # ---- opening

    async def open(self, variant: str, sheet: str, bots: list[str], name: str | None) -> tuple[str, str | None]:
        """Open a table, written before anybody hears of it; gives its code and, if somebody sits down, their token."""
        self._check_room_for_one()
        room = new_room(variant, sheet)
        token = None
        if name is not None:
            token = new_token()
            room.add_person(take_name(name, self.settings.name_length), hashed(token))
        for player in bots:
            room.add_bot(self.allowed.check(player, room.rules))
        await self._settle(room, Resumed())
        return room.code, token

    async def open_next(self, room: Room, wanting: Sequence[int]) -> str:
        """
        Open the next table for the same people, begun already. Their tokens open their seats there too.

        Bots play for those who have not said that they want it, until they come.
        """
        stand_in = self.allowed.usual(room.rules, len(room.seats))
        seats = [
            Seat(s.name, key=s.key)
            if s.key and (place in wanting or stand_in is None)
            else Seat(s.name, "bot", stand_in if s.key else s.level, s.key)
            for place, s in enumerate(room.seats)
        ]
        after = Room("", room.variant, seats=seats, options=msgspec.structs.replace(room.options), host=room.host)
        after.seed = new_seed()
        return await self.open_begun(after)

    async def bring(self, text: str) -> Brought:
        """Take in a game from its record, so that it is shown or goes on here; gives its people their tokens."""
        self._check_room_for_one()
        over = await self.pools.hand_over("replays", tasks.Brought(text)) == b"over"
        record = await self.pools.run("replays", lambda: read_record(text))
        room, tokens = bringing.make_room(text, record, self.allowed, self.settings.name_length, over=over)
        await self._write(room, bringing.lines_of(text, record))
        return Brought(room.code, tokens, over)

    async def open_begun(self, room: Room) -> str:
        """Open a table whose game begins at once; gives its code."""
        self._check_room_for_one()
        begun = Resumed(ledger.begin(room))
        room.stage = "playing"
        await self._settle(room, begun)
        return room.code

    async def _settle(self, room: Room, begun: Resumed) -> None:
        """Have a new room written. If other processes might be asked for it, it belongs to the one that is asked."""
        await self._write(room, ())
        if not self.store.is_shared:
            self._load(room, begun)

    async def _write(self, room: Room, lines: Sequence[str]) -> None:
        """Find a free code for a room, and have it written with what was played already."""
        room.code = self._new_code()
        while room.code in self.loaded or not await self.store.add(room, lines):
            room.code = self._new_code()
        self.counts.opened[room.variant] += 1
        log.info("table opened", extra={"code": room.code, "variant": room.variant})

    def _new_code(self) -> str:
        return "".join([_ALPHABET[byte % len(_ALPHABET)] for byte in secrets.token_bytes(_CODE_LENGTH)])

    def _check_room_for_one(self) -> None:
        if self.is_closing or len(self.loaded) >= self.settings.max_tables:
            raise Refused("too-many-tables")

    # ---- finding

    async def find(self, code: str) -> Table | None:
        """
        Give a table, woken from the store if need be; None if there is no such table.

        Raises `Elsewhere` if another process has it.
        """
        table = self.loaded.get(code)
        if table is not None and not table.is_gone:
            return table
        if not is_code(code) or self.is_closing:
            return None
        if code not in self._loading:
            # All who come at the same time wait for one and the same waking, so that no table exists twice.
            self._loading[code] = asyncio.create_task(self._wake(code))
            self._loading[code].add_done_callback(lambda _: self._loading.pop(code, None))
        return await asyncio.shield(self._loading[code])

    async def _wake(self, code: str) -> Table | None:
        leaving = self.loaded.get(code)
        if leaving is not None:
            await asyncio.wait([leaving.ended])
        if await self.store.room(code) is None:
            return None
        if len(self.loaded) >= self.settings.max_tables and not await self._make_place():
            raise Refused("too-many-tables")
        await self.store.take(code)
        try:
            table = await self._read(code)
        except BaseException:
            self.store.release(code)
            raise
        if table is None:
            self.store.release(code)
        return table

    async def _read(self, code: str) -> Table | None:
        await self._touch(code)
        found = await self.store.read(code)  # after the note: now nobody deletes it as old
        if found is None:
            return None
        room, lines = found
        if room.day:
            await self.days.ready()  # its dice may be due at once
        resumed = await self.pools.run("waking", lambda: _resume(room, lines))
        if not self.store.holds(code):
            raise StoreLost
        return None if self.is_closing else self._load(room, resumed)

    async def _touch(self, code: str) -> None:
        """Note that somebody came, if the disk can be written."""
        await asyncio.wait([self.store.touch(code)], timeout=_TOUCH_PATIENCE)

    async def _make_place(self) -> bool:
        """Let the table leave memory that nobody has looked at for longest: somebody comes back to another."""
        idle = [table for table in self.loaded.values() if not table.connections]
        if not idle:
            return False
        longest = min(idle, key=lambda table: table.touched)
        longest.post(Unload())
        await asyncio.wait([longest.ended], timeout=_TOUCH_PATIENCE)
        return len(self.loaded) < self.settings.max_tables

    def _load(self, room: Room, resumed: Resumed) -> Table:
        table = self.loaded[room.code] = Table(room, resumed, self)
        return table

    def forget(self, table: Table) -> None:
        """Let go of a table that has left memory."""
        if self.loaded.get(table.room.code) is table:
            del self.loaded[table.room.code]
            self.store.release(table.room.code)

    def _lose(self) -> None:
        """Forget all tables: other processes may have written to them."""
        for table in list(self.loaded.values()):
            table.lose()

    # ---- tidying up

    async def start(self) -> None:
        """Begin to look after the tables."""
        await self.store.start(self._lose)
        for work in self._background:
            work.start()

    def troubles(self) -> list[str]:
        """Name what does not work now, in words for an operator."""
        failed = {work.name for work in self._background if work.has_failed}
        return sorted(failed | ({"store"} if self.store.trouble else set()))

    async def _unload_idle(self) -> None:
        self.unload_idle()

    async def _look_after_store(self) -> None:
        """Make sure that writing works, and once an hour let old tables go."""
        now = time.monotonic()
        if now - self._cleaned > _CLEAN_SECONDS:
            await self._warn_of_clock()
            keep = Keep(self.settings.keep_days * _DAY, self.settings.keep_finished_days * _DAY)
            count = await self.store.clean(keep, list(self.loaded))
            await self.days.clean()
            self._cleaned = now
            if count:
                log.info("old tables deleted", extra={"count": count})
        seen = self.store.see()
        await asyncio.wait([seen], timeout=_SEE_PATIENCE)
        if not seen.done():
            raise TimeoutError("the disk does not answer")
        seen.result()

    async def _warn_of_clock(self) -> None:
        """Say so if the clock has made a leap since this file was last served: perhaps it is wrong."""
        seen = await self.store.last_seen()
        days = 0 if seen is None else int((time.time() - seen) / _DAY)
        if days:
            log.warning(
                "the clock has moved by days since the last look; what is old goes in a day", extra={"days": days}
            )

    def unload_idle(self) -> None:
        """Ask tables that nobody has looked at for a while to leave memory; those without a game in progress sooner."""
        now = time.monotonic()
        for table in list(self.loaded.values()):
            minutes = (
                self.settings.idle_minutes if table.room.stage == "playing" else min(self.settings.idle_minutes, 1)
            )
            if not table.connections and now - table.touched > minutes * 60:
                table.post(Unload())

    def stop_soon(self) -> None:
        """Say to those who ask that the server is about to stop."""
        self.is_stopping = True

    async def leave(self) -> None:
        """Let all tables leave memory after what they are doing, so that other processes may have them at once."""
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
        await self.leave()
        self.pools.close()
        await self.store.close()


def _resume(room: Room, lines: list[str]) -> Resumed:
    return ledger.resume(room, lines) if room.opening else Resumed()


def is_code(text: str) -> bool:
    """Tell whether this could be the code of a table."""
    return len(text) in (_CODE_LENGTH, _OLD_CODE_LENGTH) and all(letter in _ALPHABET for letter in text)
