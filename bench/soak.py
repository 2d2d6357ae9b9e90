"""
A check for memory leaks: tables are opened, played, left and unloaded, move after move, and all memory is freed.

Everything of a server between its sockets and its disk runs here in one process, with its own database in a folder that
is deleted afterwards. At intervals a line shows how many tables are loaded and how many are alive, and the memory of
the process: after the first lines it should be constant. The garbage collector is off, so that objects are freed only
by reference counts. Run: python bench/soak.py [--moves 100000] [--tables 8] [--variant classic]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import resource
import sys
import tempfile
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from starlette.websockets import WebSocket

from qwixx.jit import tiering
from qwixx.server.base.settings import Settings
from qwixx.server.room.bots import AllowedBots
from qwixx.server.room.seats import hash_token
from qwixx.server.run import warm_up
from qwixx.server.store.sqlite.store import SqliteStore
from qwixx.server.table.inbox import ClientMessage, Connected, Disconnected, Unload
from qwixx.server.table.registry import Tables
from qwixx.server.table.table import Table
from qwixx.server.wire import messages
from qwixx.server.wire.connection import Connection
from qwixx.server.wire.transports import TRANSPORT_KEY

_LINES = 10


class Page:
    """A client that reads everything and stores nothing."""

    def __init__(self, table: Table, *tokens: str) -> None:
        self.has_message = asyncio.Event()

        async def close(code: int) -> None:
            pass

        scope = {"type": "websocket", "extensions": {TRANSPORT_KEY: self}}
        socket = SimpleNamespace(scope=scope, close=close, client=SimpleNamespace(host="192.0.2.1"))
        self.connection = Connection(cast(WebSocket, socket), table.settings)
        self.connection.keys = [hash_token(token) for token in tokens]
        table.post(Connected(self.connection))

    def attach(self, listener: Callable[[bytes], object]) -> None:
        """Ignore the listener."""

    def send_text(self, data: bytes) -> int:
        """Read a message immediately."""
        self.has_message.set()
        return 0

    async def drained(self) -> None:
        """Wait for nothing."""

    def abort(self) -> None:
        """Do nothing."""


class Soak:
    """Several tables at a time, each followed by another."""

    def __init__(self, tables: Tables, variant: str, moves: int) -> None:
        self.tables, self.variant, self.most = tables, variant, moves
        self.moves = self.games = 0
        self.alive: weakref.WeakSet[Table] = weakref.WeakSet()
        self.began = time.perf_counter()
        self.next_line = moves // _LINES

    async def play(self, luck: random.Random) -> None:
        """Play one game after the other until there are enough moves."""
        while self.moves < self.most:
            code, token = await self.tables.open(self.variant, "", ["easy"], "Anna")
            table = await self.tables.find(code)
            assert token is not None
            assert table is not None
            self.alive.add(table)
            await self._play_one(table, Page(table, token), Page(table), luck)
            self.games += 1
            await asyncio.wait([table.ended])
            del table

    async def _play_one(self, table: Table, anna: Page, ben: Page, luck: random.Random) -> None:
        table.post(ClientMessage(ben.connection, messages.Sit("Ben")))
        table.post(ClientMessage(anna.connection, messages.Start()))
        pages = {0: anna, 2: ben}
        asked: set[tuple[int, int]] = set()
        while table.room.stage != "over":
            anna.has_message.clear()
            game, phase = table.dealer.game, table.dealer.phase
            for seat in game.deciders() if game else ():
                if seat in pages and (phase, seat) not in asked and game:
                    asked.add((phase, seat))
                    action = str(luck.choice(game.legal(seat)))
                    table.post(ClientMessage(pages[seat].connection, messages.Decide(seat, phase, action)))
                    self._count()
            await anna.has_message.wait()
        for page in (anna, ben):
            table.post(Disconnected(page.connection))
            del page.connection  # which has a reference to its page: a cycle of this script, not of the server
        table.post(Unload())

    def _count(self) -> None:
        self.moves += 1
        if self.moves >= self.next_line:
            self.next_line += self.most // _LINES
            seconds = time.perf_counter() - self.began
            print(
                f"{self.moves:>8} {self.games:>6} {len(self.tables.loaded):>7} {len(self.alive):>6} "
                f"{resident():>8.1f} {self.moves / seconds:>8.0f}",
                flush=True,
            )


def resident() -> float:
    """Return the megabytes of this process now; the maximum so far if the system has no better value."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / 1e6 if sys.platform == "darwin" else most / 1e3


async def soak(variant: str, moves: int, count: int) -> None:
    """Play, and print the memory."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(db=str(Path(folder) / "tables.db"), bot_delay=0, undo_seconds=0, sync="normal")
        tables = Tables(settings, SqliteStore(settings.database, settings.sync))
        print(f"{'moves':>8} {'games':>6} {'loaded':>7} {'alive':>6} {'MB':>8} {'moves/s':>8}")
        work = Soak(tables, variant, moves)
        await asyncio.gather(*(work.play(random.Random(seed)) for seed in range(count)))
        await tables.close()


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description="Play many moves and show that memory returns.")
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--variant", default="classic")
    wanted = parser.parse_args()
    warm_up(AllowedBots(Settings().players))
    tiering.start_background_compile()
    gc.disable()
    asyncio.run(soak(wanted.variant, wanted.moves, wanted.tables))


if __name__ == "__main__":
    main()
