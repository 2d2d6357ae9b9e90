"""Tables without a network: everything a server does between its sockets and its disk, in the loop of the test."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from starlette.websockets import WebSocket

from qwixx.server import protocol
from qwixx.server.connection import Connection
from qwixx.server.inbox import Arrived, Asked, Left
from qwixx.server.outlets import WIRE
from qwixx.server.seats import hashed
from qwixx.server.settings import Settings
from qwixx.server.sqlite import SqliteStore
from qwixx.server.table import Table
from qwixx.server.tables import Tables
from serving import PATIENCE


class Outlet:
    """Keeps what a page is told."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self.told: list[dict[str, Any]] = []
        self.listener: Callable[[bytes], object] | None = None

    def listen(self, listener: Callable[[bytes], object]) -> None:
        """Keep whom to tell, as a socket does."""
        self.listener = listener

    def push(self, data: bytes) -> int:
        """Keep a message."""
        self.told.append(json.loads(data))
        return 0

    async def emptied(self) -> None:
        """Wait for nothing."""

    def abort(self) -> None:
        """Do nothing."""


class Guest:
    """Somebody at a table."""

    def __init__(self, table: Table, *tokens: str, address: str = "192.0.2.1") -> None:
        """Come in with tokens."""
        self.outlet = Outlet()

        async def close(code: int) -> None:
            pass

        scope = {"type": "websocket", "extensions": {WIRE: self.outlet}, "client": (address, 1)}
        socket = SimpleNamespace(scope=scope, close=close, client=SimpleNamespace(host=address))
        self.connection = Connection(cast(WebSocket, socket), table.settings)
        self.connection.keys = [hashed(token) for token in tokens]
        self.table = table
        self.outlet.listen(lambda data: table)  # a socket knows the table of its page
        table.post(Arrived(self.connection))

    def send(self, message: protocol.FromPage) -> bool:
        """Send a message; False if the table is too busy."""
        return self.table.post(Asked(self.connection, message))

    async def ask(self, message: protocol.FromPage) -> list[dict[str, Any]]:
        """Send a message; gives what was told until it had been answered."""
        begin = len(self.outlet.told)
        self.send(message)
        self.send(protocol.Ping())
        await until(lambda: any(told["t"] == "pong" for told in self.outlet.told[begin:]))
        return self.outlet.told[begin:]

    async def refusal(self, message: protocol.FromPage) -> str:
        """Send a message that should be refused; gives the code, empty if it was not."""
        return next((told["code"] for told in await self.ask(message) if told["t"] == "error"), "")

    async def settled(self) -> None:
        """Wait until everything sent so far has been answered."""
        await self.ask(protocol.Ping())

    def last(self, kind: str) -> dict[str, Any]:
        """Give the last message of a kind."""
        return next(told for told in reversed(self.outlet.told) if told["t"] == kind)

    def leave(self) -> None:
        """Go away."""
        self.table.post(Left(self.connection))


async def until(fits: Callable[[], object]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(PATIENCE):
        while not fits():
            await asyncio.sleep(0.002)


@contextlib.asynccontextmanager
async def some_tables(folder: Path, **settings: Any) -> AsyncIterator[Tables]:
    """Give the tables of a server that has no sockets."""
    plain = Settings(db=str(folder / "tables.db"), bot_delay=0, rate=10000, burst=10000, sync="normal")
    wanted = replace(plain, **settings)
    tables = Tables(wanted, SqliteStore(wanted.database, wanted.sync))
    try:
        yield tables
    finally:
        await tables.close()


async def sit(tables: Tables, *names: str, **wanted: Any) -> tuple[Table, list[Guest], list[str]]:
    """Open a table and have people sit down, the first of them as its host; gives it, them and their tokens."""
    facts = {"variant": "classic", "sheet": "", "bots": [], **wanted}
    code, token = await tables.open(name=names[0], **facts)
    table = await tables.find(code)
    assert token is not None
    assert table is not None
    guests, tokens = [Guest(table, token)], [token]
    for number, name in enumerate(names[1:], 2):
        guest = Guest(table, address=f"192.0.2.{number}")
        await guest.ask(protocol.Sit(name))
        guests.append(guest)
        tokens.append(guest.last("seated")["token"])
    await guests[0].settled()
    return table, guests, tokens


async def play(table: Table, guests: list[Guest], choose: Callable[[list[str]], str] = lambda legal: legal[0]) -> None:
    """Play a game to its end, everybody choosing what the function says."""
    if table.room.stage == "lobby":
        await guests[0].ask(protocol.Start())
    while table.room.stage == "playing":
        dealer = table.dealer
        assert dealer.game is not None
        phase = dealer.phase
        for seat in dealer.game.deciders():
            if table.room.seats[seat].is_person and dealer.phase == phase:
                legal = [str(action) for action in dealer.game.legal(seat)]
                guests[seat].send(protocol.Decide(seat, phase, choose(legal)))
        await until(lambda: table.dealer.phase != phase)  # noqa: B023 - it is awaited here
    await guests[0].settled()
