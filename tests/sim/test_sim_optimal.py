"""The optimal player in simulations: multiplayer decisions, both ways to play, tables and refusals."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from qwixx import QwixxError
from qwixx.cli import main
from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import Records
from qwixx.players.built_in import optimal
from qwixx.players.built_in.optimal import optimal_tables
from qwixx.sim import replay_game, simulate
from qwixx.sim import run as running
from qwixx.sim.block import Block, batched_engine, engine_for
from qwixx.solver import Solution, solve
from qwixx.variants import load
from qwixx.variants.model import Pad, Variant
from support.games.small_sheets import SMALL, sheet_file

pytestmark = pytest.mark.slow

SEED = np.uint64(5)


@pytest.fixture(autouse=True)
def _own_store(fresh_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep solved tables separate from those of the user and of other tests."""
    monkeypatch.setattr(optimal, "_last", {})


@pytest.mark.parametrize("name", ["plain", "mixed", "lucky"])
def test_both_ways_play_the_same_solitaire_games(tmp_path: Path, name: str) -> None:
    """Fast path and steps agree game by game on score, misses, locks, turns and ending, with any pad."""
    block = Block(load(sheet_file(tmp_path, name)), ("optimal",), rotate=True, seed=5, first=0, count=1)
    fast: Records = np.zeros(3000, RESULT)
    stepped: Records = np.zeros(3000, RESULT)
    assert engine_for(block).__name__ == "play_solitaires"
    engine_for(block)(SEED, 100, fast)
    batched_engine(block)(SEED, 100, stepped)

    assert fast.tobytes() == stepped.tobytes()
    assert set(np.unique(fast["ending"])) == {1, 2}


def test_solitaires_average_the_solved_values(tmp_path: Path) -> None:
    """Pads come equally often, so the mean is that of their solved values, within four errors."""
    variant = load(sheet_file(tmp_path, "lucky"))
    expected = sum(solve(variant, pad).value for pad in variant.lucky) / 3
    line = simulate(variant, 1, ("optimal",), 40_000, seed=1).by_player()[0]

    assert abs(line.mean - expected) < 4 * line.deviation / 200


@pytest.mark.parametrize("name", ["boxed", "paired"])
def test_solitaires_on_marked_sheets_average_the_solved_value(tmp_path: Path, name: str) -> None:
    """Best play reaches the solved value within four errors, also where crosses trigger others (BA2, BB1)."""
    variant = load(sheet_file(tmp_path, name))
    line = simulate(variant, 1, ("optimal",), 40_000, seed=1).by_player()[0]

    assert abs(line.mean - solve(variant).value) < 4 * line.deviation / 200


def test_tables_of_mirrored_pads_are_shared(tmp_path: Path) -> None:
    """Three pads of which two mirror one another need two tables, and each is loaded once."""
    variant = load(sheet_file(tmp_path, "lucky"))
    asked: list[Pad | None] = []

    def solver(sheet: Variant, pad: Pad | None) -> Solution:
        asked.append(pad)
        return solve(sheet, pad)

    tables = optimal_tables(variant, solver=solver)
    assert optimal_tables(variant, solver=solver) is tables
    assert asked == [(2, 4), (3, 4)]
    assert tables.pads.tolist() == [[2, 4], [4, 6], [3, 4]]
    assert tables.policies[0] is tables.policies[1]


def test_tables_of_sheets_that_differ_in_the_order_of_pairs(tmp_path: Path) -> None:
    """Such sheets are equal as variants, but each has its own tables: the same games, in any order of runs."""
    path = sheet_file(tmp_path, "paired")
    other = tmp_path / "other.toml"
    head, pairs = path.read_text().split("[pairs]\n")
    other.write_text(head + "[pairs]\n" + "\n".join(reversed(pairs.split("\n"))))
    fresh = simulate(other, 1, ("optimal",), 2000, seed=1).to_dict()
    simulate(path, 1, ("optimal",), 10, seed=1)

    assert simulate(other, 1, ("optimal",), 2000, seed=1).to_dict() == fresh


@pytest.mark.parametrize("lucky", [None, (3, 4)])
def test_results_are_those_of_the_replayed_games(tmp_path: Path, lucky: Pad | None) -> None:
    """In multiplayer too, every game can be replayed with the same results."""
    sheet = sheet_file(tmp_path, "lucky")
    bots = ("optimal", "gap", "random")
    results = simulate(sheet, 3, bots, 60, seed=4, lucky=lucky)
    games = [replay_game(sheet, 3, bots, 4, number, lucky=lucky) for number in range(60)]

    for seat, line in enumerate(results.by_seat()):
        assert line.mean == pytest.approx(sum(game.scores()[seat] for game in games) / 60)
    own = [game.scores()[-number % 3] for number, game in enumerate(games)]
    assert results.by_player()[0].mean == pytest.approx(sum(own) / 60)
    assert results.turns.mean == pytest.approx(sum(game.turn for game in games) / 60)


