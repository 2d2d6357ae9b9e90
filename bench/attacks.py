"""
Attacks on our own server, on loopback: everything that a modified client can do to it.

They are limited in connections, in bytes in flight and in time. `bench.abuse` runs them against a server that it has
started and measures the effect on others. No other target can be set here.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import cache, partial
from typing import Any

from bench.cores import stand_back

import qwixx

SOURCES = "127.0.1."
"""Every attack has an address of its own here, so that it does not meet limits that another one has used up."""
MOST = 400
"""Connections that an attack tries to hold."""
_MASK = bytes(4)
_PING, _TEXT, _PART, _EMPTY_PART = 0x89, 0x81, 0x01, 0x00


class Attacker:
    """An attacker with a modified client."""

    def __init__(self, address: str, seconds: float, number: int) -> None:
        self.address = address
        self.source = f"{SOURCES}{number}"
        self.name = address
        """The host name in requests."""
        self.host, port = address.split(":")
        assert self.host == "127.0.0.1", "attacks stay on this machine"
        self.port = int(port)
        self.end = asyncio.get_running_loop().time() + seconds
        self.counts: Counter[str] = Counter()

    @property
    def has_time_left(self) -> bool:
        """Return whether there is time left."""
        return asyncio.get_running_loop().time() < self.end

    async def connect(self, limit: int = 1 << 16) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open one connection."""
        self.counts["connections"] += 1
        return await asyncio.open_connection(self.host, self.port, local_addr=(self.source, 0), limit=limit)

    async def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Send one request on its own connection; return the status and the answer."""
        reader, writer = await self.connect()
        try:
            writer.write(self.request(method, path, body, "Connection: close\r\n"))
            answer = await reader.read()
            head, _, rest = answer.partition(b"\r\n\r\n")
            return (int(head.split()[1]) if head else 0), rest
        finally:
            writer.transport.abort()

    def request(self, method: str, path: str, body: bytes = b"", more: str = "") -> bytes:
        """Write a request."""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.name}\r\n{more}Content-Length: {len(body)}\r\n\r\n"
        return head.encode() + body

    async def note(self, method: str, path: str, body: bytes = b"") -> bytes:
        """Send a request and count its status; return the answer."""
        status, answer = await self.ask(method, path, body)
        self.counts[f"status {status}"] += 1
        return answer

    async def bring(self, record: str, times: int) -> list[str]:
        """Import a record several times; return the codes of the tables."""
        codes = []
        for _ in range(times):
            if not self.has_time_left:
                break
            with contextlib.suppress(OSError, ValueError, KeyError):
                codes.append(str(json.loads(await self.note("POST", "/api/records", record.encode()))["code"]))
        return codes

    async def open_table(self) -> tuple[str, str]:
        """Open a table; return its code and the token of its first seat."""
        while self.has_time_left:
            with contextlib.suppress(OSError):
                status, body = await self.ask("POST", "/api/tables", b'{"variant":"classic","name":"Eve"}')
                if status == 201:
                    facts = json.loads(body)
                    return facts["code"], facts["token"]
            await asyncio.sleep(0.1)
        raise EOFError

    async def enter(self, code: str, token: str = "") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a socket at a table and say hello."""
        reader, writer = await self.connect()
        upgrade = (
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        )
        writer.write(self.request("GET", f"/ws/{code}", more=upgrade))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(text({"t": "hello", "tokens": [token] if token else []}))
        return reader, writer

    async def many(self, count: int, one: Callable[[], Awaitable[None]]) -> None:
        """Run a function on many connections at the same time, again and again; lost connections are opened again."""

        async def again() -> None:
            while self.has_time_left:
                try:
                    await one()
                except (OSError, EOFError, ValueError, KeyError):
                    self.counts["cut off"] += 1
                    await asyncio.sleep(0.02)

        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(self.end + 1):
                await asyncio.gather(*(again() for _ in range(count)))


def frame(kind: int, payload: bytes = b"") -> bytes:
    """Write a frame; a mask of zeros is allowed."""
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2)
    return bytes([kind]) + size + _MASK + payload


