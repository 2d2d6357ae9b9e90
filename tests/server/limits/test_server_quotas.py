"""Quotas of an address, counted over all its connections; and the host names under which the server answers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from qwixx.errors import QwixxError
from qwixx.server.base.errors import Refused
from qwixx.server.base.settings import Settings
from qwixx.server.http.admission import in_slices
from qwixx.server.http.api import qr_code
from qwixx.server.limits.allowed_hosts import AllowedHosts
from qwixx.server.limits.client_address import address_group
from qwixx.server.limits.declared import ADDRESS_MESSAGES, ADDRESSES, PRINTS, SOCKETS
from qwixx.server.limits.limiter import Limiter
from qwixx.server.operate.logs import RateLimitFilter
from qwixx.server.room.codes import is_code, join_code, new_code
from support.server.live_server import PATIENCE, Client, Server, joined, open_table, run, serving

pytestmark = pytest.mark.slow


def _open(server: Server, **wanted: Any) -> tuple[int, str]:
    answer = httpx.post(f"http://{server.address}/api/tables", json={"variant": "duel", **wanted})
    return answer.status_code, answer.json()["code"]


# ---- tables


def test_only_tables_count(tmp_path: Path) -> None:
    """A request that opens no table uses no quota."""
    with serving(tmp_path, tables_per_address=2) as server:
        for _ in range(5):
            assert _open(server, variant="chess") == (400, "no-such-game")
            assert _open(server, name="\u200b") == (400, "bad-name")
        assert [_open(server)[0] for _ in range(3)] == [201, 201, 429]


def test_rematches_count(tmp_path: Path) -> None:
    """A rematch counts as a table; one beyond the quota is refused."""

    async def game() -> None:
        code, token = open_table(server, name="Anna")
        for expected in ("opened", "refused"):
            async with joined(server, code, token) as anna:
                server.tables.loaded[code].room.stage = "over"  # how that happened does not matter here
                if expected == "refused":
                    assert await anna.ask("rematch") == "too-fast"
                else:
                    await anna.send("rematch")
                    await anna.until(lambda m: m["t"] == "table" and m["next"])
                    code = anna.room["next"]
        assert _open(server) == (429, "too-fast")

    with serving(tmp_path, tables_per_address=2) as server:
        run(game())


# ---- codes


def test_codes_are_long() -> None:
    """A code has ten letters and digits, five of them its join code; shorter codes of older versions still work."""
    for text in ("KBTXR3MR7A", "K7QXA3MR", "K7QXA"):
        assert is_code(text)
    for text in ("K7QXA3", "K7QXA3MRX", "K7QXA3MO", "", "k7qxa3mr"):
        assert not is_code(text)
    assert join_code("KBTXR3MR7A") == "KBTXR"
    for old in ("K7QXA3MR", "KBTXRMRA", "KBTXR", "K7QXA3MR7A"):
        assert not join_code(old)
    for _ in range(100):
        assert len(code := new_code()) == 10
        assert is_code(code)
        assert not set("AEIOUY0123456789") & set(join_code(code))
        assert len(join_code(code)) == 5


def test_five_letters_lead_to_a_lobby(tmp_path: Path) -> None:
    """The join code finds the table until its game starts; then only its code does. Every wrong one is a guess."""

    async def game() -> None:
        link = f"http://{server.address}/api/tables"
        code, token = open_table(server, name="Anna")
        async with joined(server, code, token) as anna:
            join = anna.room["joinCode"]
            assert join == code[:5]
            assert httpx.get(f"{link}/{join.lower()}").json()["code"] == code
            assert httpx.get(f"{link}/{join}/qr.svg").status_code == 200
            async with connect(f"ws://{server.address}/ws/{join}") as socket_:  # a socket needs the whole code
                client = Client(socket_)
                await client.send("hello", tokens=[])
                assert await client.refusal() == "no-such-table"
            await anna.send("start")
            await anna.until("state")
            assert anna.room["stage"] == "playing"
            assert anna.room["joinCode"] == ""
        assert httpx.get(f"{link}/{join}").status_code == 404
        assert httpx.get(f"{link}/{join}").json()["code"] == "too-fast"  # two wrong codes: no further answers

    with serving(tmp_path, guesses_per_address=2) as server:
        run(game())


def test_guesses_are_few(tmp_path: Path) -> None:
    """After too many wrong codes, an address gets no answer for right ones either; owners of seats can connect."""

    async def look(code: str, *tokens: str | None) -> tuple[str, int | None]:
        async with connect(f"ws://{server.address}/ws/{code}") as socket_:
            client = Client(socket_)
            await client.send("hello", tokens=[token for token in tokens if token])
            refused = await client.refusal()
            return refused, await client.close_code()

    async def game() -> None:
        code, token = open_table(server, name="Anna")
        link = f"http://{server.address}/api/tables"
        async with joined(server, code):
            pass
        assert await look("AAAAAAAA") == ("no-such-table", 4404)
        assert httpx.get(f"{link}/BBBBBBBB").status_code == 404
        assert httpx.get(f"{link}/CCCCCCCC/qr.svg").status_code == 404
        for wrong in ("DDDDDDDD", code):
            answer = httpx.get(f"{link}/{wrong}")
            assert (answer.status_code, answer.json()) == (429, {"code": "too-fast"})
            assert (await look(wrong))[0] == "too-fast"
        async with joined(server, code, token) as anna:
            assert anna.room["mine"] == [0]

    with serving(tmp_path, guesses_per_address=3) as server:
        run(game())


# ---- messages, requests and sockets of one address


def test_messages_of_one_address(tmp_path: Path) -> None:
    """All connections of one address share its message limit."""

    async def game() -> None:
        code, _ = open_table(server)
        async with contextlib.AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(joined(server, code)) for _ in range(4)]
            for client in clients:
                for _ in range(10):
                    await client.send("ping")
            answers = [await client.until(lambda m: m["t"] in ("pong", "error")) for client in clients]
            assert answers[0]["t"] == "pong"
            assert answers[-1] == {"t": "error", "code": "too-fast"}

    with serving(tmp_path, address_rate=0.1, address_burst=20) as server:
        run(game())


def test_requests_wait_for_their_turn() -> None:
    """Requests beyond the rate wait; those that would wait too long are refused, and others do not wait for them."""

    async def ask() -> None:
        limiter = Limiter(Settings(request_rate=20, request_burst=2))
        begin = time.monotonic()
        for _ in range(6):
            await limiter.admit_request("a")
        assert time.monotonic() - begin >= 4 / 20 * 0.9
        with pytest.raises(Refused, match="too-fast"):
            await limiter.admit_request("a", cost=20 * 2 * PATIENCE)  # it would have to wait for twice our patience
        await asyncio.wait_for(limiter.admit_request("b"), 0.01)  # at once: it does not wait at all
        await asyncio.wait_for(limiter.admit_request("a"), PATIENCE)

    asyncio.run(ask())


def test_far_too_many_requests(tmp_path: Path) -> None:
    """An address with far too many requests gets an error code, or an HTTP status before a socket opens."""

    async def lost() -> None:
        with pytest.raises(InvalidStatus) as refused:
            async with connect(f"ws://{server.address}/ws/AAAAAAAA"):
                pass
        assert refused.value.response.status_code == 403

    with serving(tmp_path, request_rate=0.1, request_burst=8) as server, httpx.Client() as client:
        # A request whose turn is a few seconds away waits for it; the ninth would wait much longer.
        answers = [client.get(f"http://{server.address}/healthz") for _ in range(9)]
        assert [answer.status_code for answer in answers] == [200] * 8 + [429]
        assert answers[8].json() == {"code": "too-fast"}
        assert "content-security-policy" in answers[8].headers
        run(lost())


def test_sockets_behind_a_proxy(tmp_path: Path) -> None:
    """Behind a proxy, sockets are counted by the address that the proxy names."""

    async def game() -> None:
        code, _ = open_table(server)
        link = f"ws://{server.address}/ws/{code}"
        async with contextlib.AsyncExitStack() as stack:

            async def come(address: str) -> Client:
                headers = {"X-Forwarded-For": address}
                client = Client(await stack.enter_async_context(connect(link, additional_headers=headers)))
                with contextlib.suppress(ConnectionClosed):  # one beyond the limit is refused before its hello
                    await client.send("hello", tokens=[])
                return client

            for address in ("2001:db8::1", "2001:db8::2"):
                await (await come(address)).until("table")
            third = await come("2001:db8::3")
            assert await third.refusal() == "full"
            assert await third.close_code() == 4503
            await (await come("2001:db8:0:1::1")).until("table")

    with serving(tmp_path, connections_per_address=2, proxies="127.0.0.1") as server:
        run(game())


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("testclient", "testclient"),
    ],
)
def test_how_addresses_count(address: str, counted: str) -> None:
    """The owner of one IPv6 address has 2^64 of them."""
    assert address_group(address) == counted


def test_addresses_are_forgotten() -> None:
    """However many addresses come, what is remembered of them is bounded; the oldest is forgotten first."""
    limiter = Limiter(Settings(prints_per_address=1, address_rate=0.001, address_burst=1, connections_per_address=1))
    limiter.lower(ADDRESSES, 3)
    for address in "abcd":
        limiter.count(PRINTS, address)
        assert limiter.meter(ADDRESS_MESSAGES, address).take()
        limiter.count(SOCKETS, address)
    assert [limiter.is_used_up(PRINTS, address) for address in "abcd"] == [False, True, True, True]
    assert [limiter.meter(ADDRESS_MESSAGES, address).take() for address in "dcb"] == [False, False, False]
    assert limiter.meter(ADDRESS_MESSAGES, "a").take()
    limiter.uncount(PRINTS, "d")
    limiter.count(PRINTS, "d")
    assert all(limiter.is_used_up(SOCKETS, address) for address in "abcd"), "an open socket is not forgotten"
    limiter.uncount(SOCKETS, "b")
    with limiter.holding(SOCKETS, "b"), pytest.raises(Refused, match="full"):
        limiter.count(SOCKETS, "b")
    limiter.check(SOCKETS, "b")


# ---- names of the server


def test_names_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loopback, IP addresses, allowed names and, on a local network, the name of the machine; never another name."""
    monkeypatch.setattr(socket, "gethostname", lambda: "Attic.example.org")
    alone = AllowedHosts(Settings())
    lan = AllowedHosts(Settings(host="0.0.0.0", hosts="games.example, Other.Example."))
    for known in (
        "localhost",
        "LOCALHOST:8321",
        "127.0.0.1:1",
        "[::1]:8321",
        "192.168.1.7",
        "a.localhost",
        "localhost.",
    ):
        assert alone.accepts(known)
        assert lan.accepts(known)
    for own in ("attic", "attic.local:8321", "attic.lan", "attic.example.org", "games.example", "other.example:443"):
        assert not alone.accepts(own)
        assert lan.accepts(own)
    strange = ("", "evil.example", "attic.evil.example", "games.example.evil.example", "localhost.evil.example", "x y")
    for name in (*strange, "127.0.0.1.evil.example", "[::1", "a" * 300, "127.0.0.1:80/x", "127.0.0.1@evil.example"):
        assert not alone.accepts(name)
        assert not lan.accepts(name)
    assert AllowedHosts(Settings(hosts="*")).accepts("evil.example")


