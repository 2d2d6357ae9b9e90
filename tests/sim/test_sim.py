"""Simulations: the same seed gives the same numbers, they are the kernel's games, and no block is lost."""

from __future__ import annotations

import json
import re
from collections import Counter
from concurrent.futures import Executor, Future
from statistics import mean, stdev
from typing import Any

import pytest
from click.testing import CliRunner

import qwixx
from qwixx import Game, QwixxError, games
from qwixx.cli import main
from qwixx.sim import replay_game, simulate
from qwixx.sim import run as running

pytestmark = pytest.mark.slow


def bot_for(variant: str) -> str:
    """Name a bot that can play a game."""
    return "greedy" if variant in ("cards", "cards-joker", "duel") else "gap"


def test_simulate_is_a_public_name() -> None:
    """`qwixx.simulate` is the simulator, and unknown names do not exist."""
    assert qwixx.simulate is simulate
    assert qwixx.sim.simulate is simulate
    assert simulate("classic", bots="gap, random", games=1).bots == ("gap", "random")
    with pytest.raises(AttributeError, match="simulat'"):
        qwixx.simulat  # type: ignore[attr-defined]  # noqa: B018 - the question is the test


@pytest.mark.parametrize("variant", games())
def test_results_are_those_of_the_games(variant: str) -> None:
    """Replaying the games one by one gives every number of a simulation."""
    seats = 2 if variant == "duel" else 3
    bots = (bot_for(variant), *["random"] * (seats - 1))
    results = simulate(variant, seats, bots, 40, seed=11)
    games = [replay_game(variant, seats, bots, 11, number) for number in range(40)]
    ends = [game.outcome() for game in games]

    assert results.games == 40
    turns = [game.turn for game in games]
    assert results.turns.mean == pytest.approx(mean(turns))
    assert results.turns.deviation == pytest.approx(stdev(turns))
    assert (results.turns.shortest, results.turns.longest) == (min(turns), max(turns))
    assert results.turns.histogram == Counter(turns)
    for seat, line in enumerate(results.by_seat()):
        scores = [game.scores()[seat] for game in games]
        assert line.mean == pytest.approx(sum(scores) / 40)
        assert line.wins == sum(end is not None and end.winners == (seat,) for end in ends) / 40
        assert line.deviation == pytest.approx(stdev(scores))
        assert results.histogram(seat=seat) == Counter(scores)
        assert line.misses == sum(game.view().sheets[seat].misses for game in games) / 40
    # Player 0 is on seat 0 in game 0, and in each next game one seat to the left.
    own = [game.scores()[-number % seats] for number, game in enumerate(games)]
    assert results.by_player()[0].mean == pytest.approx(sum(own) / 40)
    assert results.histogram(player=0) == Counter(own)
    assert results.histogram(seat=0, player=0) == Counter(own[::seats])
    assert results.histogram() == Counter(score for game in games for score in game.scores())
    assert sum(results.endings.values()) == pytest.approx(1)