def text(message: object) -> bytes:
    """Write a message."""
    return frame(_TEXT, json.dumps(message).encode())


async def _flood(eve: Attacker, code: str, data: bytes, *, reads: bool) -> None:
    """Send the same data again and again, as fast as possible."""
    reader, writer = await eve.enter(code)
    draining = asyncio.create_task(_read_all(reader)) if reads else None
    if not reads:
        # the transport of a socket has this method
        writer.transport.pause_reading()  # type: ignore[attr-defined]
    try:
        while eve.has_time_left:
            writer.write(data)
            eve.counts["kilobytes"] += len(data) // 1024
            await writer.drain()
            await asyncio.sleep(0)
    finally:
        if draining is not None:
            draining.cancel()
        writer.transport.abort()


async def _read_all(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(1 << 16):
            pass


# ---- the attacks


async def nothing(eve: Attacker) -> None:
    """Do not attack."""
    await asyncio.sleep(max(0.0, eve.end - asyncio.get_running_loop().time()))


async def unread_pongs(eve: Attacker) -> None:
    """Send pings and never read an answer."""
    code, _ = await eve.open_table()
    await eve.many(30, partial(_flood, eve, code, frame(_PING, b"x" * 125) * 250, reads=False))


async def ping_flood(eve: Attacker) -> None:
    """Send empty pings as fast as possible."""
    code, _ = await eve.open_table()
    await eve.many(30, partial(_flood, eve, code, frame(_PING) * 5000, reads=True))


async def message_flood(eve: Attacker) -> None:
    """Send messages as fast as possible."""
    code, _ = await eve.open_table()
    await eve.many(30, partial(_flood, eve, code, text({"t": "ping"}) * 1000, reads=True))


async def empty_parts(eve: Attacker) -> None:
    """Start a message and send empty parts of it without end."""
    code, _ = await eve.open_table()
    data = frame(_PART, b"x") + frame(_EMPTY_PART) * 5000
    await eve.many(30, partial(_flood, eve, code, data, reads=True))


async def _talk(eve: Attacker, tables: int, sockets: int, at_once: int, pause: float) -> None:
    """Send a number of messages in one piece on each of many sockets, again and again after a pause."""
    codes = itertools.cycle([(await eve.open_table())[0] for _ in range(tables)])

    async def one() -> None:
        reader, writer = await eve.enter(next(codes))
        draining = asyncio.create_task(_read_all(reader))
        try:
            while eve.has_time_left and not draining.done():
                writer.write(text({"t": "hello", "tokens": ["x" * 30]}) * at_once)
                eve.counts["messages"] += at_once
                await asyncio.sleep(pause)
            if eve.has_time_left:
                raise ConnectionResetError
        finally:
            draining.cancel()
            writer.transport.abort()

    await eve.many(sockets, one)


async def patient_flood(eve: Attacker) -> None:
    """Hold many sockets, and send on each as much as is allowed."""
    await _talk(eve, 8, MOST, 1, 1 / 18)


async def message_bursts(eve: Attacker) -> None:
    """Send the allowed burst on each of many sockets, in one piece, and again when that is allowed."""
    await _talk(eve, 4, 40, 50, 1.0)


async def half_requests(eve: Attacker) -> None:
    """Hold connections that never finish their request, and others that are silent."""
    turns = itertools.count()

    async def one() -> None:
        reader, writer = await eve.connect()
        try:
            if next(turns) % 2:
                writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            while eve.has_time_left:
                with contextlib.suppress(TimeoutError):
                    if await asyncio.wait_for(reader.read(1), 1) == b"":
                        raise ConnectionResetError
        finally:
            writer.transport.abort()

    await eve.many(MOST, one)


async def churn(eve: Attacker) -> None:
    """Connect and disconnect, as fast as possible."""

    async def one() -> None:
        _, writer = await eve.connect()
        writer.transport.abort()

    await eve.many(30, one)


async def requests(eve: Attacker) -> None:
    """Request the largest answers, as fast as possible."""

    async def one() -> None:
        status, _ = await eve.ask("GET", random.choice(("/api/games", "/healthz", "/", "/api/rules/classic")))
        eve.counts[f"status {status}"] += 1

    await eve.many(100, one)


async def unread_answers(eve: Attacker) -> None:
    """Request large answers on many connections, and never read them."""

    async def one() -> None:
        _, writer = await eve.connect(limit=1024)
        writer.transport.pause_reading()  # type: ignore[attr-defined]  # it can, being a socket's
        try:
            while eve.has_time_left:
                writer.write(eve.request("GET", "/api/games") * 5)
                await writer.drain()
                await asyncio.sleep(0.5)
        finally:
            writer.transport.abort()

    await eve.many(MOST, one)


async def slow_readers(eve: Attacker) -> None:
    """Fill tables with spectators that never read, and make the tables send much."""
    tables = [await eve.open_table() for _ in range(4)]
    turns = itertools.count()

    async def one() -> None:
        number = next(turns)
        code, token = tables[number % len(tables)]
        is_owner = number < len(tables)
        reader, writer = await eve.enter(code, token if is_owner else "")
        if not is_owner:
            writer.transport.pause_reading()  # type: ignore[attr-defined]  # it can, being a socket's
        draining = asyncio.create_task(_read_all(reader))
        try:
            while eve.has_time_left and not writer.transport.is_closing():
                if is_owner:
                    writer.write(text({"t": "rename", "seat": 0, "name": f"Eve {random.random()}"}))
                await asyncio.sleep(1 / 18)
        finally:
            draining.cancel()
            writer.transport.abort()

    await eve.many(160, one)


async def drawings(eve: Attacker) -> None:
    """Request QR codes of many tables."""
    codes = [(await eve.open_table())[0] for _ in range(20)]

    async def one() -> None:
        status, _ = await eve.ask("GET", f"/api/tables/{random.choice(codes)}/qr.svg")
        eve.counts[f"status {status}"] += 1

    await eve.many(50, one)


async def replays(eve: Attacker) -> None:
    """Read a finished game with forty readers."""
    code, token = await eve.open_table()
    await _play(eve, code, token)

    async def one() -> None:
        status, _ = await eve.ask("GET", f"/api/tables/{code}/replay")
        eve.counts[f"status {status}"] += 1

    await eve.many(40, one)


async def _play(eve: Attacker, code: str, token: str) -> None:
    """Play a solitaire game to its end, at the speed that one connection may have."""
    reader, writer = await eve.enter(code, token)
    writer.write(text({"t": "start"}))
    rng = random.Random(1)
    while eve.has_time_left:
        head = await reader.readexactly(2)
        size = head[1] & 0x7F
        if size >= 126:
            size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8))
        data = await reader.readexactly(size)
        message: dict[str, Any] = json.loads(data) if head[0] == _TEXT else {}
        if message.get("t") == "state":
            if message["outcome"] is not None:
                break
            legal = message["mine"]["0"]["legal"]
            if legal:
                decision = {"t": "decide", "seat": 0, "phase": message["phase"], "action": rng.choice(legal)}
                writer.write(text(decision))
                await asyncio.sleep(1 / 30)
    writer.transport.abort()