def test_other_names_are_refused(tmp_path: Path) -> None:
    """DNS rebinding: a request with a foreign host name gets no data and no socket."""

    async def rebound() -> None:
        code, _ = open_table(server)
        headers = {"Host": "evil.example", "Origin": "http://evil.example"}
        page = httpx.get(f"http://{server.address}/t/{code}", headers=headers)
        assert page.status_code == 421
        assert "QWIXX_HOSTS" in page.text
        for path in ("/api/games", f"/api/tables/{code}", f"/api/tables/{code}/qr.svg"):
            answer = httpx.get(f"http://{server.address}{path}", headers=headers)
            assert (answer.status_code, answer.json()) == (421, {"code": "foreign-host"})
        long = httpx.get(f"http://{server.address}/api/tables/{code}/qr.svg", headers={"Host": "a" * 2280})
        assert (long.status_code, long.json()) == (421, {"code": "foreign-host"})
        host, port = server.address.split(":")
        with pytest.raises(InvalidStatus) as refused:
            async with connect(f"ws://evil.example:{port}/ws/{code}", host=host, origin="http://evil.example"):  # type: ignore[arg-type]
                pass
        assert refused.value.response.status_code == 403

    with serving(tmp_path) as server:
        run(rebound())


def test_refused_requests_count(tmp_path: Path) -> None:
    """The rate limit holds for foreign host names and banned addresses, too: a refusal costs time as well."""
    with serving(tmp_path, request_rate=0.001, request_burst=10) as server, httpx.Client() as client:
        headers = {"Host": "evil.example"}
        answers = [client.get(f"http://{server.address}/api/games", headers=headers).status_code for _ in range(12)]
    assert (answers[0], answers[-1]) == (421, 429)


