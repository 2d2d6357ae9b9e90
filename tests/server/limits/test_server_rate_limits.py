"""Slow, greedy and malicious clients: they get a refusal code, and the others notice nothing."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from support.server.in_process_tables import until
from support.server.live_server import PATIENCE, Client, Server, click, joined, open_table, run, seated, serving

pytestmark = pytest.mark.slow

GARBAGE: list[str | bytes] = [
    "",
    "{",
    "null",
    "[]",
    "42",
    '"hello"',
    "{}",
    '{"t":"no-such-thing"}',
    '{"t":"decide"}',
    '{"t":"decide","seat":"0","phase":1,"action":"r7"}',
    '{"t":"decide","seat":0,"phase":1.5,"action":"r7"}',
    '{"t":"decide","seat":-1,"phase":1,"action":"r7"}',
    '{"t":"decide","seat":0,"phase":1,"action":7}',
    '{"t":"options","timer":-5}',
    '{"t":"options","timer":1e999}',
    '{"t":"options","lucky":[[["6/11"]]]}',
    '{"t":"sit","name":null}',
    '{"t":"addBot","level":"godlike"}',
    "[" * 2000,
    '{"t":"hello","tokens":["' + '","'.join("abcdefghijkl") + '"]}',
    b"\xff\xfe\x00",
    "\ud7ff\u0000",
]


async def _two_people(server: Server, stack: contextlib.AsyncExitStack) -> tuple[str, Client, Client]:
    code, token = open_table(server, name="Anna")
    anna = await stack.enter_async_context(joined(server, code, token))
    ben = await stack.enter_async_context(seated(server, code, "Ben"))
    await anna.send("start")
    await anna.until("state")
    await ben.until("state")
    return code, anna, ben


@pytest.mark.usefixtures("either_transport")
def test_garbage_and_wrong_types(tmp_path: Path) -> None:
    """An invalid message changes nothing and closes nothing; each gets an error code."""

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            _, anna, ben = await _two_people(server, stack)
            before = anna.state
            for data in GARBAGE:
                await anna.socket.send(data)
                assert await anna.refusal() == "unreadable"
            await anna.quiet()
            assert anna.state == before
            await ben.quiet()
            assert ben.state["view"] == before["view"]

    with serving(tmp_path) as server:
        run(game())


@pytest.mark.usefixtures("either_transport")
def test_invalid_actions(tmp_path: Path) -> None:
    """An unreadable or illegal action (with its rule), an old and a future phase are refused and change nothing."""

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            _, anna, _ = await _two_people(server, stack)
            phase = anna.state["phase"]
            for action in ("", "r99", "<b>", "r7;--", "pass" * 60, "take:1", "play:r4", "\u202er7", "00"):
                code = await anna.ask("decide", seat=0, phase=phase, action=action)
                assert code in ("unreadable", "illegal"), action
            await anna.send("decide", seat=0, phase=phase, action="r12")
            refusal = await anna.until("error")
            assert refusal["code"] == "illegal"
            assert refusal["rule"] in ("C3", "C7")
            assert refusal["details"]["cell"] == "r12"
            for wrong in (phase - 1, phase + 1, 0, -5, 2**40):
                assert await anna.ask("decide", seat=0, phase=wrong, action="pass") == "late"
            assert (await anna.until("state"))["view"]["deciders"] == [0, 1]

    with serving(tmp_path) as server:
        run(game())


@pytest.mark.usefixtures("either_transport")
def test_large_messages(tmp_path: Path) -> None:
    """A message over 4 kB is refused; a much larger one is not even read."""

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            code, anna, ben = await _two_people(server, stack)
            await anna.socket.send('{"t":"ping","x":"' + "x" * 5000 + '"}')
            assert await anna.refusal() == "too-large"
            await anna.quiet()
            with contextlib.suppress(Exception):
                await anna.socket.send("x" * 1_000_000)
            assert await anna.close_code() == 1009
            await ben.until(lambda m: m["t"] == "table" and not m["seats"][0]["here"])
            assert code == ben.room["code"]

    with serving(tmp_path) as server:
        run(game())


@pytest.mark.usefixtures("either_transport")
def test_floods_are_slowed_then_disconnected(tmp_path: Path) -> None:
    """Too many messages are refused, a flood is disconnected, and the other player still gets answers."""

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            _, anna, ben = await _two_people(server, stack)
            for _ in range(60):
                await anna.send("ping")
            assert await anna.refusal() == "too-fast"

            async def flood() -> int | None:
                with contextlib.suppress(Exception):
                    for _ in range(5000):
                        await anna.send("ping")
                return await anna.close_code()

            flooding = asyncio.create_task(flood())
            for _ in range(10):
                await ben.quiet()
            assert await flooding in (4429, 1006)  # a client that is disconnected while it sends may not see the reason
            assert len(server.limiter.connections) == 1

    with serving(tmp_path, rate=20, burst=40) as server:
        run(game())


def test_changed_choices_are_limited(tmp_path: Path) -> None:
    """Changed choices are limited, so that they do not fill the disk; other players can still decide."""

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            _, anna, ben = await _two_people(server, stack)
            legal = anna.state["mine"]["0"]["legal"]
            for turn in range(40):
                await anna.decide(0, legal[turn % 2])
            assert await anna.refusal() == "too-fast"
            await ben.decide(1, "pass")
            await ben.until(lambda m: m["t"] == "state" and m["view"]["phase"] == "color")

    with serving(tmp_path) as server:
        run(game())


def test_a_body_that_never_ends(tmp_path: Path) -> None:
    """A request that never ends gets its answer in time."""
    with serving(tmp_path, hello_timeout=0.3) as server:
        host, port = server.address.split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as slow:
            slow.sendall(b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
            assert b" 400 " in slow.recv(4096)


@pytest.mark.usefixtures("either_transport")
def test_a_socket_that_is_never_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that never reads is disconnected; the others finish the game, and it may reconnect."""
    monkeypatch.setattr("qwixx.server.run.SEND_BUFFER", 4096)  # otherwise a game is too short to fill it

    async def game() -> None:
        code, token = open_table(server, variant="cards-joker", name="Anna")
        async with (
            seated(server, code, "Ben") as ben,
            _stalled_socket(server, code),
            joined(server, code, token) as anna,
        ):
            await anna.send("start")
            await asyncio.gather(click(anna, random.Random(1)), click(ben, random.Random(2)))
            for turn in range(400):
                if anna.room["watchers"] == 0:
                    break
                await anna.send("rename", seat=0, name=f"Anna {turn}")
                await anna.quiet()
            assert anna.room["watchers"] == 0
        async with joined(server, code) as again:
            assert again.room["code"] == code

    with serving(tmp_path, outbox=16) as server:
        run(game())


