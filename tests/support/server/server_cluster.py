"""
Several servers on one database behind a proxy, and simulated players who continue through failures.

Players keep all messages. Afterwards these are compared with the database: every acknowledged move is stored, every
roll that a player saw is the stored one, and no player saw hidden data.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import signal
import socket
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from qwixx.server.room import ledger
from qwixx.server.room.room import Room
from support.paths import ROOT
from support.server.free_ports import free_port
from support.server.live_server import PATIENCE, ServerProcess
from support.server.postgres_server import Postgres, find

_SILENCE = 1.5
"""Seconds without a message after which a client sends a ping, and then again until it gives up."""
_GUIDE = ROOT / "docs/guides/hosting.md"
_BY_CODE = "balance uri\n    hash-type consistent\n"


def sample(language: str) -> str:
    """Return a sample configuration of a proxy from the guide."""
    found = re.search(rf"```{language}\n(.*?)```", _GUIDE.read_text("utf-8"), re.DOTALL)
    assert found, f"the guide has no sample for {language}"
    return found[1]


def haproxy_sample(port: int, addresses: list[str], *, by_code: bool = True) -> str:
    """Return the sample for HAProxy, with this port and these servers and without certificates."""
    text = re.sub(r"bind :443 ssl .*", f"bind 127.0.0.1:{port}", sample("haproxy"))
    text = re.sub(r"    http-request set-header .*\n|    server .*\n", "", text)
    assert _BY_CODE in text
    text = text if by_code else text.replace(_BY_CODE, "balance roundrobin\n")
    return "global\n    maxconn 4000\n" + text + "".join(f"    server s{n} {a}\n" for n, a in enumerate(addresses))


class Proxy:
    """HAProxy on loopback, in front of some servers."""

    def __init__(self, addresses: list[str], *, by_code: bool = True) -> None:
        """Start it; it routes the sockets of a table to one server, or to all servers in turn."""
        self._folder = tempfile.TemporaryDirectory(prefix="qwixx-proxy-")
        port = free_port()
        self.address = f"127.0.0.1:{port}"
        path = Path(self._folder.name) / "haproxy.cfg"
        path.write_text(haproxy_sample(port, addresses, by_code=by_code))
        self.process = subprocess.Popen([str(find("haproxy")), "-db", "-q", "-f", str(path)])
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return
            time.sleep(0.02)
        self.close()
        raise TimeoutError("the proxy does not start")

    def close(self) -> None:
        """Stop it."""
        self.process.kill()
        self.process.wait()
        self._folder.cleanup()


class Cluster:
    """A database, servers and a proxy."""

    def __init__(self, database: Postgres, count: int, *, by_code: bool = True, **settings: Any) -> None:
        """Start `count` servers on an empty database."""
        self.database, self.url = database, database.fresh()
        self._settings = {"db": self.url, "proxies": "127.0.0.1", "log_level": "error", **settings}
        self.ports = [free_port() for _ in range(count)]
        self.proxy = Proxy([f"127.0.0.1:{port}" for port in self.ports], by_code=by_code)
        self.address = self.proxy.address
        self.servers: list[ServerProcess] = []
        try:
            with ThreadPoolExecutor(count) as together:
                self.servers += together.map(self._start, self.ports)
            self._wait()
        except BaseException:
            self.close()
            raise

    def _start(self, port: int) -> ServerProcess:
        return ServerProcess(Path(), **{**self._settings, "port": port})

    def _wait(self) -> None:
        """Wait until the proxy has found the servers."""
        end = time.monotonic() + PATIENCE
        while httpx.get(f"http://{self.address}/healthz").status_code != 200:
            assert time.monotonic() < end, "the proxy finds no server"
            time.sleep(0.1)

    def start_again(self, number: int) -> None:
        """Start a stopped server on the same port."""
        self.servers[number] = self._start(self.ports[number])

    def owner(self, code: str) -> int | None:
        """Return the number of the server that owns a table, None if no server does."""
        question = f"SELECT address FROM leases JOIN servers ON servers.id = server WHERE code = '{code}'"
        found = self.database.fetch(self.url, question)
        addresses = [f"127.0.0.1:{port}" for port in self.ports]
        return addresses.index(found[0][0]) if found else None

    def stored(self, code: str) -> tuple[Room, list[str]]:
        """Read a table from the database."""
        question = f"SELECT room, ARRAY(SELECT line FROM ledger WHERE code = '{code}' ORDER BY step) FROM tables"
        ((room, lines),) = self.database.fetch(self.url, f"{question} WHERE code = '{code}'")
        return msgspec.json.decode(room, type=Room), lines

    def close(self) -> None:
        """Stop everything but the database server."""
        for server in self.servers:
            server.signal(signal.SIGCONT)
            server.kill()
        self.proxy.close()


@dataclass
class Person:
    """A player of one seat, who reconnects after a failure and repeats taps that were not acknowledged."""

    table: Game
    seat: int
    token: str
    received: list[list[Any]] = field(default_factory=list)
    """The received events, by connection."""
    states: list[dict[str, Any]] = field(default_factory=list)
    tapped: dict[int, str] = field(default_factory=dict)
    """The last tap in each phase."""
    acknowledged: dict[int, str] = field(default_factory=dict)
    """By phase: the choice of this seat that the server has confirmed."""
    last: float = 0.0
    """When the last message was received."""
    gaps: list[float] = field(default_factory=list)
    """Seconds without a server, for each failure."""

    async def play(self) -> None:
        """Play until the game is over."""
        while not self.table.is_over:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                await self._visit()
            await asyncio.sleep(0.1 + 0.2 * self.table.chance.random())

    async def _visit(self) -> None:
        address = f"ws://{self.table.address}/ws/{self.table.code}"
        async with connect(address, compression=None, open_timeout=8, close_timeout=0.1) as line:
            await line.send(json.dumps({"t": "hello", "tokens": [self.token]}))
            self.received.append([])
            is_asking, is_back = False, False
            while not self.table.is_over:
                try:
                    message = json.loads(await asyncio.wait_for(line.recv(), _SILENCE))
                except TimeoutError:
                    if is_asking:
                        return
                    is_asking = True
                    await line.send('{"t":"ping"}')
                    continue
                is_asking = False
                now = time.monotonic()
                if message["t"] == "state":
                    if not is_back and self.last:
                        self.gaps.append(now - self.last)
                    is_back = True
                    for tap in self._look(message):
                        await asyncio.sleep(self.table.think)
                        await line.send(json.dumps(tap))
                if is_back:
                    self.last = now

    def _look(self, state: dict[str, Any]) -> list[dict[str, Any]]:
        """Keep a state; return the taps to send."""
        self.states.append(state)
        self.received[-1] += state["events"]
        assert set(state["mine"]) <= {str(self.seat)}, "somebody else's hand"
        assert "choices" not in state, "a sealed choice"
        if {"e": "decided", "seat": self.seat} in state["events"]:
            last = max(self.tapped)
            self.acknowledged[last] = self.tapped[last]
        mine, phase = state["mine"].get(str(self.seat)), state["phase"]
        if state["outcome"] is not None:
            self.table.is_over = True
        if mine is None or state["outcome"] is not None:
            return []
        if mine["choice"] is not None:
            self.acknowledged[phase] = mine["choice"]
            return []
        if not mine["legal"]:
            return []
        action = self.tapped.setdefault(phase, self._choose(mine))
        return [{"t": "decide", "seat": self.seat, "phase": phase, "action": action}]

    def _choose(self, mine: dict[str, Any]) -> str:
        """Choose at random, mostly pass but without misses, so that a game lasts."""
        legal: list[str] = mine["legal"]
        if mine["passMiss"] or "pass" not in legal:
            return legal[0]
        return "pass" if self.table.chance.random() < 0.7 else self.table.chance.choice(legal)


class Game:
    """Two people at a table of a cluster."""

    def __init__(self, address: str, variant: str, number: int, think: float = 0.2) -> None:
        """Open a table through the proxy, with one player; players think for `think` seconds."""
        self.address, self.think = address, think
        self.chance = random.Random(number)
        facts = httpx.post(
            f"http://{address}/api/tables", json={"variant": variant, "name": "Anna"}, timeout=PATIENCE
        ).json()
        self.code = facts["code"]
        self.is_over = False
        self.people = [Person(self, 0, facts["token"])]

    async def begin(self) -> None:
        """Seat the other player and start the game."""
        async with (
            connect(f"ws://{self.address}/ws/{self.code}", compression=None) as anna,
            connect(f"ws://{self.address}/ws/{self.code}", compression=None) as ben,
        ):
            await ben.send('{"t":"hello","tokens":[]}')
            await ben.send('{"t":"sit","name":"Ben"}')
            while (message := json.loads(await asyncio.wait_for(ben.recv(), 20)))["t"] != "seated":
                pass
            self.people.append(Person(self, 1, message["token"]))
            await anna.send(json.dumps({"t": "hello", "tokens": [self.people[0].token]}))
            await anna.send('{"t":"start"}')
            while json.loads(await asyncio.wait_for(anna.recv(), 20))["t"] != "state":
                pass

    def check(self, room: Room, lines: list[str]) -> int:
        """Compare the received messages with the stored table; return the number of acknowledged decisions."""
        secrets = [room.seats[person.seat].key for person in self.people]
        assert all(secrets)
        events: list[Any] = []
        dice: dict[int, Any] = {}
        decided: dict[tuple[int, int], str] = {}
        phase = 0
        for moment in ledger.moments(room, lines):
            events += json.loads(msgspec.json.encode(moment.events))
            if moment.seat is not None and moment.game.last_step is not None:
                assert (moment.seat, phase) not in decided, "somebody decided twice"
                decided[moment.seat, phase] = moment.game.last_step.text
            phase += moment.began
            if moment.began:
                dice[phase] = json.loads(msgspec.json.encode(moment.game.view(None)))
        acknowledged = 0
        for person in self.people:
            for received in person.received:
                assert _is_part(received, events), "an event was sent that did not happen"
            for state in person.states:
                seen = dice.get(state["phase"])
                if seen is not None:
                    for fact in ("dice", "turn", "active", "number"):
                        assert state["view"].get(fact) == seen.get(fact), f"a roll has changed: {fact}, {room.variant}"
            for at, choice in person.acknowledged.items():
                if at == phase:
                    continue  # still open
                assert decided[person.seat, at] == choice, "an acknowledged move is missing"
                acknowledged += 1
            for state in person.states:
                text = json.dumps(state)
                assert not any(secret in text for secret in secrets)
        return acknowledged


def _is_part(part: list[Any], whole: list[Any]) -> bool:
    """Return whether a list is a contiguous part of another."""
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))
