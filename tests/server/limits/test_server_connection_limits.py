"""Limits of one connection and of one address: a client beyond them is disconnected, and the others stay."""

from __future__ import annotations

import asyncio
import contextlib
import math
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from qwixx.server.base.errors import Refused
from qwixx.server.base.settings import Settings
from qwixx.server.limits import connection_limits
from qwixx.server.limits.connection_limits import ConnectionLimiter, ConnectionState
from qwixx.server.limits.declared import RESERVED_FILES
from qwixx.server.limits.limiter import Limiter
from qwixx.server.wire import file_descriptors
from qwixx.server.wire.file_descriptors import raise_open_file_limit
from qwixx.server.wire.frame_counter import FrameCounter
from support.server.in_process_tables import until
from support.server.live_server import PATIENCE, Server, open_table, serving

pytestmark = pytest.mark.slow

MASK = bytes(4)
PING, PONG, TEXT, PART, LAST_PART = 0x89, 0x8A, 0x81, 0x01, 0x80


def frame(kind: int, payload: bytes = b"") -> bytes:
    """Write a frame as a page sends it; a mask of zeros changes nothing."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
    return bytes([kind]) + length + MASK + payload


@contextlib.contextmanager
def plain_connection(server: Server, *, buffer: int = 0) -> Iterator[socket.socket]:
    """Return a plain TCP connection to the server."""
    host, port = server.address.split(":")
    with socket.socket() as plain:
        if buffer:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        plain.settimeout(PATIENCE)
        plain.connect((host, int(port)))
        yield plain


def handshake_as_spectator(server: Server, plain: socket.socket, code: str) -> None:
    """Upgrade to a WebSocket at a table, as a spectator."""
    plain.sendall(
        f"GET /ws/{code} HTTP/1.1\r\nHost: {server.address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += plain.recv(1)
    assert b" 101 " in answer
    plain.sendall(frame(TEXT, b'{"t":"hello","tokens":[]}'))
    assert b"table" in plain.recv(65536)


def is_disconnected(plain: socket.socket, data: bytes, times: int = 1) -> bool:
    """Send without reading; return whether the server closed the connection."""
    with contextlib.suppress(BlockingIOError, TimeoutError):
        plain.settimeout(0.2)
        try:
            for _ in range(times):
                plain.sendall(data)
        except ConnectionError:
            return True
    plain.settimeout(PATIENCE)
    try:
        while plain.recv(65536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def _receives(plain: socket.socket, wanted: bytes) -> bool:
    """Read until data arrives; return whether it arrived before the timeout."""
    received = b""
    while wanted not in received:
        data = plain.recv(65536)
        if not data:
            return False
        received += data
    return True


def becomes_true(true: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Wait until a condition is true; return whether it became true."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


# ---- frames of one connection


@pytest.mark.usefixtures("either_transport")
def test_unread_pongs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that sends pings and reads no pongs is disconnected when too many bytes are pending."""
    monkeypatch.setattr("qwixx.server.run.SEND_BUFFER", 4096)
    with serving(tmp_path, outbox=16) as server, plain_connection(server, buffer=4096) as plain:
        handshake_as_spectator(server, plain, open_table(server)[0])
        (connection,) = server.limiter.connections.values()
        most = 0
        plain.settimeout(0.05)
        with contextlib.suppress(ConnectionError, TimeoutError):
            for _ in range(2000):
                plain.sendall(frame(PING, b"x" * 125) * 8)
                most = max(most, connection.transport.get_write_buffer_size())
        assert becomes_true(lambda: not server.limiter.connections)
        assert most < 64 * 1024 * 4