@contextlib.asynccontextmanager
async def _stalled_socket(server: Server, code: str) -> AsyncIterator[None]:
    """Do the handshake and the hello by hand, with a small buffer, then never read again."""
    host, port = server.address.split(":")
    with socket.socket() as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stalled.connect((host, int(port)))
        stalled.sendall(
            f"GET /ws/{code} HTTP/1.1\r\nHost: {server.address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        received = b""
        while b"\r\n\r\n" not in received:
            received += await asyncio.to_thread(stalled.recv, 1)
        hello = b'{"t":"hello","tokens":[]}'
        stalled.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
        await until(lambda: len(server.tables.loaded[code].connections) == 2)
        yield


@pytest.mark.usefixtures("either_transport")
@pytest.mark.parametrize(("said", "seconds", "reason"), [("", 0.3, 4408), ('{"t":"start"}', PATIENCE, 4400)])
def test_no_hello(said: str, seconds: float, reason: int, tmp_path: Path) -> None:
    """A socket that is silent, or whose first message is not a hello, is closed with a code."""

    async def game() -> None:
        code, _ = open_table(server)
        link = f"ws://{server.address}/ws/{code}"
        async with connect(link) as socket:
            if said:
                await socket.send(said)
            assert await Client(socket).close_code() == reason

    with serving(tmp_path, hello_timeout=seconds) as server:
        run(game())


def test_slow_requests_end(tmp_path: Path) -> None:
    """While one request never ends, the server answers others."""
    with serving(tmp_path) as server:
        host, port = server.address.split(":")
        slow = [socket.create_connection((host, int(port))) for _ in range(50)]
        for each in slow:
            each.sendall(b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
        assert httpx.get(f"http://{server.address}/healthz").json()["ok"]
        for each in slow:
            each.close()


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "file://", "http://"])
def test_foreign_origins(origin: str, tmp_path: Path) -> None:
    """Pages of other sites may open neither a socket nor a table; our own page and allowed origins may."""

    async def game() -> None:
        code, _ = open_table(server)
        link = f"ws://{server.address}/ws/{code}"
        with pytest.raises(InvalidStatus) as refused:
            async with connect(link, origin=origin):  # type: ignore[arg-type]
                pass
        assert refused.value.response.status_code == 403
        for own in (f"http://{server.address}", "https://games.example"):
            async with connect(link, origin=own):  # type: ignore[arg-type]
                pass
        answer = httpx.post(
            f"http://{server.address}/api/tables", json={"variant": "classic"}, headers={"Origin": origin}
        )
        assert (answer.status_code, answer.json()["code"]) == (403, "foreign-origin")

    with serving(tmp_path, origins="https://games.example, https://other.example") as server:
        run(game())


