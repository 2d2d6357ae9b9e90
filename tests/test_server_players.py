"""Players at a server's tables: only those the operator allows, and whatever they do, the table goes on."""

from __future__ import annotations

import logging
import random
import threading
from collections import Counter
from pathlib import Path

import httpx
import pytest

from own_bots import install
from qwixx.errors import QwixxError
from qwixx.players.house import optimal
from serving import click, joined, open_table, run, serving


def failures(log: pytest.LogCaptureFixture) -> Counter[str]:
    """Count what was logged about players that failed, by player."""
    lines = [line for line in log.records if line.name == "qwixx.bots" and line.levelno >= logging.ERROR]
    return Counter(str(vars(line)["player"]) for line in lines)


def test_players_that_fail_do_not_stop_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One raises in every decision after a while, one runs out of time; both are told once and decided for."""
    install(tmp_path / "site", monkeypatch)

    async def game() -> None:
        code, token = open_table(server, name="Anna", bots=["raises", "dawdles", "easy"])
        async with joined(server, code, token) as anna:
            await anna.send("start")
            end = await click(anna, random.Random(1))
            assert len(end["outcome"]["scores"]) == 4
            assert [seat["level"] for seat in anna.room["seats"]] == [None, "strong", "strong", "easy"]

    with (
        caplog.at_level(logging.INFO, "qwixx.bots"),
        serving(tmp_path, players="easy,raises,dawdles", bot_seconds=0.3) as server,
    ):
        run(game())
    assert failures(caplog) == {"raises": 1, "dawdles": 1}
    assert "The player 'dawdles' took longer than 0.3 seconds to decide." in caplog.text
    assert "The player 'raises' raised KeyError: 'lost my sheet'" in caplog.text


def test_only_allowed_players_are_seated(tmp_path: Path) -> None:
    """Over HTTP and at the table; a person who leaves is played for by somebody who is allowed."""

    async def game() -> None:
        address = f"http://{server.address}/api/tables"
        for bots in (["normal"], ["optimal"], ["my_bot.py:MyBot"], ["gap"]):
            answer = httpx.post(address, json={"variant": "classic", "bots": bots})
            assert (answer.status_code, answer.json()["code"]) == (400, "bad-options")
        code, token = open_table(server, name="Anna", bots=["easy"])
        async with joined(server, code, token) as anna:
            assert await anna.ask("addBot", level="normal") == "bad-options"
            await anna.send("addBot", level="easy")
            await anna.send("start")
            await anna.until("state")
            await anna.send("toBot", seat=0)
            await anna.until(lambda message: message["t"] == "table" and message["seats"][0]["kind"] == "bot")
            assert anna.room["seats"][0]["level"] == "easy"

    with serving(tmp_path, players="easy") as server:
        run(game())


def test_the_table_lives_while_a_player_sits_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Who needs long to get ready holds up its own seat only; in the end it has no table and is decided for."""
    ready = threading.Event()

    def slow(*_: object) -> None:
        ready.wait(20)
        raise QwixxError("There is no table.")

    monkeypatch.setattr(optimal, "optimal_tables", slow)

    async def game() -> None:
        code, token = open_table(server, name="Anna", bots=["optimal"])
        async with joined(server, code, token) as anna:
            await anna.send("start")
            await anna.until("state")
            await anna.decide(0, "pass")
            await anna.until("state")
            await anna.quiet()
            assert anna.state["view"]["deciders"] == [1]
            ready.set()
            await click(anna, random.Random(2))

    with caplog.at_level(logging.INFO, "qwixx.bots"), serving(tmp_path, players="optimal") as server:
        run(game())
    assert failures(caplog) == {"optimal": 1}
    assert "It reads its table, or solves classic first: " in caplog.text
