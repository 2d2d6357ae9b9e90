"""Unit tests of small parts of the server."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
import os
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from click.testing import CliRunner
from starlette.types import Message
from starlette.websockets import WebSocket

import qwixx
from qwixx.cli import main
from qwixx.errors import QwixxError
from qwixx.players import find
from qwixx.server.base.errors import RefusalCode, Refused
from qwixx.server.base.settings import Settings
from qwixx.server.http.static_files import web_directory
from qwixx.server.limits.limiter import Limiter
from qwixx.server.limits.meter import Meter
from qwixx.server.operate.logs import JsonFormatter, KeyValueFormatter
from qwixx.server.room.bots import AllowedBots, level_of
from qwixx.server.room.catalogue import catalogue
from qwixx.server.room.seats import Seat, hash_token, new_token, owned_seats
from qwixx.server.run import Server, announce, bind, server_config
from qwixx.server.wire.message_parts import Level
from qwixx.server.wire.public_address import lan_address
from qwixx.server.wire.relay import is_relayed
from qwixx.sim import simulate
from support.paths import ROOT
from support.server.live_server import PATIENCE


def test_tokens() -> None:
    """Tokens are long and differ, and each opens exactly the seats with its hash."""
    tokens = [new_token() for _ in range(100)]
    assert len(set(tokens)) == 100
    assert all(len(token) == 32 for token in tokens)
    seats = [Seat("Anna", key=hash_token(tokens[0])), Seat("", "bot", "easy"), Seat("Ben", key=hash_token(tokens[1]))]
    assert owned_seats(seats, [hash_token(tokens[1]), hash_token("")]) == [2]
    assert owned_seats(seats, [""]) == []
    assert hash_token("\ud800") != hash_token("")


def test_bucket_and_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket refills with time; a window forgets what is long ago; a count waits until something is given back."""
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    bucket = Meter(3, rate=2)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] += 1
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    assert (bucket.charge(4), bucket.available(), bucket.take()) == (2.0, -4, False), "in debt for two seconds"
    window = Meter(2, seconds=60)
    assert window.take()
    now[0] += 40
    assert [window.take(), window.take()] == [True, False]
    now[0] += 21
    assert [window.take(), window.take()] == [True, False], "only the first is long ago"
    window.give_back()
    assert window.take()
    held = Meter(3)
    assert [held.take(2), held.take(2), held.take(reserve=1), held.take()] == [True, False, False, True]
    now[0] += 1000
    assert not held.take()
    held.give_back()
    assert held.take()


def test_settings_from_the_environment() -> None:
    """Environment variables set everything, flags have priority, and an invalid value gives an error sentence."""
    environment = {"QWIXX_PORT": "9000", "QWIXX_BOT_DELAY": "0.5", "QWIXX_LOG": "json"}
    settings = Settings.from_environment(environment, port=None, host="::1")
    assert (settings.port, settings.bot_delay, settings.log, settings.host) == (9000, 0.5, "json", "::1")
    assert Settings.from_environment(environment, port=1).port == 1
    for wrong in ({"QWIXX_PORT": "many"}, {"QWIXX_RATE": "-1"}, {"QWIXX_SYNC": "never"}, {"QWIXX_RATE": "nan"}):
        with pytest.raises(QwixxError, match=r"QWIXX_"):
            Settings.from_environment(wrong)


def test_every_code_is_documented() -> None:
    """docs/protocol.md names every refusal code in the sources of the server, and every close code."""
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "src" / "qwixx" / "server").rglob("*.py"))
    assert [code for code in get_args(RefusalCode) if f"`{code}`" not in text] == []
    assert [code for code in get_args(RefusalCode) if sources.count(f'"{code}"') < 2] == [], "nobody is refused so"
    assert [code for code in re.findall(r"\b4[45]\d\d\b", sources) if f"`{code}`" not in text] == []


def test_log_lines() -> None:
    """A log entry is one line whatever it contains, as text or as JSON."""
    record = logging.makeLogRecord(
        {"name": "qwixx.door", "msg": "foreign %s", "args": ("origin",), "levelname": "WARNING", "origin": "a\nb=c"}
    )
    text = KeyValueFormatter().format(record)
    assert "\n" not in text
    assert text.endswith('level=warning at=qwixx.door what="foreign origin" origin="a\\nb=c"')
    facts = json.loads(JsonFormatter().format(record))
    assert (facts["level"], facts["what"], facts["origin"]) == ("warning", "foreign origin", "a\nb=c")


