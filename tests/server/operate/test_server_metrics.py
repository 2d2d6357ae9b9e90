"""Monitoring of a server: metrics, readiness, request ids in answers and in the log."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from qwixx.errors import QwixxError
from qwixx.server.base.counters import Histogram
from qwixx.server.limits.operator_tokens import read_token
from qwixx.server.operate.logs import JsonFormatter
from support.server.live_server import PATIENCE, Server, ServerProcess, click, joined, open_table, run, seated, serving
from support.server.operator_client import TOKEN, ask


def samples(server: Server) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Read all metrics, as a monitor does."""
    answer = ask(server, "/metrics", authorization=f"Bearer {TOKEN}")
    assert answer.status_code == 200, answer.text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


@pytest.mark.slow
def test_metrics_say_what_happened(tmp_path: Path) -> None:
    """The numbers contain a game of one person and a bot, a spectator and a refusal, but no names and codes."""

    async def play(server: Server) -> dict[Any, float]:
        code, token = open_table(server, name="Zoë Quill", bots=["easy"])
        async with joined(server, code, token) as anna, joined(server, code):
            assert await anna.ask("decide", seat=0, phase=0, action="r2") == "not-now"
            await anna.send("start")
            await click(anna, random.Random(3))
            found = samples(server)
            text = ask(server, "/metrics", authorization=f"Bearer {TOKEN}").text
            assert code not in text
            assert "Quill" not in text
            decisions = sum(message.count('"e":"decided","seat":0') for message in anna.received)
            assert found["qwixx_moves_total", (("by", "person"),)] == decisions > 10
            return found

    with serving(tmp_path, metrics_token=TOKEN) as server:
        found: dict[Any, float] = {}

        async def test() -> None:
            found.update(await play(server))

        run(test())
    moves = found["qwixx_moves_total", (("by", "person"),)]
    assert found["qwixx_moves_total", (("by", "bot"),)] > 10
    assert found["qwixx_move_seconds_count", ()] == moves
    assert found["qwixx_move_seconds_bucket", (("le", "+Inf"),)] == moves
    assert 0 < found["qwixx_move_seconds_sum", ()] < 60
    assert found["qwixx_commit_seconds_count", ()] > moves / 2
    assert found["qwixx_commits_failed_total", ()] == 0
    assert found["qwixx_bot_thinking_seconds_count", ()] > 10
    assert found["qwixx_refusals_total", (("code", "not-now"),)] == 1
    assert found["qwixx_tables_opened_total", (("game", "classic"),)] == 1
    assert found["qwixx_games_finished_total", (("game", "classic"),)] == 1
    assert found["qwixx_tables_loaded", (("stage", "over"),)] == 1
    assert (found["qwixx_people", ()], found["qwixx_watchers", ()], found["qwixx_sockets", ()]) == (1, 1, 2)
    assert found["qwixx_requests_total", (("status", "201"),)] == 1
    assert found["qwixx_up_and_well", ()] == 1
    assert found["process_resident_memory_bytes", ()] > 10_000_000


@pytest.mark.slow
def test_metrics_are_for_the_operator(tmp_path: Path) -> None:
    """Without the setting the address does not exist; a wrong token is refused, and after ten of them every token."""
    with serving(tmp_path / "off") as server:
        assert ask(server, "/metrics", authorization=f"Bearer {TOKEN}").status_code == 404
    with serving(tmp_path / "on", metrics_token=TOKEN) as server:
        assert ask(server, "/metrics").status_code == 401
        assert ask(server, "/metrics", authorization=f"Basic {TOKEN}").status_code == 401
        for _ in range(8):
            assert ask(server, "/metrics", authorization=f"Bearer {TOKEN}x").status_code == 401
        assert ask(server, "/metrics", authorization=f"Bearer {TOKEN}").json() == {"code": "too-fast"}


def test_tokens_that_are_refused(tmp_path: Path) -> None:
    """A short token, a token with spaces, a missing file and two sources at the same time give an error sentence."""
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    assert read_token("admin_token", "", str(file)) == read_token("admin_token", TOKEN, "") == TOKEN
    assert read_token("admin_token", "", "") == ""
    file.write_text("")
    wrong = [
        ("short", ""),
        ("with spaces " * 3, ""),
        (TOKEN, str(file)),
        ("", str(tmp_path / "none")),
        ("", str(file)),
    ]
    for token, name in wrong:
        with pytest.raises(QwixxError, match=r"QWIXX_ADMIN_TOKEN.*[.]|rand -hex"):
            read_token("admin_token", token, name)


