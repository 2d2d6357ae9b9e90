"""Tables without a network: the server between its sockets and its disk, in the event loop of the test."""

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

from qwixx.server.base.settings import Settings
from qwixx.server.room.seats import hash_token
from qwixx.server.store.sqlite.store import SqliteStore
from qwixx.server.table.inbox import ClientMessage, Connected, Disconnected
from qwixx.server.table.registry import Tables
from qwixx.server.table.table import Table
from qwixx.server.wire import messages
from qwixx.server.wire.connection import Connection
from qwixx.server.wire.transports import TRANSPORT_KEY
from support.server.live_server import PATIENCE


class FakeTransport:
    """A transport that keeps the messages to a client."""

    def __init__(self) -> None:
        """Start without messages."""
        self.received: list[dict[str, Any]] = []
        self.listener: Callable[[bytes], object] | None = None

    def attach(self, listener: Callable[[bytes], object]) -> None:
        """Keep the listener, as a socket does."""
        self.listener = listener

    def send_text(self, data: bytes) -> int:
        """Keep a message."""
        self.received.append(json.loads(data))
        return 0

    async def drained(self) -> None:
        """Wait for nothing."""

    def abort(self) -> None:
        """Do nothing."""


class Guest:
    """A client at a table."""

    def __init__(self, table: Table, *tokens: str, address: str = "192.0.2.1") -> None:
        """Connect with tokens."""
        self.transport = FakeTransport()

        async def close(code: int) -> None:
            pass

        scope = {"type": "websocket", "extensions": {TRANSPORT_KEY: self.transport}, "client": (address, 1)}
        socket = SimpleNamespace(scope=scope, close=close, client=SimpleNamespace(host=address))
        self.connection = Connection(cast(WebSocket, socket), table.settings)
        self.connection.keys = [hash_token(token) for token in tokens]
        self.table = table
        self.transport.attach(lambda data: table)  # a socket has a reference to its table
        table.post(Connected(self.connection))

    def send(self, message: messages.FromPage) -> bool:
        """Send a message; return False if the table is busy."""
        return self.table.post(ClientMessage(self.connection, message))

    async def ask(self, message: messages.FromPage) -> list[dict[str, Any]]:
        """Send a message; return all messages up to its answer."""
        begin = len(self.transport.received)
        self.send(message)
        self.send(messages.Ping())
        await until(lambda: any(each["t"] == "pong" for each in self.transport.received[begin:]))
        return self.transport.received[begin:]

    async def refusal(self, message: messages.FromPage) -> str:
        """Send a message that should be refused; return the code, empty if it was not."""
        return next((each["code"] for each in await self.ask(message) if each["t"] == "error"), "")

    async def settled(self) -> None:
        """Wait until everything sent so far is answered."""
        await self.ask(messages.Ping())

    def last(self, kind: str) -> dict[str, Any]:
        """Return the last message of a kind."""
        return next(each for each in reversed(self.transport.received) if each["t"] == kind)

    def leave(self) -> None:
        """Disconnect."""
        self.table.post(Disconnected(self.connection))


async def until(fits: Callable[[], object]) -> None:
    """Wait until a condition is true."""
    async with asyncio.timeout(PATIENCE):
        while not fits():
            await asyncio.sleep(0.002)


@contextlib.asynccontextmanager
async def some_tables(folder: Path, **settings: Any) -> AsyncIterator[Tables]:
    """Yield the tables of a server without sockets."""
    plain = Settings(db=str(folder / "tables.db"), bot_delay=0, undo_seconds=0, rate=10000, burst=10000, sync="normal")
    wanted = replace(plain, **settings)
    tables = Tables(wanted, SqliteStore(wanted.database, wanted.sync))
    try:
        yield tables
    finally:
        await tables.close()


async def sit(tables: Tables, *names: str, **wanted: Any) -> tuple[Table, list[Guest], list[str]]:
    """Open a table with these people, the first as host; return the table, the clients and their tokens."""
    facts = {"variant": "classic", "sheet": "", "bots": [], **wanted}
    code, token = await tables.open(name=names[0], **facts)
    table = await tables.find(code)
    assert token is not None
    assert table is not None
    guests, tokens = [Guest(table, token)], [token]
    for number, name in enumerate(names[1:], 2):
        guest = Guest(table, address=f"192.0.2.{number}")
        await guest.ask(messages.Sit(name))
        guests.append(guest)
        tokens.append(guest.last("seated")["token"])
    await guests[0].settled()
    return table, guests, tokens


async def play(table: Table, guests: list[Guest], choose: Callable[[list[str]], str] = lambda legal: legal[0]) -> None:
    """Play a game to its end; the function chooses for all."""
    if table.room.stage == "lobby":
        await guests[0].ask(messages.Start())
    while table.room.stage == "playing":
        dealer = table.dealer
        assert dealer.game is not None
        phase = dealer.phase
        for seat in dealer.game.deciders():
            if table.room.seats[seat].is_person and dealer.phase == phase:
                legal = [str(action) for action in dealer.game.legal(seat)]
                guests[seat].send(messages.Decide(seat, phase, choose(legal)))
        await until(lambda: table.dealer.phase != phase)  # noqa: B023 - it is awaited here
    await guests[0].settled()