def test_a_busy_port_gives_way_to_the_next() -> None:
    """If the port is taken the next one is used; if none is free, a sentence says so."""
    with contextlib.closing(bind("127.0.0.1", 0)) as first:
        port = first.getsockname()[1]
        assert first.proto == socket.IPPROTO_TCP  # asyncio requires it before it sets TCP_NODELAY
        if port < 65000:
            with contextlib.closing(bind("127.0.0.1", port)) as second:
                assert port < second.getsockname()[1] <= port + 20
    with pytest.raises(QwixxError, match="cannot listen"):
        bind("203.0.113.1", 8321)
    socket.inet_aton(lan_address())


def test_nobody_connects_before_the_server_can_answer() -> None:
    """While a server starts its port is reserved, and connections are refused; then they are answered."""
    may_start = threading.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        if scope["type"] == "lifespan":
            await asyncio.to_thread(may_start.wait)
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    listener = bind("127.0.0.1", 0)
    address = listener.getsockname()
    server = Server(server_config(app, Limiter(Settings())))
    ready = threading.Event()
    server.on_ready = ready.set
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address)
        with contextlib.closing(bind("127.0.0.1", address[1])) as other:
            assert other.getsockname() != address
        may_start.set()
        assert ready.wait(PATIENCE)
        assert httpx.get(f"http://127.0.0.1:{address[1]}/").status_code == 204
    finally:
        may_start.set()
        server.should_exit = True
        thread.join()


def test_serve_reports_errors(tmp_path: Path) -> None:
    """`qwixx serve` answers a bad setting and a bad file with a sentence and an exit code."""
    wrong = tmp_path / "wrong.db"
    wrong.write_text("no database, " * 100)
    result = CliRunner().invoke(main, ["serve", "--no-open", "--port", "0", "--db", str(wrong)])
    assert result.exit_code == 2
    assert "cannot be used" in result.output
    result = CliRunner().invoke(main, ["serve", "--no-open"], env={"QWIXX_PORT": "x"})
    assert result.exit_code == 2
    assert "QWIXX_PORT" in result.output


FIRST_PAGES = """
import http.client, sys, threading, time
from pathlib import Path
from qwixx.server.http import static_files as pages
from qwixx.server.app import make_app
from qwixx.server.run import Server, bind, server_config, warm_up
from qwixx.server.base.settings import Settings

settings = Settings(db=sys.argv[1])
listener = bind("127.0.0.1", 0)
app = make_app(settings)
warm_up(app.state.tables.allowed)
server = Server(server_config(app, app.state.tables.limiter))
thread = threading.Thread(target=server.run, args=([listener],))
thread.start()
while not server.started:
    time.sleep(0.01)

def ask(path):
    client = http.client.HTTPConnection(*listener.getsockname())
    client.request("GET", path, headers={"Accept-Encoding": "gzip"})
    answer = client.getresponse()
    answer.read()
    return answer.status

asset = next(path.name for path in (pages.web_directory() / "assets").iterdir())
assert ask("/healthz") == 200
before = set(sys.modules)
statuses = [ask(path) for path in ("/", f"/assets/{asset}", "/api/games", "/api/rules/longo", "/api/tables/AAAAAAAA")]
print(statuses, sorted(set(sys.modules) - before))
server.should_exit = True
thread.join()
"""


