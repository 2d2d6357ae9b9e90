"""A real server on loopback and clients that keep every byte they are sent, for the tests of the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from qwixx.server.app import make_app
from qwixx.server.gate import Gate
from qwixx.server.run import Server as StartedServer
from qwixx.server.run import listen, server_config
from qwixx.server.settings import Settings, variable
from qwixx.server.tables import Tables

PATIENCE = 60.0
"""Seconds after which a test gives up waiting: a slow machine is no failure, a silent server is."""
Message = dict[str, Any]
NO_HURRY: dict[str, Any] = dict.fromkeys(
    ("rate", "burst", "address_rate", "address_burst", "request_rate", "request_burst"), 10_000
)
"""Limits that no test meets by being fast."""


class Server:
    """A server in a thread of this process."""

    def __init__(self, settings: Settings) -> None:
        """Start serving on a free port."""
        listener = listen("127.0.0.1", 0)
        self.address = f"127.0.0.1:{listener.getsockname()[1]}"
        app = make_app(settings)
        self.tables: Tables = app.state.tables
        config = server_config(app, settings)
        self.gate: Gate = config.http_protocol_class.gate  # type: ignore[attr-defined]
        self._server = StartedServer(config)
        self._server.leave = self.tables.leave
        app.state.reach.listen_also = partial(self._server.listen_also, listener.getsockname()[1])
        self._thread = threading.Thread(target=self._server.run, args=([listener],))
        self._thread.start()

    def stop(self) -> None:
        """Stop serving, in good order."""
        self._server.should_exit = True
        self._thread.join()


@contextlib.contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Server]:
    """Serve during a test, with bots that answer at once and no limit that a fast test would meet."""
    plain = Settings(db=str(folder / "tables.db"), bot_delay=0, sync="normal", **NO_HURRY)
    server = Server(replace(plain, **settings))
    try:
        yield server
    finally:
        server.stop()


class ServerProcess:
    """A server in a process of its own, which can be killed."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        """Start serving, with a database in this folder unless the settings name another."""
        wanted = {"db": folder / "tables.db", "bot_delay": 0, "port": 0, **NO_HURRY, **settings}
        environment = {**os.environ, **{variable(name): str(value) for name, value in wanted.items()}}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "qwixx.server", "--no-open"],
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"http://([\d.:]+)/", line):
                self.address = found[1]
            if line.startswith("Ctrl-C"):
                break
        self._process.stdout.close()

    def kill(self) -> None:
        """Kill it without a word."""
        self._process.kill()
        self._process.wait()

    def interrupt(self) -> int:
        """Press Ctrl-C; gives the exit status."""
        return self.end(signal.SIGINT)

    def end(self, how: int = signal.SIGTERM) -> int:
        """Ask it to stop; gives the exit status."""
        self.signal(how)
        return self._process.wait(PATIENCE)

    def signal(self, which: int) -> None:
        """Send it a signal."""
        self._process.send_signal(which)

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid


def changed(state: Message, change: Message) -> Message:
    """Give the state after a change."""
    sheets = {sheet["seat"]: sheet for sheet in change["view"].pop("sheets", [])}
    view = {**state["view"], **change["view"]}
    view["sheets"] = [sheets.get(sheet["seat"], sheet) for sheet in view["sheets"]]
    return {**change, "t": "state", "view": view, "mine": {**state["mine"], **change["mine"]}}


class Client:
    """A page, or what a program makes of one."""

    def __init__(self, socket: ClientConnection) -> None:
        """Listen to a socket."""
        self.socket = socket
        self.heard: list[str] = []
        """Every message as it came."""
        self.room: Message = {}
        self.state: Message = {}
        self.tokens: list[str] = []

    async def send(self, t: str, **fields: Any) -> None:
        """Send one message."""
        await self.socket.send(json.dumps({"t": t, **fields}))

    async def hear(self) -> Message:
        """Take the next message."""
        data = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        assert isinstance(data, str)
        self.heard.append(data)
        message: Message = json.loads(data)
        if message["t"] == "change":
            message = changed(self.state, message)
        match message["t"]:
            case "table":
                self.room = message
            case "state":
                self.state = message
            case "seated":
                self.tokens.append(message["token"])
        return message

    async def until(self, wanted: str | Callable[[Message], bool]) -> Message:
        """Listen until a message of this kind, or one that fits, has come."""
        while True:
            message = await self.hear()
            if message["t"] == wanted if isinstance(wanted, str) else wanted(message):
                return message

    async def refusal(self) -> str:
        """Listen for a refusal; gives its code."""
        return str((await self.until("error"))["code"])

    async def ask(self, t: str, **fields: Any) -> str:
        """Send something that should be refused; gives the code."""
        await self.send(t, **fields)
        return await self.refusal()

    async def decide(self, seat: int, action: str) -> None:
        """Decide in the phase last heard of."""
        await self.send("decide", seat=seat, phase=self.state["phase"], action=action)

    async def close_code(self) -> int | None:
        """Listen until the server hangs up; gives its code."""
        with contextlib.suppress(Exception):
            while True:
                await self.hear()
        return self.socket.close_code

    async def quiet(self) -> None:
        """Make sure that everything sent so far has been answered."""
        await self.send("ping")
        await self.until("pong")


def open_table(server: Server | ServerProcess, **wanted: Any) -> tuple[str, str | None]:
    """Open a table over HTTP; gives its code and the token of whoever sat down."""
    answer = httpx.post(f"http://{server.address}/api/tables", json={"variant": "classic", **wanted})
    assert answer.status_code == 201, answer.text
    facts = answer.json()
    return facts["code"], facts.get("token")


@contextlib.asynccontextmanager
async def joined(
    server: Server | ServerProcess, code: str, *tokens: str | None, changes: bool = False
) -> AsyncIterator[Client]:
    """Come to a table with tokens, or as a spectator; to be told what changes, or all of it each time."""
    async with connect(f"ws://{server.address}/ws/{code}", compression=None, max_queue=None) as socket:
        client = Client(socket)
        client.tokens = [token for token in tokens if token]
        await client.send("hello", tokens=client.tokens, changes=changes)
        await client.until("table")
        yield client


@contextlib.asynccontextmanager
async def seated(server: Server | ServerProcess, code: str, *names: str) -> AsyncIterator[Client]:
    """Come to a table and sit down, once for each name."""
    async with joined(server, code) as client:
        for name in names:
            await client.send("sit", name=name)
            await client.until("seated")
        yield client


async def click(client: Client, rng: random.Random, told: Callable[[Message], object] = lambda _: None) -> Message:
    """Click anything that is lit, for all seats of a client, until the game is over."""
    decided: dict[int, int] = {}
    if not client.state:
        await client.until("state")
    while client.state["outcome"] is None:
        state = client.state
        for seat, mine in state["mine"].items():
            if mine["legal"] and decided.get(int(seat)) != state["phase"]:
                decided[int(seat)] = state["phase"]
                await client.decide(int(seat), rng.choice(mine["legal"]))
        told(await client.until("state"))
    return client.state


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test that waits for several things at once, for a bounded time."""
    asyncio.run(asyncio.wait_for(test, 4 * PATIENCE))