@pytest.mark.usefixtures("either_transport")
@pytest.mark.parametrize("kind", [PING, PONG, TEXT])
def test_floods_of_frames(kind: int, tmp_path: Path) -> None:
    """Frames of every kind count: five times the allowed number of messages is a flood."""
    with serving(tmp_path, rate=1, burst=20) as server, plain_connection(server) as plain:
        code, _ = open_table(server)
        handshake_as_spectator(server, plain, code)
        assert is_disconnected(plain, frame(kind) * 110)
        assert becomes_true(lambda: not server.limiter.connections)
        with plain_connection(server) as again:
            handshake_as_spectator(server, again, code)
            again.sendall(frame(PONG) * 90 + frame(TEXT, b'{"t":"ping"}'))
            assert _receives(again, b'"pong"')


@pytest.mark.usefixtures("either_transport")
def test_messages_of_many_parts(tmp_path: Path) -> None:
    """A message may come in parts, but not in an endless number of empty ones."""
    with serving(tmp_path) as server, plain_connection(server) as plain:
        code, _ = open_table(server)
        handshake_as_spectator(server, plain, code)
        plain.sendall(frame(PART, b'{"t":') + frame(0x00) * 20 + frame(PING) + frame(LAST_PART, b'"ping"}'))
        assert _receives(plain, b'"pong"')
        assert is_disconnected(plain, frame(PART, b"x") + frame(0x00) * 200)


def test_frames_are_counted_across_pieces() -> None:
    """Each frame counts once, no matter how the bytes are split."""
    data = b"".join(
        (
            frame(TEXT, b"x" * 10),
            frame(PING),
            frame(TEXT, b"y" * 300),
            b"\x82\xff" + (70_000).to_bytes(8) + MASK + b"z" * 70_000,
            frame(PART, b"a"),
            frame(PONG, b"b"),
            frame(LAST_PART),
        )
    )
    for size in (1, 2, 3, 7, 1000, len(data)):
        counter = FrameCounter()
        assert sum(counter.count(data[at : at + size], 100) for at in range(0, len(data), size)) == 7
        assert counter.parts == 0
    assert FrameCounter().count(frame(PING) * 1000, 5) == 6


# ---- time


def test_silent_and_half_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that is silent, never finishes a request, or sends a byte now and then is disconnected in time."""
    registered: list[asyncio.Transport] = []
    register = ConnectionLimiter.register

    def count(limiter: ConnectionLimiter, transport: asyncio.Transport) -> ConnectionState | None:
        registered.append(transport)
        return register(limiter, transport)

    monkeypatch.setattr(ConnectionLimiter, "register", count)
    with serving(tmp_path, hello_timeout=0.5, request_timeout=0.5) as server, contextlib.ExitStack() as stack:
        _silent, half, endless, slow = (stack.enter_context(plain_connection(server)) for _ in range(4))
        half.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow:")
        endless.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n")
        slow.sendall(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 200)
        assert becomes_true(lambda: len(registered) == 4)

        def are_all_cut_off() -> bool:
            for each in (half, endless):
                with contextlib.suppress(OSError):
                    each.sendall(b"x")
            return not server.limiter.connections

        assert becomes_true(are_all_cut_off)
        assert httpx.get(f"http://{server.address}/healthz").json()["ok"]


def test_a_client_may_wait_for_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The timeout stops while the server works on a review, and starts again with the response.

    On a busy machine a review takes longer than a client may be silent.
    """
    sweeps: list[float] = []
    sweep = ConnectionLimiter._sweep

    def counted(limiter: ConnectionLimiter) -> None:
        sweeps.extend(each.deadline for each in limiter.connections.values())
        sweep(limiter)

    async def long_work(*_: object) -> None:
        while len(sweeps) < 10:
            await asyncio.sleep(0.01)
        raise Refused("no-judge")

    monkeypatch.setattr(connection_limits, "_SWEEP_SECONDS", 0.02)
    monkeypatch.setattr(ConnectionLimiter, "_sweep", counted)
    with serving(tmp_path, request_timeout=0.1) as server:
        code, _ = open_table(server, name="Anna")
        monkeypatch.setattr(server.tables.finished_games, "compressed", long_work)
        answer = httpx.get(f"http://{server.address}/api/tables/{code}/analysis", timeout=PATIENCE)
        assert answer.json()["code"] == "no-judge"
        assert sweeps.count(math.inf) > 5
        assert server.limiter.cut == {}