def test_any_number_of_workers_gives_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks may return in any order."""
    monkeypatch.setattr(running, "BLOCK", 700)
    one = simulate("bonus-b", 3, ("gap", "random", "gap"), 5000, seed=5, workers=1)
    three = simulate("bonus-b", 3, ("gap", "random", "gap"), 5000, seed=5, workers=3)
    other = simulate("bonus-b", 3, ("gap", "random", "gap"), 5000, seed=6, workers=3)

    assert one.to_dict() == three.to_dict()
    assert one.to_dict() != other.to_dict()


class _Mortal(Executor):
    """An executor in which every second worker dies with its block."""

    def __init__(self) -> None:
        self.submitted = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Play the block, or die."""
        future: Future[Any] = Future()
        self.submitted += 1
        if self.submitted % 2:
            future.set_exception(ConnectionError("the worker is gone"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_a_dead_worker_costs_its_block_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of workers that died are played again, and the result is the same."""
    monkeypatch.setattr(running, "BLOCK", 500)
    crew = _Mortal()
    mortal = simulate("classic", 2, ("gap",), 3000, seed=1, executor=crew)

    assert crew.submitted == 6
    assert mortal.to_dict() == simulate("classic", 2, ("gap",), 3000, seed=1).to_dict()


def test_ctrl_c_keeps_finished_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted run is marked as stopped and counts complete blocks."""
    monkeypatch.setattr(running, "BLOCK", 500)

    def interrupt(done: int, total: int) -> None:
        if done >= 1000:
            raise KeyboardInterrupt

    results = simulate("classic", 2, ("gap",), 1_000_000, progress=interrupt, workers=1)

    assert results.stopped
    assert 1000 <= results.games < 1_000_000
    assert results.games % 500 == 0


def test_gap_beats_random_and_the_first_seat_helps() -> None:
    """A heuristic beats random players nearly always; the first seat has a small advantage."""
    results = simulate("classic", 2, ("gap", "random"), 20_000, seed=2)
    gap, by_lot = results.by_player()
    even = simulate("classic", 2, ("gap",), 20_000, seed=2)

    assert gap.mean - gap.interval > by_lot.mean + by_lot.interval + 30
    assert gap.wins > 0.95
    first = even.first_seat_advantage()
    assert first is not None
    assert 0 < first.points - first.points_interval < first.points + first.points_interval < 5
    assert first.win_share_range[0] > 0.5


def test_replayed_game_is_a_record_that_replays() -> None:
    """A game of a simulation can be written as a record and replayed like any other."""
    game = replay_game("longo", 4, ("gap",), 3, 1234)

    assert Game.from_record(game.record()).scores() == game.scores()
    assert game.record() == replay_game("longo", 4, ("gap",), 3, 1234).record()
    assert game.record() != replay_game("longo", 4, ("gap",), 3, 1235).record()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"bots": ("gpa",)}, "did you mean 'gap'"),
        ({"seats": 2, "bots": ("gap", "gap", "gap")}, "one for each of the 2"),
        ({"variant": "cards", "bots": ("gap",)}, "cannot play cards"),
        ({"games": 0}, "number of games"),
        ({"seats": 6}, "1 to 5 seats"),
        ({"seed": -1}, "seed is"),
        ({"workers": 0}, "number of workers is from 1"),
        ({"variant": "classic", "sheet": "gemixxt-a"}, "card games"),
    ],
)
def test_bad_input_is_refused(arguments: dict[str, Any], sentence: str) -> None:
    """No game is played with invalid settings."""
    with pytest.raises(QwixxError, match=sentence):
        simulate(**arguments)


def test_command_shows_a_table_and_json() -> None:
    """`qwixx simulate` prints a table for people and the same numbers as JSON."""
    words = ["simulate", "classic", "--bots", "gap,random", "--games", "500", "--seed", "4"]
    shown = CliRunner().invoke(main, words)
    data = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)

    assert shown.exit_code == 0
    assert f"{data['by_player'][0]['mean']:.2f}" in shown.stdout
    assert data == simulate("classic", 2, ("gap", "random"), 500, seed=4).to_dict()
    assert sum(data["histogram"].values()) == 1000
    assert [sum(line["histogram"].values()) for line in data["by_seat"] + data["by_player"]] == [500] * 4
    assert sum(data["turns"]["histogram"].values()) == 500
    few = CliRunner().invoke(main, ["simulate", "classic", "--games", "2"]).stdout
    low, high = map(float, re.search(r"wins\s+\((\d+\.\d\d)\s+to\s+(\d+\.\d\d)\s+%\)", few).groups())  # type: ignore[union-attr]
    assert high - low > 20
    assert "± 0.00" not in few
    first = data["first_seat_advantage"]
    assert f"{first['points']:+.2f} ± {first['points_interval']:.2f} points" in shown.stdout


def test_command_replays_a_simulated_game() -> None:
    """`qwixx replay --game` ends with the scores of that game."""
    words = ["replay", "--variant", "duel", "--bots", "greedy", "--seed", "9", "--game", "3", "--json"]
    data = json.loads(CliRunner().invoke(main, words).stdout)

    assert tuple(data["scores"]) == replay_game("duel", 2, ("greedy",), 9, 3).scores()
    assert CliRunner().invoke(main, ["replay"]).exit_code == 2
