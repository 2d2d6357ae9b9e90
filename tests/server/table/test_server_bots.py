"""Bots at the tables of a server: only those that the operator allows, and the game continues whatever they do."""

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
from qwixx.errors import QwixxError
from qwixx.players import Player, find, seconds_to_decide
from qwixx.players.built_in import optimal
from qwixx.players.custom import PackagePlayer
from qwixx.server.base.errors import Refused
from qwixx.server.base.settings import Settings
from qwixx.server.room.bots import AllowedBots
from qwixx.server.workers.bot_latency import BotLatency
from qwixx.server.workers.pools import Pools
from qwixx.server.workers.shared_bots import SharedBots
from qwixx.variants import load
from qwixx.variants.model import Variant
from support.games.custom_bots import install
from support.server.in_process_tables import play, sit, some_tables
from support.server.live_server import PATIENCE, click, joined, open_table, run, serving


def failures(log: pytest.LogCaptureFixture) -> Counter[str]:
    """Count the log lines about failed bots, by player."""
    lines = [line for line in log.records if line.name == "qwixx.players" and line.levelno >= logging.ERROR]
    return Counter(str(vars(line)["player"]) for line in lines)


@pytest.mark.slow
def test_players_that_fail_do_not_stop_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One bot starts to raise errors, one times out; each is logged once, and the dealer decides for it."""
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
        serving(tmp_path, players="easy,raises,dawdles", bot_seconds=3) as server,
    ):
        run(game())
    assert failures(caplog) == {"raises": 1, "dawdles": 1}
    assert "The player 'dawdles' took longer than 3 seconds to decide." in caplog.text
    assert "The player 'raises' raised KeyError: 'lost my sheet'" in caplog.text


@pytest.mark.slow
def test_only_allowed_players_are_seated(tmp_path: Path) -> None:
    """Over HTTP and at the table; an allowed bot plays for a person who leaves."""

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


@pytest.mark.slow
def test_the_table_lives_while_a_player_sits_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A bot that needs long to start delays only its own seat; without its solved table the dealer decides for it."""
    ready = threading.Event()

    def slow(*_: object) -> None:
        ready.wait(PATIENCE)
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
    """A registered package that counts how often it is asked what it plays."""

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
        """Create no player."""


def test_a_package_is_asked_once_what_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the start, for every game, sheet and number of seats, and never again."""
    package = Asks(lambda variant, seats: variant.id == "duel" or (variant.sheet, seats) == ("gemixxt-b", 4))
    monkeypatch.setattr("qwixx.server.room.bots.find", lambda name: PackagePlayer(name, package))
    allowed = AllowedBots("extra")
    # Solitaire to five seats in six dice games, two seats in the duel, two to five with cards on each sheet.
    assert package.asked == 6 * 5 + 1 + 2 * 3 * 4
    duel, cards, other = load("duel"), load("cards", "gemixxt-b"), load("cards", "gemixxt-a")
    assert allowed.check("extra", duel) == allowed.check("extra", cards) == "extra"
    with pytest.raises(Refused):
        allowed.check("extra", other)
    assert [allowed.default(cards, seats) for seats in (2, 3, 4, 5)] == [None, None, "extra", None]
    assert allowed.find("extra", duel, 2) is not None
    assert allowed.find("extra", other, 2) is None
    assert package.asked == 55


def forever(variant: Variant, seats: int) -> bool:
    """Never say what can be played."""
    while True:
        time.sleep(0.01)


def leave(variant: Variant, seats: int) -> bool:
    """Exit instead of an answer."""
    raise SystemExit("good night")


@pytest.mark.parametrize(
    ("plays", "seconds", "sentence"),
    [
        (lambda variant, seats: 1 / 0, PATIENCE, r"'extra' was asked what it plays and raised ZeroDivisionError"),
        (leave, PATIENCE, r"'extra' was asked what it plays and raised SystemExit: good night"),
        (forever, 0.2, r"'extra' took longer than 0.2 seconds to say what it plays\."),
    ],
)
def test_a_package_that_does_not_say_what_it_plays(
    monkeypatch: pytest.MonkeyPatch, plays: Callable[[Variant, int], bool], seconds: float, sentence: str
) -> None:
    """The server reports it at the start, before any player sits down."""
    monkeypatch.setattr("qwixx.server.room.bots.find", lambda name: PackagePlayer(name, Asks(plays)))
    with pytest.raises(QwixxError, match=sentence):
        AllowedBots("extra", seconds)


def test_a_substitute_plays_this_game() -> None:
    """The normal player if it is allowed; else the first allowed one that plays this game; else none."""
    assert AllowedBots("easy,normal").default(load("duel"), 2) == "normal"
    assert AllowedBots("gap,greedy").default(load("duel"), 2) == "greedy"
    assert AllowedBots("gap,greedy").default(load("classic"), 2) == "gap"
    assert AllowedBots("gap").default(load("duel"), 2) is None


def test_without_a_bot_for_the_game_nobody_takes_over(tmp_path: Path) -> None:
    """In a duel where only `gap` is allowed, which does not play it, a seat stays with its person."""

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


def test_a_time_limit_of_zero_is_refused() -> None:
    """Zero seconds would always be too late."""
    with pytest.raises(QwixxError, match="more than 0 and up to 86400 seconds for a decision, not 0"):
        Settings.from_environment({"QWIXX_BOT_SECONDS": "0"})
    assert Settings().bot_seconds == seconds_to_decide() == 10


def test_fast_bots_answer_in_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three fast answers in a row move a bot into the event loop, and a slow one moves it out again."""
    seen = BotLatency()
    clock = 0.0
    monkeypatch.setattr("qwixx.server.workers.bot_latency.time.perf_counter", lambda: clock)

    def think(seconds: float) -> bool:
        def work() -> str:
            nonlocal clock
            clock += seconds
            return "pass"

        assert seen.measure(("master", "classic", 2, 1), work) == "pass"
        return seen.is_fast(("master", "classic", 2, 1))

    assert [think(0.0001) for _ in range(2)] == [False, False]
    assert not think(0.001), "that was slow: the count starts again"
    assert [think(0.0001) for _ in range(3)] == [False, False, True]
    assert think(0.001), "the machine may have been busy"
    assert not seen.is_fast(("master", "classic", 2, 2))
    assert not think(0.01)


@pytest.mark.slow
def test_bots_of_one_kind_share_one_instance(tmp_path: Path) -> None:
    """Bots of one kind at many tables share one instance; another game, or other lucky numbers, need another."""
    seated: list[str] = []

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            take = all_tables.shared_bots.find

            async def counted(known: Any, kind: Any, sit: Any) -> Any:
                def noted() -> Any:
                    seated.append(known.name)
                    return sit()

                return await take(known, kind, noted)

            all_tables.shared_bots.find = counted  # type: ignore[method-assign]
            for variant in ("classic", "classic", "duel"):
                table, guests, _ = await sit(all_tables, "Anna", variant=variant, bots=["master"])
                await play(table, guests, lambda legal: "pass" if "pass" in legal else legal[0])
            assert seated == ["master", "master"]

    run(look())


def test_a_shared_bot_that_cannot_start_is_tried_again() -> None:
    """The reason of the failure may be gone."""

    async def look() -> None:
        own = Pools()
        regulars = SharedBots(own)
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