async def guesses(eve: Attacker) -> None:
    """Try table codes."""

    async def one() -> None:
        code = "".join(random.choices("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=8))
        status, _ = await eve.ask("GET", f"/api/tables/{code}")
        eve.counts[f"status {status}"] += 1

    await eve.many(50, one)


async def tables(eve: Attacker) -> None:
    """Open tables as fast as possible."""

    async def one() -> None:
        status, _ = await eve.ask("POST", "/api/tables", b'{"variant":"classic","name":"Eve"}')
        eve.counts[f"status {status}"] += 1

    await eve.many(50, one)


# ---- attacks on work that waits: pools and workers


@cache
def _game() -> str:
    """Write the record of a long game. Every import of it is another table, and other work for the workers."""
    game, rng = qwixx.Game("classic", 2, seed=1), random.Random(1)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
        for seat in game.deciders():
            legal = game.legal(seat)
            game.decide(seat, rng.choice(legal))
    return game.record()


_HEAD = "qwixx record 1\nvariant classic\nseats 2\nfirst 0\nroll 34/2615\n"


async def imports(eve: Attacker) -> None:
    """Import records that change their mind thousands of times, and the longest that are accepted."""
    heavy = [f"{_HEAD}{line * count}".encode() for line, count in (("0 r7\n0 pass\n", 5400), ("0 r7\n0 pass\n", 1900))]

    async def one() -> None:
        await eve.note("POST", "/api/records", random.choice(heavy))

    await eve.many(40, one)


async def waking(eve: Attacker) -> None:
    """Bring long unfinished games, then have all of them loaded by many sockets at the same time, again and again."""
    codes = itertools.cycle(await eve.bring(_game().rpartition("\nroll ")[0] + "\n", 12) or ["ABCDEFGH"])

    async def one() -> None:
        reader, writer = await eve.enter(next(codes))
        try:
            await asyncio.wait_for(reader.read(1), 2)
            eve.counts["loaded"] += 1
        finally:
            writer.transport.abort()

    await eve.many(150, one)


async def workers(eve: Attacker) -> None:
    """Have many different games replayed and recorded at the same time."""
    codes = await eve.bring(_game(), 8)

    async def one() -> None:
        await eve.note("GET", f"/api/tables/{random.choice(codes)}/{random.choice(('replay', 'record'))}")

    await eve.many(60, one)


async def reviews(eve: Attacker) -> None:
    """Have many different games reviewed at the same time: each is asked for once, so that it has to be computed."""

    async def one() -> None:
        for code in await eve.bring(_game(), 1):
            await eve.note("GET", f"/api/tables/{code}/analysis")

    await eve.many(30, one)


async def printing(eve: Attacker) -> None:
    """Ask for many different files to print."""
    sheets = itertools.count(1)

    async def one() -> None:
        await eve.note("GET", f"/api/print/classic.pdf?sheets={next(sheets) % 100 + 1}&perPage=1")

    await eve.many(40, one)


async def foreign_hosts(eve: Attacker) -> None:
    """Send requests for another host name, on connections that stay open."""
    eve.name = "evil.example"
    data = eve.request("GET", "/api/games")

    async def one() -> None:
        reader, writer = await eve.connect()
        try:
            while eve.has_time_left:
                writer.write(data)
                await reader.readuntil(b"\r\n\r\n")
                eve.counts["answers"] += 1
        finally:
            writer.transport.abort()

    await eve.many(40, one)


ATTACKS: dict[str, Callable[[Attacker], Awaitable[None]]] = {
    attack.__name__: attack
    for attack in (
        nothing,
        unread_pongs,
        ping_flood,
        message_flood,
        empty_parts,
        patient_flood,
        message_bursts,
        half_requests,
        churn,
        requests,
        unread_answers,
        slow_readers,
        drawings,
        replays,
        workers,
        reviews,
        waking,
        imports,
        printing,
        foreign_hosts,
        tables,
        guesses,
    )
}
"""By name."""
_WITH_GAMES = ("workers", "reviews", "waking")


async def attack(name: str, address: str, seconds: float) -> None:
    """Run one attack and print its result, after a line when it begins."""
    if name in _WITH_GAMES:
        _game()
    print("begins", flush=True)
    eve = Attacker(address, min(seconds, 60.0), 1 + list(ATTACKS).index(name))
    with contextlib.suppress(OSError, EOFError, ValueError, KeyError):
        await ATTACKS[name](eve)
    print(json.dumps(eve.counts))


if __name__ == "__main__":
    if "idle" in sys.argv[4:]:
        stand_back()
    for each in sys.argv[1].split(","):
        asyncio.run(attack(each, sys.argv[2], float(sys.argv[3])))
