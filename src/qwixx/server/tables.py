"""All tables: opening, finding, waking and unloading them. A table lives in memory only while somebody needs it."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

import msgspec

from qwixx.server import ledger
from qwixx.server.inbox import Unload
from qwixx.server.players import Allowed
from qwixx.server.room import Refused, Room, new_room
from qwixx.server.seats import Seat, clean_name, hashed, new_token
from qwixx.server.settings import Settings
from qwixx.server.store import Store
from qwixx.server.table import Table

log = logging.getLogger("qwixx.tables")
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits that are not mistaken for one another when somebody reads a code aloud."""
_CODE_LENGTH = 5
SWEEP_SECONDS = 30.0

P = ParamSpec("P")
R = TypeVar("R")


class Tables:
    """Everything that is played on this server."""

    def __init__(self, settings: Settings, store: Store) -> None:
        """Start with no table in memory; those in the store wait for somebody to come."""
        self.settings = settings
        self.store = store
        self.allowed = Allowed(settings.players, settings.bot_seconds)
        self.loaded: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._thinkers = ThreadPoolExecutor(2, thread_name_prefix="qwixx-bot")
        self._sweeper: asyncio.Task[None] | None = None
        self.is_closing = False

    # ---- opening

    async def open(self, variant: str, sheet: str, bots: list[str], name: str | None) -> tuple[Table, str | None]:
        """Open a table, written before anybody hears of it; gives it and, if somebody sits down, their token."""
        self._check_room_for_one()
        room = new_room(variant, sheet)
        token = None
        if name is not None:
            shown = clean_name(name, self.settings.name_length)
            if not shown:
                raise Refused("bad-name")
            token = new_token()
            room.add_person(shown, hashed(token))
        for player in bots:
            room.add_bot(self.allowed.check(player, room.rules))
        return await self._settle(room), token

    async def open_next(self, room: Room) -> str:
        """Open the next table for the same people, begun already. Their tokens open their seats there too."""
        self._check_room_for_one()
        seats = [Seat(s.name, key=s.key) if s.key else Seat(s.name, s.kind, s.level) for s in room.seats]
        after = Room("", room.variant, seats=seats, options=msgspec.structs.replace(room.options))
        ledger.begin(after)
        after.stage = "playing"
        return (await self._settle(after)).room.code

    async def _settle(self, room: Room) -> Table:
        """Find a free code for a room, have the room written, and load it."""
        room.code = self._new_code()
        while room.code in self.loaded or await self.store.read(room.code) is not None:
            room.code = self._new_code()
        await asyncio.shield(self.store.write(room.code, room, 0, ()))
        log.info("table opened", extra={"code": room.code, "variant": room.variant})
        return self._load(room, [])

    def _new_code(self) -> str:
        return "".join(secrets.choice(_ALPHABET) for _ in range(_CODE_LENGTH))

    def _check_room_for_one(self) -> None:
        if self.is_closing or len(self.loaded) >= self.settings.max_tables:
            raise Refused("too-many-tables")

    # ---- finding

    async def find(self, code: str) -> Table | None:
        """Give a table, woken from the store if need be; None if there is no such table."""
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
            await asyncio.wait([leaving.task])
        found = await self.store.read(code)
        if found is None:
            return None
        if len(self.loaded) >= self.settings.max_tables:
            raise Refused("too-many-tables")
        await asyncio.shield(self.store.write(code, found[0], 0, ()))  # somebody came: it is not old any more
        return self._load(*found)

    def _load(self, room: Room, lines: list[str]) -> Table:
        game = ledger.replay(room, lines) if room.opening else None
        table = self.loaded[room.code] = Table(room, game, len(lines), self)
        return table

    def forget(self, table: Table) -> None:
        """Let go of a table that has left memory."""
        if self.loaded.get(table.room.code) is table:
            del self.loaded[table.room.code]

    async def think(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Do something that takes long outside the event loop."""
        assert not kwargs
        return await asyncio.get_running_loop().run_in_executor(self._thinkers, function, *args)

    # ---- tidying up

    def start(self) -> None:
        """Begin to look after the tables."""
        self._sweeper = asyncio.create_task(self._sweep())

    async def _sweep(self) -> None:
        cleaned = -3600.0
        while True:
            self.unload_idle()
            now = time.monotonic()
            if now - cleaned > 3600:
                cleaned = now
                count = await self.store.clean(time.time() - self.settings.keep_days * 86400, list(self.loaded))
                if count:
                    log.info("old tables deleted", extra={"count": count})
            await asyncio.sleep(SWEEP_SECONDS)

    def unload_idle(self) -> None:
        """Ask tables that nobody has looked at for a while to leave memory; those without a game in progress sooner."""
        now = time.monotonic()
        for table in list(self.loaded.values()):
            minutes = (
                self.settings.idle_minutes if table.room.stage == "playing" else min(self.settings.idle_minutes, 1)
            )
            if not table.connections and now - table.touched > minutes * 60:
                table.post(Unload())

    async def close(self) -> None:
        """Stop all tables after what they are doing, then the store."""
        self.is_closing = True
        if self._sweeper is not None:
            self._sweeper.cancel()
        tables = list(self.loaded.values())
        for table in tables:
            while not table.post(Unload(by_force=True)) and not table.is_gone:
                await asyncio.sleep(0.01)
        if tables:
            await asyncio.wait([table.task for table in tables])
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        await self.store.close()


def is_code(text: str) -> bool:
    """Tell whether this could be the code of a table."""
    return len(text) == _CODE_LENGTH and all(letter in _ALPHABET for letter in text)