def test_a_connection_with_requests_in_time_stays(tmp_path: Path) -> None:
    """A connection with repeated requests stays open for as long as it likes."""
    with serving(tmp_path) as server, httpx.Client() as client:
        assert client.get(f"http://{server.address}/healthz").status_code == 200
        (connection,) = server.limiter.connections.values()
        for _ in range(6):
            due = connection.deadline
            assert client.get(f"http://{server.address}/healthz").status_code == 200
            assert connection.deadline > due, "its time starts again with every request"
        assert list(server.limiter.connections.values()) == [connection]


def test_answers_are_sent_without_delay(tmp_path: Path) -> None:
    """The system does not delay small answers to merge them with later ones (TCP_NODELAY)."""
    with serving(tmp_path) as server, plain_connection(server) as plain:
        plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        plain.recv(1000)
        (connection,) = server.limiter.connections.values()
        accepted = connection.transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


# ---- how many


def test_connections_of_one_address(tmp_path: Path) -> None:
    """One address has a limited number of connections; when one closes, another may connect."""
    with serving(tmp_path, connections_per_address=3) as server, contextlib.ExitStack() as stack:
        held = [stack.enter_context(plain_connection(server)) for _ in range(3)]
        assert becomes_true(lambda: len(server.limiter.connections) == 3)
        with (
            contextlib.suppress(ConnectionResetError),
            plain_connection(server) as fourth,
        ):  # closed early, or a little later
            assert is_disconnected(fourth, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        held[0].close()
        assert becomes_true(lambda: len(server.limiter.connections) == 2)
        assert httpx.get(f"http://{server.address}/healthz").json()["ok"]


class FakeTransport:
    """A connection from any address."""

    def __init__(self, host: str) -> None:
        """Set the address."""
        self.peer = (host, 1234)
        self.waiting = 0
        self.is_over = False

    def get_extra_info(self, name: str) -> Any:
        """Return the address."""
        return self.peer if name == "peername" else None

    def get_write_buffer_size(self) -> int:
        """Return the number of pending bytes."""
        return self.waiting

    def is_closing(self) -> bool:
        """Return whether it is closed."""
        return self.is_over

    def abort(self) -> None:
        """Close it."""
        self.is_over = True


def _limiter(most: int, **settings: Any) -> Callable[..., ConnectionState | None]:
    limiter = ConnectionLimiter(Limiter(Settings(connections_in_all=most, **settings)))

    def come(host: str) -> ConnectionState | None:
        return limiter.register(cast(asyncio.Transport, FakeTransport(host)))

    come.limiter = limiter  # type: ignore[attr-defined]
    return come


def _run(test: Callable[[], None]) -> None:
    async def inside() -> None:
        test()

    asyncio.run(inside())


def test_a_network_counts_as_one() -> None:
    """An IPv6 address counts by its first 64 bits, an IPv4 address by all bits, in any notation."""

    def check() -> None:
        come = _limiter(100, connections_per_address=2)
        assert come("2001:db8:1:2::1")
        assert come("2001:db8:1:2:ffff::7")
        assert come("2001:db8:1:2::9") is None
        assert come("2001:db8:1:3::1")
        assert come("192.0.2.1")
        assert come("::ffff:192.0.2.1")
        assert come("192.0.2.1") is None
        assert come("192.0.2.2")

    _run(check)


def test_proxies_hold_many_connections() -> None:
    """A proxy may hold any number of connections, because the people behind it are counted elsewhere."""

    def check() -> None:
        come = _limiter(20, connections_per_address=2, proxies="127.0.0.1, 10.0.0.0/8")
        assert all(come("10.1.2.3") for _ in range(5))
        assert all(come("127.0.0.1") for _ in range(5))
        assert [bool(come("127.0.0.2")) for _ in range(3)] == [True, True, False]

    _run(check)


def test_idle_connections_are_closed_for_new_ones() -> None:
    """With too many idle connections, or without room, the oldest idle one is closed for a new one."""

    def check() -> None:
        come = _limiter(100, handshakes=2)
        limiter: ConnectionLimiter = come.limiter  # type: ignore[attr-defined]
        first, second = come("192.0.2.1"), come("192.0.2.2")
        assert first
        assert second
        limiter.reset_deadline(second)
        assert come("192.0.2.3")
        assert come("192.0.2.4")
        assert first.transport.is_closing()
        assert not second.transport.is_closing()

        come = _limiter(4)
        limiter = come.limiter  # type: ignore[attr-defined]
        busy = [come(f"192.0.2.{n}") for n in range(3)]
        for each in busy:
            assert each
            limiter.on_upgrade(each)
        idle = come("192.0.2.9")
        assert idle
        assert come("192.0.2.10"), "the idle connection was closed to make room"
        assert idle.transport.is_closing()
        assert not any(each.transport.is_closing() for each in busy if each)

    _run(check)


def test_one_address_never_takes_all_the_room() -> None:
    """If there is little room, one address gets at most half of it."""

    def check() -> None:
        come = _limiter(6)
        assert [bool(come("192.0.2.1")) for _ in range(4)] == [True, True, True, False]

    _run(check)


def test_new_connections_of_one_address_are_slowed() -> None:
    """The rate of new connections of one address is limited, too."""

    def check() -> None:
        come = _limiter(100, request_burst=10, request_rate=0.1)
        limiter: ConnectionLimiter = come.limiter  # type: ignore[attr-defined]
        for _ in range(5):
            connection = come("192.0.2.1")
            assert connection
            limiter.unregister(connection)
        assert come("192.0.2.1") is None
        assert come("192.0.2.2")

    _run(check)


def test_pending_bytes_of_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """The slowest readers of an address are disconnected when too many bytes are pending for all of them together."""
    monkeypatch.setattr("qwixx.server.limits.connection_limits._SWEEP_SECONDS", 0.01)

    async def check() -> None:
        come = _limiter(100, address_outbox=10)
        connections = [come(host) for host in ("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")]
        for connection, waiting in zip(connections, (3, 5, 4, 9), strict=True):
            assert connection
            cast(FakeTransport, connection.transport).waiting = waiting * 1024
        await until(lambda: connections[1] and connections[1].transport.is_closing())
        await asyncio.sleep(0.05)  # more checks, which find nothing to do
        assert [connection.transport.is_closing() for connection in connections if connection] == [
            False,
            True,
            False,
            False,
        ]

    asyncio.run(check())


def test_descriptors_are_kept_in_reserve(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server raises its file limit as far as it can, and keeps enough descriptors for files and the database."""
    asked: list[tuple[int, int]] = []

    def pretend(soft: int, hard: int) -> None:
        asked.clear()
        fake = SimpleNamespace(
            RLIMIT_NOFILE=7,
            RLIM_INFINITY=-1,
            getrlimit=lambda _: (soft, hard),
            setrlimit=lambda _, both: asked.append(both),
        )
        monkeypatch.setattr(file_descriptors, "resource", fake)

    pretend(100_000, 100_000)
    assert (raise_open_file_limit(5000), asked) == (5000, [])
    pretend(1024, 100_000)
    assert (raise_open_file_limit(5000), asked) == (5000, [(5000 + RESERVED_FILES, 100_000)])
    pretend(256, 256)
    assert (raise_open_file_limit(5000), asked) == (256 - RESERVED_FILES, [(256, 256)])
    pretend(1024, -1)
    assert raise_open_file_limit(5000) == 5000
    pretend(16, 16)
    assert raise_open_file_limit(5000) == 1
    monkeypatch.setattr(file_descriptors, "resource", None)
    assert raise_open_file_limit(5000) == 5000