@pytest.mark.usefixtures("either_transport")
def test_full_tables_and_full_servers(tmp_path: Path) -> None:
    """Connections beyond the limit of a table, and tables beyond that of the server, are refused with a code."""

    async def game() -> None:
        code, _ = open_table(server)
        link = f"ws://{server.address}/ws/{code}"
        async with joined(server, code), joined(server, code), connect(link) as third:
            client = Client(third)
            await client.send("hello")
            assert await client.refusal() == "full"
            assert await client.close_code() == 4503
        open_table(server)
        answer = httpx.post(f"http://{server.address}/api/tables", json={"variant": "classic"})
        assert (answer.status_code, answer.json()) == (503, {"code": "too-many-tables"})

    with serving(tmp_path, max_connections=2, max_tables=2) as server:
        run(game())


def test_tables_per_address(tmp_path: Path) -> None:
    """One address may open only a limited number of tables per hour."""
    with serving(tmp_path, tables_per_address=3) as server:
        answers = [httpx.post(f"http://{server.address}/api/tables", json={"variant": "duel"}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
        assert answers[3].json() == {"code": "too-fast"}


@pytest.mark.usefixtures("either_transport")
def test_no_such_table(tmp_path: Path) -> None:
    """An unknown table code is refused with an error code, whatever it contains."""

    async def game() -> None:
        for code in ("AAAAA", "aaaaa", "%3Cscript%3E", "A" * 500, "O0I1l"):
            async with connect(f"ws://{server.address}/ws/{code}") as lost:
                client = Client(lost)
                await client.send("hello")
                assert await client.refusal() == "no-such-table"
                assert await client.close_code() == 4404

    with serving(tmp_path) as server:
        run(game())


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  Anna \t Maria ", "Anna Maria"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"[:24]),
        ("A\u0000n\u200bn\u202ea", "A n n a"),
        ("x" * 200, "x" * 24),
        ("Ünïcödé 🎲", "Ünïcödé 🎲"),
        ("\n\t\u200b", None),
        ("", None),
    ],
)
def test_names(name: str, shown: str | None, tmp_path: Path) -> None:
    """Names are trimmed and stay plain text; an empty name is refused."""

    async def game() -> None:
        code, _ = open_table(server)
        async with joined(server, code) as client:
            if shown is None:
                assert await client.ask("sit", name=name) == "bad-name"
                answer = httpx.post(f"http://{server.address}/api/tables", json={"variant": "duel", "name": name})
                assert answer.json() == {"code": "bad-name"}
            else:
                await client.send("sit", name=name)
                await client.until(lambda m: m["t"] == "table" and m["seats"])
                assert client.room["seats"][0]["name"] == shown

    with serving(tmp_path) as server:
        run(game())


BAD_BODIES: list[Any] = [
    (b"{", 400, "unreadable"),
    (b"[]", 400, "unreadable"),
    (b"\xff", 400, "unreadable"),
    (b'{"variant":7}', 400, "unreadable"),
    (b'{"variant":"chess"}', 400, "no-such-game"),
    (b'{"variant":"../../etc/passwd.toml"}', 400, "no-such-game"),
    (b'{"variant":"cards","sheet":"/etc/x.toml"}', 400, "bad-options"),
    (b'{"variant":"classic","sheet":"gemixxt-a"}', 400, "bad-options"),
    (b'{"variant":"duel","bots":["easy","easy","easy"]}', 400, "full"),
    (b'{"variant":"duel","bots":["wild"]}', 400, "bad-options"),
    (b'{"variant":"' + b"x" * 5000 + b'"}', 413, "too-large"),
]


@pytest.mark.parametrize(("body", "status", "code"), BAD_BODIES)
def test_bad_requests(body: bytes, status: int, code: str, tmp_path: Path) -> None:
    """Every bad request gets an error code, never a traceback."""
    with serving(tmp_path) as server:
        answer = httpx.post(f"http://{server.address}/api/tables", content=body)
        assert (answer.status_code, answer.json()) == (status, {"code": code})
        assert server.tables.loaded == {}