def test_times_by_hand() -> None:
    """Three short times, one of 30 ms and one beyond all buckets."""
    times = Histogram()
    for seconds in (0.0005, 0.001, 0.0011, 0.03, 60.0):
        times.observe(seconds)
    assert times.count == 5
    assert dict(times.cumulative())[0.001] == 2
    assert dict(times.cumulative())[0.05] == 4
    assert (times.quantile(0.5), times.quantile(0.8), times.quantile(0.99)) == (0.0025, 0.05, float("inf"))
    assert Histogram().quantile(0.5) == 0.0


@pytest.mark.slow
def test_ready_only_while_the_store_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is ready unless the database does not answer, writing fails or the server stops."""
    with serving(tmp_path) as server:
        assert ask(server, "/readyz").json() == {"ready": True, "troubles": []}
        server.tables.announce_stop()
        answer = ask(server, "/readyz")
        assert (answer.status_code, answer.json()) == (503, {"ready": False, "troubles": ["stopping"]})
        server.tables.is_stopping = False

        async def gone() -> float:
            raise OSError("no database")

        monkeypatch.setattr(server.tables.store, "last_heartbeat", gone)
        assert ask(server, "/readyz").json()["troubles"] == ["store"]
        assert ask(server, "/healthz").status_code == 200


@pytest.mark.slow
def test_a_server_that_drains_says_so(tmp_path: Path) -> None:
    """After SIGTERM proxies get `stopping` while games continue; a second signal ends the wait, and nothing is lost."""
    server = ServerProcess(tmp_path, drain_seconds=60)
    code, token = open_table(server, name="Anna", variant="classic")
    reached: list[int] = []

    async def play() -> None:
        async with joined(server, code, token) as anna:
            await anna.send("start")
            await anna.until("state")
            assert httpx.get(f"http://{server.address}/readyz").json() == {"ready": True, "troubles": []}
            server.signal(signal.SIGTERM)
            async with asyncio.timeout(PATIENCE):
                while (answer := httpx.get(f"http://{server.address}/readyz")).status_code == 200:
                    await asyncio.sleep(0.02)
            assert (answer.status_code, answer.json()) == (503, {"ready": False, "troubles": ["stopping"]})
            assert httpx.get(f"http://{server.address}/healthz").status_code == 200
            phase = anna.state["phase"]
            await anna.decide(0, "pass")
            await anna.until(lambda message: message["t"] == "state" and message["phase"] > phase)
            reached.append(anna.state["phase"])
            server.signal(signal.SIGTERM)
            assert await anna.close_code() == 1012

    run(play())
    server.end()
    with serving(tmp_path) as again:

        async def look() -> None:
            async with joined(again, code, token) as anna:
                assert [(await anna.until("state"))["phase"]] == reached

        run(look())


@pytest.mark.slow
def test_request_ids(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Answers and log lines carry a request id; the id of a proxy is used if it is valid."""
    lines: list[dict[str, Any]] = []

    class Listening(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(json.loads(JsonFormatter().format(record)))

    listening = Listening(logging.INFO)
    logging.getLogger("qwixx").addHandler(listening)
    caplog.set_level(logging.INFO, "qwixx")
    try:
        with serving(tmp_path / "own") as server:
            made = ask(server, "/healthz", **{"x-request-id": "someone-else-1"}).headers["x-request-id"]
            assert re.fullmatch(r"[0-9a-f]{16}", made)
        with serving(tmp_path / "behind", proxies="127.0.0.1", hosts="*") as server:
            for given, is_taken in (
                ("edge-0001.a/b=", True),
                ("x" * 65, False),
                ("a b c d e f", False),
                ("short", False),
            ):
                assert (ask(server, "/healthz", **{"x-request-id": given}).headers["x-request-id"] == given) is is_taken
            opened = httpx.post(
                f"http://{server.address}/api/tables",
                json={"variant": "classic"},
                headers={"x-request-id": "edge-open1"},
            )

            async def play() -> None:
                async with seated(server, opened.json()["code"], "Anna") as anna:
                    name = anna.socket.response.headers["x-request-id"]  # type: ignore[union-attr]
                    await anna.send("start")
                    await click(anna, random.Random(1))
                    over = [line for line in lines if line["what"] == "game over"]
                    assert [line["request"] for line in over] == [name]

            run(play())
    finally:
        logging.getLogger("qwixx").removeHandler(listening)
    assert [line["request"] for line in lines if line["what"] == "table opened"] == ["edge-open1"]