@pytest.mark.slow
def test_nothing_is_imported_while_people_play(tmp_path: Path) -> None:
    """The first visitor does not make others wait for imports."""
    if not (web_directory() / "index.html").is_file():
        pytest.skip("the page has not been built")
    command = [sys.executable, "-c", FIRST_PAGES, str(tmp_path / "tables.db")]
    environment = {**os.environ, "QWIXX_JIT": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == "[200, 200, 200, 200, 404] []\n", done.stdout + done.stderr


def test_lan_shows_a_qr_code() -> None:
    """On the local network the address of this machine is printed with a QR code; on loopback it is not."""
    out = io.StringIO()
    assert announce("0.0.0.0", 8321, out) == f"http://{lan_address()}:8321/"
    assert lan_address() in out.getvalue()
    assert "█" in out.getvalue()
    out = io.StringIO()
    assert announce("127.0.0.1", 8321, out) == "http://127.0.0.1:8321/"
    assert "█" not in out.getvalue()
    assert "Only this machine" in out.getvalue()
    announce("127.0.0.1", 8321, out := io.StringIO(), is_proxied=True)
    assert "Only this machine" not in out.getvalue()


@pytest.mark.slow
def test_levels_differ() -> None:
    """Over some games each level wins more than the one below it; all but the learned level know every game."""
    lines = simulate("classic", 3, ("easy", "normal", "strong"), 600, seed=1).by_player()
    shares = [line.win_share for line in lines]
    assert shares[0] < shares[1] < shares[2]
    for level in get_args(Level):
        for name in qwixx.games():
            if level != "master" or any(find(level).plays(qwixx.variant(name), seats) for seats in (2, 3, 4, 5)):
                assert AllowedBots(level).check(level, qwixx.variant(name)) == level


def test_a_level_is_offered_where_it_plays_with_any_number_of_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of players is not known in the lobby: a master for two seats but not three is not offered there."""
    for known, offered in (((2, 3, 4, 5), ["easy", "master"]), ((2, 3, 5), ["easy"])):
        monkeypatch.setattr(type(find("master")), "plays", lambda _self, _variant, seats, known=known: seats in known)
        assert AllowedBots("master,easy").levels(qwixx.variant("classic")) == offered
        assert AllowedBots("master,easy").levels(qwixx.variant("duel")) == ["easy", "master"]


def test_only_allowed_players_sit_down() -> None:
    """An operator names players; others are refused, files and unknown names already before the server starts."""
    allowed = AllowedBots("optimal, easy")
    assert allowed.check("optimal", qwixx.variant("classic")) == "optimal"
    for name, variant in (("normal", "classic"), ("optimal", "cards"), ("gap:3", "classic"), ("x.py:Y", "classic")):
        with pytest.raises(Refused, match="bad-options"):
            allowed.check(name, qwixx.variant(variant))
    assert allowed.default(qwixx.variant("classic"), 2) == "optimal"
    assert allowed.default(qwixx.variant("cards"), 2) == "easy"
    assert AllowedBots("").default(qwixx.variant("classic"), 2) is None
    assert AllowedBots("").find("easy", qwixx.variant("classic"), 2) is None
    with pytest.raises(QwixxError, match="no classes out of files"):
        AllowedBots("my_bot.py:MyBot")
    with pytest.raises(QwixxError, match="no player 'eazy'"):
        AllowedBots("eazy")


def test_a_page_offers_the_levels_that_are_allowed() -> None:
    """The catalogue of a server names the levels that its operator allows, for each game."""
    few = {game["id"]: game["bots"] for game in json.loads(catalogue(AllowedBots("strong, optimal, easy")))["games"]}
    assert few == {name: ["easy", "strong"] for name in qwixx.games()}
    assert {tuple(game["bots"]) for game in json.loads(catalogue(AllowedBots("")))["games"]} == {()}


def test_a_page_knows_the_levels() -> None:
    """Any other bot is shown as a strong one, a person as none."""
    assert [level_of(name) for name in ("easy", "normal", "strong", "master", "optimal", None)] == [
        "easy",
        "normal",
        "strong",
        "master",
        "strong",
        None,
    ]


@pytest.mark.parametrize(
    ("header", "expected"), [({"qwixx-relayed": "~qwixx-relayed"}, True), ({"qwixx-relayed": "1"}, False), ({}, False)]
)
def test_only_a_server_of_the_cluster_relays_a_socket(header: dict[str, str], expected: bool) -> None:
    """Its header has the mark of the cluster; a client does not know it. A single server trusts no such header."""

    async def receive() -> Message:
        raise AssertionError

    async def send(_: Message) -> None:
        raise AssertionError

    named = [(name.encode(), value.encode()) for name, value in header.items()]
    socket = WebSocket({"type": "websocket", "headers": named}, receive, send)
    assert is_relayed(socket, lambda text: f"~{text}") == expected
    assert not is_relayed(socket, None)
