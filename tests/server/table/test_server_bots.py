"""Players at a server's tables: only those the operator allows, and whatever they do, the table goes on."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import qwixx
from guests import play, sit, some_tables
from own_bots import install
from qwixx.errors import QwixxError
from qwixx.players import Player, find, seconds_to_decide
from qwixx.players.house import optimal
from qwixx.players.yours import Foreign
from qwixx.server.players import Allowed
from qwixx.server.pools import Pools
from qwixx.server.promptness import Promptness
from qwixx.server.regulars import Regulars
from qwixx.server.room import Refused
from qwixx.server.settings import Settings
from qwixx.variants import load
from qwixx.variants.model import Variant
from serving import click, joined, open_table, run, serving


def failures(log: pytest.LogCaptureFixture) -> Counter[str]:
    """Count what was logged about players that failed, by player."""
    lines = [line for line in log.records if line.name == "qwixx.players" and line.levelno >= logging.ERROR]
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
        caplog.at_level(logging.INFO, "qwixx.players"),
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

    with caplog.at_level(logging.INFO, "qwixx.players"), serving(tmp_path, players="optimal") as server:
        run(game())
    assert failures(caplog) == {"optimal": 1}
    assert "It reads its table, or solves classic first: " in caplog.text


# ---- asked once, at the start


class Asks:
    """What a package registers: it counts how often it is asked what it plays."""

    habit = ""

    def __init__(self, plays: Callable[[Variant, int], bool]) -> None:
        """Answer by this function."""
        self.answer = plays
        self.asked = 0

    def plays(self, variant: Variant, seats: int) -> bool:
        """Count."""
        self.asked += 1
        return self.answer(variant, seats)

    def sit(self, variant: Variant, seats: int, **_: object) -> None:
        """Nobody sits down here."""


def test_a_package_is_asked_once_what_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the start, for every game, sheet and number of seats, and never again."""
    package = Asks(lambda variant, seats: variant.id == "duel" or (variant.sheet, seats) == ("gemixxt-b", 4))
    monkeypatch.setattr("qwixx.server.players.find", lambda name: Foreign(name, package))
    allowed = Allowed("extra")
    # Solitaire to five seats in six dice games, two seats in the duel, two to five with cards on each sheet.
    assert package.asked == 6 * 5 + 1 + 2 * 3 * 4
    duel, cards, other = load("duel"), load("cards", "gemixxt-b"), load("cards", "gemixxt-a")
    assert allowed.check("extra", duel) == allowed.check("extra", cards) == "extra"
    with pytest.raises(Refused):
        allowed.check("extra", other)
    assert [allowed.usual(cards, seats) for seats in (2, 3, 4, 5)] == [None, None, "extra", None]
    assert allowed.find("extra", duel, 2) is not None
    assert allowed.find("extra", other, 2) is None
    assert package.asked == 55


def forever(variant: Variant, seats: int) -> bool:
    """Never say what can be played."""
    while True:
        time.sleep(0.01)


def leave(variant: Variant, seats: int) -> bool:
    """Leave instead of an answer."""
    raise SystemExit("good night")


@pytest.mark.parametrize(
    ("plays", "sentence"),
    [
        (lambda variant, seats: 1 / 0, r"'extra' was asked what it plays and raised ZeroDivisionError"),
        (leave, r"'extra' was asked what it plays and raised SystemExit: good night"),
        (forever, r"'extra' took longer than 0.2 seconds to say what it plays\."),
    ],
)
def test_a_package_that_does_not_say_what_it_plays(
    monkeypatch: pytest.MonkeyPatch, plays: Callable[[Variant, int], bool], sentence: str
) -> None:
    """The operator is told at the start, before anybody sits down."""
    monkeypatch.setattr("qwixx.server.players.find", lambda name: Foreign(name, Asks(plays)))
    with pytest.raises(QwixxError, match=sentence):
        Allowed("extra", 0.2)


def test_who_plays_for_somebody_away_knows_the_game() -> None:
    """The normal player if it may; else the first that may and plays this game; else nobody."""
    assert Allowed("easy,normal").usual(load("duel"), 2) == "normal"
    assert Allowed("gap,greedy").usual(load("duel"), 2) == "greedy"
    assert Allowed("gap,greedy").usual(load("classic"), 2) == "gap"
    assert Allowed("gap").usual(load("duel"), 2) is None


def test_nobody_takes_over_who_does_not_know_the_game(tmp_path: Path) -> None:
    """At a duel where only gap is allowed, which plays sheets, a seat stays with its person."""

    async def game() -> None:
        code, token = open_table(server, name="Anna", variant="duel")
        async with joined(server, code, token) as anna, joined(server, code) as bert:
            await bert.send("sit", name="Bert")
            await bert.until("seated")
            await anna.send("start")
            await anna.until("state")
            assert await anna.ask("toBot", seat=0) == "not-now"

    with serving(tmp_path, players="gap") as server:
        run(game())


def test_a_time_in_which_nobody_could_decide_is_refused() -> None:
    """Zero seconds would always be over."""
    with pytest.raises(QwixxError, match="more than 0 and up to 86400 seconds for a decision, not 0"):
        Settings.from_environment({"QWIXX_BOT_SECONDS": "0"})
    assert Settings().bot_seconds == seconds_to_decide() == 10


def test_who_answers_at_once_is_asked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three quick thoughts in a row lead into the event loop, and one that takes long leads out again."""
    seen = Promptness()
    clock = 0.0
    monkeypatch.setattr("qwixx.server.promptness.time.perf_counter", lambda: clock)

    def think(seconds: float) -> bool:
        def work() -> str:
            nonlocal clock
            clock += seconds
            return "pass"

        assert seen.watch(("master", "classic", 2, 1), work) == "pass"
        return seen.is_prompt(("master", "classic", 2, 1))

    assert [think(0.0001) for _ in range(2)] == [False, False]
    assert not think(0.001), "that was long: it begins anew"
    assert [think(0.0001) for _ in range(3)] == [False, False, True]
    assert think(0.001), "the machine may have been busy"
    assert not seen.is_prompt(("master", "classic", 2, 2))
    assert not think(0.01)


def test_a_regular_sits_down_once(tmp_path: Path) -> None:
    """Bots of one kind at many tables are one player; another game, or other lucky numbers, take another."""
    seated: list[str] = []

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            take = all_tables.regulars.find

            async def counted(known: Any, kind: Any, sit: Any) -> Any:
                def noted() -> Any:
                    seated.append(known.name)
                    return sit()

                return await take(known, kind, noted)

            all_tables.regulars.find = counted  # type: ignore[method-assign]
            for variant in ("classic", "classic", "duel"):
                table, guests, _ = await sit(all_tables, "Anna", variant=variant, bots=["master"])
                await play(table, guests, lambda legal: "pass" if "pass" in legal else legal[0])
            assert seated == ["master", "master"]

    run(look())


def test_a_regular_that_cannot_sit_down_is_asked_again() -> None:
    """Whatever kept it from that may be over."""

    async def look() -> None:
        own = Pools()
        regulars = Regulars(own)
        tries: list[int] = []

        def take_seat() -> Player:
            tries.append(1)
            if len(tries) == 1:
                raise QwixxError("The weights are broken.")
            return find("normal").sit(qwixx.variant("classic"), 2)

        with pytest.raises(QwixxError, match="broken"):
            await regulars.find(find("normal"), "classic", take_seat)
        one = await regulars.find(find("normal"), "classic", take_seat)
        assert await regulars.find(find("normal"), "classic", take_seat) is one
        assert len(tries) == 2
        own.close()

    run(look())
