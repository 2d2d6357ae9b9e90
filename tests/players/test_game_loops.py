"""Game loops: the same results one by one, in a block, with events, interpreted, and in the fast path."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from qwixx.kernel.results import RESULT, write_result
from qwixx.kernel.state.records import MENU, STATE, Records
from qwixx.players import built_in_names, find
from qwixx.players.batched_games import BatchedGames
from qwixx.players.built_in.gap import WEIGHTS
from qwixx.players.built_in.levels import Level
from qwixx.players.game_loop import play_block
from qwixx.players.heuristics import HeuristicPlayer
from qwixx.sim import fast_path, replay_game
from qwixx.sim.block import Block
from qwixx.sim.lineup import seating_tables
from qwixx.variants import Variant, load, names
from qwixx.variants.layout import compile_layout
from support.games.invented_sheets import INVENTED, invented
from support.paths import ROOT, TESTS

pytestmark = pytest.mark.slow

DICE_GAMES = ("classic", "gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo")
SEED = np.uint64(77)


def heuristic_players(bots: tuple[str, ...]) -> list[HeuristicPlayer]:
    """List the heuristic players; levels are heuristic where the game has no trained network."""
    players = [find(name) for name in bots]
    weighing = [player.fallback if isinstance(player, Level) else player for player in players]
    return [player for player in weighing if isinstance(player, HeuristicPlayer)]


def side_by_side(variant: Variant, bots: tuple[str, ...], first: int, games: int) -> Records:
    """Play games in the engine that supports all players."""
    results: Records = np.zeros(games, RESULT)
    BatchedGames(variant, heuristic_players(bots)).play(SEED, first, results)
    return results


def stepped(variant: Variant, bots: tuple[str, ...], first: int, games: int) -> Records:
    """Play games decision by decision."""
    results: Records = np.zeros(games, RESULT)
    states, menus = np.zeros(1, STATE), np.zeros(1, MENU)
    tables = seating_tables(variant, heuristic_players(bots), rotate=True)
    starts = np.zeros(0, STATE)
    play_block(compile_layout(variant), states, len(bots), tables, SEED, first, results, menus, starts)
    return results


def fast(variant: Variant, bots: tuple[str, ...], first: int, games: int) -> Records:
    """Play games in the fast path."""
    results: Records = np.zeros(games, RESULT)
    tables = seating_tables(variant, heuristic_players(bots), rotate=True)
    fast_path.play_block(compile_layout(variant), np.zeros(1, STATE), len(bots), tables, SEED, first, results)
    return results


def bots_for(variant: Variant, seats: int) -> tuple[str, ...]:
    """Return bots with different habits."""
    if variant.is_cards or variant.is_duel:
        return ("greedy", "random", "easy", "random", "greedy")[:seats]
    return ("gap", "random", "gap:3", "easy", "strong")[:seats]


def digest() -> str:
    """Play a few games of every variant in both engines, and return the results."""
    found = hashlib.sha256()
    for name in names():
        variant = load(name)
        found.update(stepped(variant, bots_for(variant, 2), 3, 2).tobytes())
        found.update(side_by_side(variant, ("easy", "random"), 3, 1).tobytes())
    for name in DICE_GAMES:
        found.update(fast(load(name), ("gap", "gap:2"), 3, 2).tobytes())
    return found.hexdigest()


@pytest.mark.parametrize("name", names())
def test_a_game_does_not_depend_on_its_neighbors(name: str) -> None:
    """Game 12 of a run is the same in its own block as among others."""
    variant = load(name)
    bots = bots_for(variant, 2)
    block = stepped(variant, bots, 10, 8)
    for place in (0, 2, 7):
        assert stepped(variant, bots, 10 + place, 1).tobytes() == block[place : place + 1].tobytes()


@pytest.mark.parametrize("name", names())
def test_events_change_nothing(name: str) -> None:
    """Played as a `Game`, which lists its events, games end as they do in a block, where nobody listens."""
    variant = load(name)
    bots = bots_for(variant, 2)
    found: Records = np.zeros(5, RESULT)
    for number, result in enumerate(found):
        game = replay_game(variant, 2, bots, int(SEED), number)
        assert game.events
        layouts, states = game.raw()
        write_result(layouts[0], states[0], result)
    assert found.tobytes() == stepped(variant, bots, 0, 5).tobytes()


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("name", DICE_GAMES)
def test_the_fast_path_plays_the_kernels_games(name: str, seats: int) -> None:
    """Scores, turns, misses, locks and endings are equal game by game, for bots that skip little and much."""
    bots = ("gap", "gap:3", "gap:0", "gap:6", "gap:2")[:seats]
    assert fast(load(name), bots, 0, 600).tobytes() == stepped(load(name), bots, 0, 600).tobytes()


@pytest.mark.parametrize("name", names())
def test_side_by_side_plays_the_kernels_games(name: str) -> None:
    """The engine that asks all players in bulk, with copies of the states, plays the same games."""
    variant = load(name)
    for seats in variant.seats:
        bots = bots_for(variant, seats)
        assert side_by_side(variant, bots, 5, 300).tobytes() == stepped(variant, bots, 5, 300).tobytes()


@pytest.mark.parametrize("name", names())
def test_all_heuristics_play_the_same_in_both_engines(name: str) -> None:
    """Each heuristic player, in each game that it plays."""
    variant = load(name)
    able = [bot for bot in heuristic_players(built_in_names()) if bot.plays(variant, 2)]
    assert len(able) >= 5
    for bot in able:
        bots = (bot.name, "random")
        assert side_by_side(variant, bots, 0, 40).tobytes() == stepped(variant, bots, 0, 40).tobytes()


@pytest.mark.parametrize("name", ["bonus-a", "bonus-b", "longo"])
def test_the_fast_path_plays_sheets_in_any_order(name: str) -> None:
    """If rows are not in the order of the dice, color sums take another path, and ties and bars apply too."""
    variant = load(name)
    mixed = replace(variant, rows=(*variant.rows[2:], *variant.rows[:2]))
    assert not compile_layout(mixed)[0].in_order
    bots = ("gap", "gap:4")
    assert fast(mixed, bots, 0, 1500).tobytes() == stepped(mixed, bots, 0, 1500).tobytes()


@pytest.mark.parametrize("name", INVENTED)
def test_the_fast_path_plays_invented_combinations(tmp_path: Path, name: str) -> None:
    """The fast path supports combinations of its features: lucky numbers, bars, pairs and mixed colors (L4, BA2)."""
    variant = invented(tmp_path, name)
    bots = ("gap", "gap:4", "gap:1")
    assert Block(variant, bots, rotate=True, seed=0, first=0, count=1).uses_fast_path
    assert fast(variant, bots, 0, 600).tobytes() == stepped(variant, bots, 0, 600).tobytes()


def test_hand_written_loop_plays_the_kernels_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop of the benchmark, written for classic only, is a second oracle: equal turns and scores."""
    hand = np.zeros((2000, 3), np.int32)
    monkeypatch.syspath_prepend(str(ROOT))
    written = import_module("bench.classic_loop")
    written.play_classic(SEED, WEIGHTS["most_skipped"], WEIGHTS["most_skipped_or_miss"], WEIGHTS["lock"], hand)
    results = stepped(load("classic"), ("gap", "gap"), 0, 2000)
    assert (hand[:, 0] == results["turns"]).all()
    assert (hand[:, 1:] == results["score"][:, :2]).all()


def test_interpreted_games_are_the_same() -> None:
    """Without the compiler the same source plays the same games, in both engines."""
    result = subprocess.run(
        [sys.executable, "-c", "from players.test_game_loops import digest; print(digest())"],
        cwd=TESTS,
        env={**os.environ, "QWIXX_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == digest()