def test_a_qr_code_is_drawn_once(tmp_path: Path) -> None:
    """The QR code of a link is drawn once, and not in the event loop."""
    with serving(tmp_path) as server:
        code, _ = open_table(server)
        qr_code.cache_clear()
        drawings = {httpx.get(f"http://{server.address}/api/tables/{code}/qr.svg").content for _ in range(3)}
    assert len(drawings) == 1
    assert (qr_code.cache_info().misses, qr_code.cache_info().hits) == (1, 2)


def test_long_answers_are_sent_in_slices() -> None:
    """A long answer is sent in slices, so that a slow reader holds only one slice in memory."""

    async def check() -> None:
        sent: list[dict[str, Any]] = []

        async def send(message: Any) -> None:
            sent.append(message)

        body = bytes(range(256)) * 600
        slices = in_slices(send)
        await slices({"type": "http.response.start", "status": 200})
        await slices({"type": "http.response.body", "body": body})
        assert b"".join(message.get("body", b"") for message in sent) == body
        assert max(len(message.get("body", b"")) for message in sent) == 64 * 1024
        assert [message.get("more_body", False) for message in sent[1:]] == [True, True, False]

    asyncio.run(check())


# ---- settings and the log


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("QWIXX_PORT", "70000"),
        ("QWIXX_CONNECTIONS_IN_ALL", "0"),
        ("QWIXX_HELLO_TIMEOUT", "0"),
        ("QWIXX_REQUEST_TIMEOUT", "inf"),
        ("QWIXX_RATE", "nan"),
        ("QWIXX_ADDRESS_RATE", "0"),
        ("QWIXX_LOG_LINES", "-1"),
        ("QWIXX_HANDSHAKES", "1.5"),
    ],
)
def test_invalid_settings_are_refused(variable: str, value: str) -> None:
    """A limit that would refuse everybody, or is not a number, is refused with a sentence."""
    with pytest.raises(QwixxError, match=rf"{variable} should be"):
        Settings.from_environment({variable: value})


def test_a_flooded_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Log lines of one kind are limited per minute; the first line of the next minute counts the dropped ones."""
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    spare = RateLimitFilter(3)

    def line(number: int, place: int) -> logging.LogRecord:
        return logging.LogRecord("qwixx.gate", logging.WARNING, "gate.py", place, f"from {number}", None, None)

    assert [spare.filter(line(number, 1)) for number in range(5)] == [True, True, True, False, False]
    assert spare.filter(line(0, 2))
    now[0] += 61
    later = line(9, 1)
    assert spare.filter(later)
    assert vars(later)["left_out"] == 2
    again = line(9, 1)
    assert spare.filter(again)
    assert "left_out" not in vars(again)
