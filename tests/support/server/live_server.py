"""A real server on loopback, and clients that keep every message they receive."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from qwixx.server.app import make_app
from qwixx.server.base.settings import Settings, variable
from qwixx.server.limits.connection_limits import ConnectionLimiter
from qwixx.server.run import Server as StartedServer
from qwixx.server.run import bind, server_config
from qwixx.server.table.registry import Tables
from support.server.seeded_server import COMMAND

PATIENCE = 60.0
"""Timeout of tests, in seconds. It is long: a slow machine is not a failure, a silent server is."""
Message = dict[str, Any]
NO_HURRY: dict[str, Any] = dict.fromkeys(
    ("rate", "burst", "address_rate", "address_burst", "request_rate", "request_burst"), 10_000
)
"""Limits that a fast test does not reach."""


class Server:
    """A server in a thread of this process."""

    def __init__(self, settings: Settings) -> None:
        """Start serving on a free port."""
        listener = bind("127.0.0.1", 0)
        self.address = f"127.0.0.1:{listener.getsockname()[1]}"
        app = make_app(settings)
        self.tables: Tables = app.state.tables
        config = server_config(app, self.tables.limiter)
        self.limiter: ConnectionLimiter = config.http_protocol_class.limiter  # type: ignore[attr-defined]
        self._server = StartedServer(config)
        self._server.leave = self.tables.unload_all
        app.state.public_address.listen_also = partial(self._server.listen_also, listener.getsockname()[1])
        self._thread = threading.Thread(target=self._server.run, args=([listener],))
        self._thread.start()
        while not self._server.started and self._thread.is_alive():  # before that nobody can connect
            time.sleep(0.005)

    def stop(self) -> None:
        """Stop serving gracefully."""
        self._server.should_exit = True
        self._thread.join()


@contextlib.contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Server]:
    """Serve during a test, with bots that do not wait and limits that a fast test does not reach."""
    plain = Settings(db=str(folder / "tables.db"), bot_delay=0, undo_seconds=0, sync="normal", **NO_HURRY)
    server = Server(replace(plain, **settings))
    try:
        yield server
    finally:
        server.stop()


class ServerProcess:
    """A server in a separate process, which can be killed."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        """Start serving, with a database in this folder unless the settings name another.

        The rules are interpreted: to load the compiled ones takes several seconds, and a test plays only a few turns.
        """
        wanted = {"db": folder / "tables.db", "bot_delay": 0, "undo_seconds": 0, "port": 0, **NO_HURRY, **settings}
        environment = {**os.environ, "QWIXX_JIT": "0", **{variable(name): str(value) for name, value in wanted.items()}}
        self._process = subprocess.Popen(
            [*COMMAND, "--no-open"],
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
        """Kill it with SIGKILL."""
        self._process.kill()
        self._process.wait()

    def interrupt(self) -> int:
        """Press Ctrl-C; return the exit status."""
        return self.end(signal.SIGINT)

    def end(self, how: int = signal.SIGTERM) -> int:
        """Ask it to stop; return the exit status."""
        self.signal(how)
        return self._process.wait(PATIENCE)

    def signal(self, which: int) -> None:
        """Send it a signal."""
        self._process.send_signal(which)

    @property
    def pid(self) -> int:
        """The id of its process."""
        return self._process.pid


def changed(state: Message, change: Message) -> Message:
    """Return the state after a change."""
    sheets = {sheet["seat"]: sheet for sheet in change["view"].pop("sheets", [])}
    view = {**state["view"], **change["view"]}
    view["sheets"] = [sheets.get(sheet["seat"], sheet) for sheet in view["sheets"]]
    return {**change, "t": "state", "view": view, "mine": {**state["mine"], **change["mine"]}}


class Client:
    """A client of the server, as a page is one."""

    def __init__(self, socket: ClientConnection) -> None:
        """Listen to a socket."""
        self.socket = socket
        self.received: list[str] = []
        """Every message as it was received."""
        self.room: Message = {}
        self.state: Message = {}
        self.tokens: list[str] = []

    async def send(self, t: str, **fields: Any) -> None:
        """Send one message."""
        await self.socket.send(json.dumps({"t": t, **fields}))

    async def receive(self) -> Message:
        """Receive the next message."""
        data = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        assert isinstance(data, str)
        self.received.append(data)
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
        """Receive messages until one has this kind, or fulfils the condition; return it."""
        while True:
            message = await self.receive()
            if message["t"] == wanted if isinstance(wanted, str) else wanted(message):
                return message

    async def refusal(self) -> str:
        """Receive messages until a refusal; return its code."""
        return str((await self.until("error"))["code"])

    async def ask(self, t: str, **fields: Any) -> str:
        """Send a message that should be refused; return the code."""
        await self.send(t, **fields)
        return await self.refusal()

    async def decide(self, seat: int, action: str) -> None:
        """Decide in the phase of the last state."""
        await self.send("decide", seat=seat, phase=self.state["phase"], action=action)

    async def close_code(self) -> int | None:
        """Receive until the server closes the socket; return the close code."""
        with contextlib.suppress(Exception):
            while True:
                await self.receive()
        return self.socket.close_code

    async def quiet(self) -> None:
        """Wait until everything sent so far is answered."""
        await self.send("ping")
        await self.until("pong")


def open_table(server: Server | ServerProcess, **wanted: Any) -> tuple[str, str | None]:
    """Open a table over HTTP; return its code and the token of the seated player."""
    answer = httpx.post(f"http://{server.address}/api/tables", json={"variant": "classic", **wanted})
    assert answer.status_code == 201, answer.text
    facts = answer.json()
    return facts["code"], facts.get("token")


@contextlib.asynccontextmanager
async def joined(
    server: Server | ServerProcess, code: str, *tokens: str | None, changes: bool = False
) -> AsyncIterator[Client]:
    """Connect to a table with tokens, or as a spectator; with `changes`, receive only changes."""
    async with connect(f"ws://{server.address}/ws/{code}", compression=None, max_queue=None) as socket:
        client = Client(socket)
        client.tokens = [token for token in tokens if token]
        await client.send("hello", tokens=client.tokens, changes=changes)
        await client.until("table")
        yield client


@contextlib.asynccontextmanager
async def seated(server: Server | ServerProcess, code: str, *names: str) -> AsyncIterator[Client]:
    """Connect to a table and take a seat for each name."""
    async with joined(server, code) as client:
        for name in names:
            await client.send("sit", name=name)
            await client.until("seated")
        yield client


async def click(client: Client, rng: random.Random, on_state: Callable[[Message], object] = lambda _: None) -> Message:
    """Choose random legal actions for all seats of a client until the game is over."""
    decided: dict[int, int] = {}
    if not client.state:
        await client.until("state")
    while client.state["outcome"] is None:
        state = client.state
        for seat, mine in state["mine"].items():
            if mine["legal"] and decided.get(int(seat)) != state["phase"]:
                decided[int(seat)] = state["phase"]
                await client.decide(int(seat), rng.choice(mine["legal"]))
        on_state(await client.until("state"))
    return client.state


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run an asynchronous test with a timeout."""
    asyncio.run(asyncio.wait_for(test, 4 * PATIENCE))