def test_solitaires_are_those_of_the_replayed_games(tmp_path: Path) -> None:
    """Game by game, the fast path plays the solitaire games that `replay` shows."""
    sheet = sheet_file(tmp_path, "lucky")
    results: Records = np.zeros(40, RESULT)
    engine_for(Block(load(sheet), ("optimal",), rotate=True, seed=9, first=0, count=40))(np.uint64(9), 0, results)

    for number in range(40):
        game = replay_game(sheet, 1, ("optimal",), 9, number)
        assert (game.scores(), game.turn) == ((results["score"][number, 0],), results["turns"][number])


def test_everybody_may_have_the_same_pad(tmp_path: Path) -> None:
    """With `lucky` all seats have these numbers, and the dice are those of the same game without."""
    sheet = sheet_file(tmp_path, "lucky")
    by_lot = replay_game(sheet, 2, ("gap",), 7, 3)
    same = replay_game(sheet, 2, ("gap",), 7, 3, lucky=(3, 4))

    assert [seat.lucky for seat in same.view().sheets] == [(3, 4), (3, 4)]
    rolls = [[line for line in game.record().splitlines() if line.startswith("roll")] for game in (by_lot, same)]
    assert rolls[0][:3] == rolls[1][:3]
    data = simulate(sheet, 2, ("gap",), 500, lucky=(3, 4)).to_dict()
    assert data["lucky"] == [3, 4]
    assert data["by_seat"] != simulate(sheet, 2, ("gap",), 500).to_dict()["by_seat"]


def test_any_worker_gives_the_same_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads share the tables, processes read them from the cache; a block stays small."""
    monkeypatch.setattr(running, "BLOCK", 5000)  # blocks of 500 games
    sheet = sheet_file(tmp_path, "lucky")
    bots = ("optimal", "gap")
    one = simulate(sheet, 2, bots, 3000, seed=2, workers=1).to_dict()

    assert one == simulate(sheet, 2, bots, 3000, seed=2, workers=3).to_dict()
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert one == simulate(sheet, 2, bots, 3000, seed=2, workers=2, executor=pool).to_dict()
    assert len(pickle.dumps(Block(load("longo"), bots, rotate=True, seed=1, first=0, count=500))) < 10_000


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"variant": "cards"}, "'optimal' cannot play cards with 2 seats; random, greedy, "),
        ({"variant": "duel"}, "'optimal' cannot play duel"),
        ({"variant": "crowd"}, "'optimal' cannot play small-crowd with 2 seats"),
        ({"variant": "plain", "lucky": (3, 4)}, "small-plain has no lucky numbers"),
        ({"variant": "lucky", "lucky": (4, 3)}, "from 2 to 6, small first, not 4/3"),
        ({"variant": "lucky", "lucky": (4, 7)}, "from 2 to 6"),
        ({"variant": "plain", "bots": ("optima",)}, "did you mean 'optimal'"),
    ],
)
def test_unsupported_games_of_optimal_are_refused(tmp_path: Path, arguments: dict[str, Any], sentence: str) -> None:
    """The error explains why, and nothing is played."""
    name = arguments["variant"]
    variant = sheet_file(tmp_path, name) if name in SMALL else name
    with pytest.raises(QwixxError, match=sentence):
        simulate(**{"seats": 2, "bots": ("optimal",), **arguments, "variant": variant})


def test_commands_simulate_and_replay(tmp_path: Path) -> None:
    """`qwixx simulate --bots optimal` and `qwixx replay --bots optimal` play the same games."""
    sheet = str(sheet_file(tmp_path, "lucky"))
    words = ["--seats", "1", "--bots", "optimal", "--lucky", "3/4", "--seed", "6"]
    result = CliRunner().invoke(main, ["simulate", sheet, *words, "--games", "1", "--json"])
    shown = CliRunner().invoke(main, ["replay", "--variant", sheet, *words, "--game", "0", "--json"])

    assert result.exit_code == shown.exit_code == 0
    assert list(json.loads(result.stdout)["histogram"]) == [str(score) for score in json.loads(shown.stdout)["scores"]]
    assert "Seat 0 (optimal)" in CliRunner().invoke(main, ["replay", "--variant", sheet, *words, "--game", "0"]).stdout
    refused = CliRunner().invoke(main, ["simulate", "cards", "--bots", "optimal"])
    assert refused.exit_code == 2
    assert "cannot play cards" in refused.stderr
