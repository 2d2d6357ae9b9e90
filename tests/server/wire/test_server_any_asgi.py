"""The server without the fast socket path: any ASGI server can run it.

The limits apply there, too: their tests use the fixture `either_transport`.
"""

from __future__ import annotations

import asyncio
import gc
import random
import textwrap
import warnings
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message
from starlette.websockets import WebSocketDisconnect

from qwixx.server import run
from qwixx.server.app import make_app
from qwixx.server.base.settings import Settings
from qwixx.server.wire import uvicorn_versions
from qwixx.server.wire.uvicorn_fast_socket import FastWebSocketProtocol
from support.paths import ROOT
from support.server.live_server import NO_HURRY

with warnings.catch_warnings():  # it recommends another HTTP client, which nothing else here needs
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient, WebSocketTestSession

DOCS = ROOT / "docs" / "server.md"


def _client(folder: Path) -> TestClient:
    plain = Settings(
        db=str(folder / "tables.db"), bot_delay=0, undo_seconds=0, sync="normal", hosts="testserver", **NO_HURRY
    )
    return TestClient(make_app(plain))


def _until(socket: WebSocketTestSession, kind: str) -> dict[str, Any]:
    """Read until a message of this kind arrives."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["t"] == kind:
            return message


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["classic", "cards-joker", "duel"])
def test_a_game_under_the_test_client(variant: str, tmp_path: Path) -> None:
    """Anna plays a whole game against a bot without a network server; the replay has the same result."""
    rng = random.Random(5)
    with _client(tmp_path) as client:
        opened = client.post("/api/tables", json={"variant": variant, "name": "Anna", "bots": ["easy"]}).json()
        with client.websocket_connect(f"/ws/{opened['code']}") as socket:
            socket.send_json({"t": "hello", "tokens": [opened["token"]]})
            assert _until(socket, "table")["mine"] == [0]
            socket.send_json({"t": "start"})
            state = _until(socket, "state")
            decided = -1
            while state["outcome"] is None:
                legal = state["mine"]["0"]["legal"]
                if legal and decided != state["phase"]:
                    decided = state["phase"]
                    action = rng.choice(legal)
                    socket.send_json({"t": "decide", "seat": 0, "phase": decided, "action": action})
                state = _until(socket, "state")
        replay = client.get(f"/api/tables/{opened['code']}/replay").json()
    assert replay["outcome"] == state["outcome"]


def test_refusals_come_before_the_end(tmp_path: Path) -> None:
    """A refused client gets the reason first, and then the close code."""
    with _client(tmp_path) as client:
        for first, refusal, code in (
            ({"t": "hello"}, "no-such-table", 4404),
            ({"t": "start"}, "not-now", 4400),
            ({"t": "hello", "tokens": ["x" * 20_000]}, None, 1009),
        ):
            with client.websocket_connect("/ws/AAAAA") as socket:
                socket.send_json(first)
                if refusal is not None:
                    assert socket.receive_json() == {"t": "error", "code": refusal}
                with pytest.raises(WebSocketDisconnect) as end:
                    socket.receive_json()
                assert end.value.code == code


def test_an_origin_is_refused_before_anything_opens(tmp_path: Path) -> None:
    """A page of another site gets no socket."""
    with (
        _client(tmp_path) as client,
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/ws/AAAAA", headers={"origin": "https://evil.example"}),
    ):
        pass


def test_a_page_that_disconnects_without_a_close(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever error a server raises when it sends to a disconnected client, nothing is left over."""

    class GoneError(Exception):
        """The error of some other server."""

    async def send(message: Message) -> None:
        if message["type"] != "websocket.accept":
            raise GoneError

    async def receive() -> Message:
        return incoming.pop(0)

    async def visit() -> None:
        app = make_app(Settings(db=str(tmp_path / "tables.db")))
        here = [(b"host", b"127.0.0.1")]
        scope = {"type": "websocket", "path": "/ws/AAAAA", "headers": here, "query_string": b"", "scheme": "ws"}
        await app(scope, receive, send)
        await app.state.tables.close()
        gc.collect()

    incoming: list[Message] = [{"type": "websocket.connect"}, {"type": "websocket.receive", "text": '{"t":"hello"}'}]
    asyncio.run(visit())
    assert incoming == []
    assert caplog.text == ""


def test_the_fast_path_is_used_where_it_is_supported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The installed version is supported; with any other the fast path is not used, and the log has a line."""
    assert run.websocket_protocol() is FastWebSocketProtocol
    installed = {"uvicorn": "0.54.1", "websockets": "17.9rc1"}
    monkeypatch.setattr(metadata, "version", installed.__getitem__)
    assert uvicorn_versions.is_supported()
    for name, version in (("uvicorn", "0.53.9"), ("uvicorn", "0.55.0"), ("uvicorn", "1.0"), ("websockets", "18.0")):
        monkeypatch.setattr(metadata, "version", {**installed, name: version}.__getitem__)
        assert run.websocket_protocol() == "websockets-sansio"
    assert "fast path for sockets is off" in caplog.text


def test_the_documented_application(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program in docs/server.md is an application, with its tables in the folder of QWIXX_DATA."""
    monkeypatch.setenv("QWIXX_DATA", str(tmp_path))
    monkeypatch.delenv("QWIXX_DB", raising=False)
    program = DOCS.read_text("utf-8").partition("    # games.py\n")[2].partition("\n\nStart")[0]
    names: dict[str, Any] = {}
    exec(textwrap.dedent(program), names)
    with TestClient(names["app"], base_url="http://127.0.0.1") as client:
        assert client.get("/healthz").json()["ok"]
    assert (tmp_path / "qwixx.db").is_file()


def test_the_range_is_documented() -> None:
    """docs/server.md names the versions that the fast path supports."""
    text = DOCS.read_text("utf-8")
    for name, (first, too_new) in uvicorn_versions.SUPPORTED.items():
        assert f"{name} from {'.'.join(map(str, first))} to below {'.'.join(map(str, too_new))}" in text
