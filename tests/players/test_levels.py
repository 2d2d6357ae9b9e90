"""Levels: players with the same network and random errors in its values."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from qwixx import Game
from qwixx.cli import main
from qwixx.errors import QwixxError
from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import COLOR
from qwixx.nets.noise import normal_sample
from qwixx.nets.weight_files import own_path
from qwixx.players import find
from qwixx.players.batched_games import BatchedGames
from qwixx.players.built_in.levels import LEVELS, level_key, read_noises, seat_kind
from qwixx.players.built_in.master import LearnedPlayer, MasterPlayer
from qwixx.players.net_games import NetFollower
from qwixx.sim import replay_game
from qwixx.sim.block import Block, engine_for
from qwixx.variants import load
from support.games.random_nets import every_sheet, positions, store_random_network

pytestmark = pytest.mark.usefixtures("own_data")
LEVEL_NAMES = ("easy", "normal", "strong")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "bots"),
    [
        ("classic", ("easy", "strong")),
        ("classic", ("normal", "master", "easy", "gap")),
        ("bonus-b", ("easy", "easy", "master")),
        ("duel", ("easy", "master")),
        ("cards", ("easy", "normal")),
        ("cards-joker", ("master", "easy", "strong")),
    ],
)
def test_levels_play_the_same_games_in_every_engine(name: str, bots: tuple[str, ...]) -> None:
    """Compiled for all seats, question by question, and one game as a `Game`: the errors are the same."""
    store_random_network(name, len(bots))
    games = 2
    fast, slow = np.zeros(games, RESULT), np.zeros(games, RESULT)
    play_games = engine_for(Block(load(name), bots, True, 11, 0, games))
    play_games(np.uint64(11), 0, fast)
    assert play_games.__qualname__ == "NetGames.play"
    BatchedGames(load(name), [find(bot) for bot in bots]).play(np.uint64(11), 0, slow)
    assert fast.tobytes() == slow.tobytes()
    for number in range(games):
        assert replay_game(name, len(bots), bots, 11, number).scores() == tuple(fast["score"][number, : len(bots)])


@pytest.mark.slow
def test_errors_are_drawn_from_a_bell_curve() -> None:
    """20,000 draws: mean 0, deviation 1, two thirds within one deviation and nearly none beyond three; all differ."""
    draws = np.array([normal_sample(np.uint64(word)) for word in range(20_000)])
    assert abs(draws.mean()) < 0.03
    assert abs(draws.std() - 1) < 0.03
    assert abs((np.abs(draws) < 1).mean() - 0.68) < 0.02
    assert 0 < (np.abs(draws) > 3).mean() < 0.004
    assert abs(np.corrcoef(draws[1:], draws[:-1])[0, 1]) < 0.03


@pytest.mark.slow
def test_a_weaker_level_makes_larger_errors() -> None:
    """With many random words, the mean loss grows with the errors, and without errors it is zero."""
    store_random_network("classic", 2)
    game = next(positions("classic", 2, COLOR))
    seat = game.deciders()[0]
    question = game.question(seat)
    worth = dict(zip((a.id for a in question.legal), MasterPlayer(load("classic"), 2).values(question), strict=True))
    best = max(worth.values())
    lucks = np.random.default_rng(3).integers(1 << 63, size=300).astype(np.uint64)
    states, seats = question.states.repeat(len(lucks)), np.full(len(lucks), seat, np.int32)
    losses = []
    for noise in (0.0, 0.2, 1.0, 5.0):
        found = LearnedPlayer(load("classic"), 2, noise).answer_many(question.layouts, states, seats, lucks)
        losses.append(float(np.mean([best - worth[int(action)] for action in found])))
    assert losses[0] == 0
    assert losses == sorted(losses)
    assert losses[-1] > losses[1] > 0


@pytest.mark.slow
def test_a_won_game_is_won_by_every_level() -> None:
    """A level with errors in its estimates still sees a certain win (C11)."""
    store_random_network("classic", 2)
    line = "classic active=0 phase=white roll=66/-111 | r=2,3,4,5,6,7,12,L y=2,3,4,5,6 | r=2"
    for level in LEVEL_NAMES:
        game = Game.from_position(line)
        assert find(level).sit(load("classic"), 2).answer(game.question(0)).text == "y12"


@pytest.mark.slow
def test_untrained_levels_use_the_heuristic() -> None:
    """In solitaire, and in untrained games, the heuristic plays; a damaged file is reported."""
    classic = load("classic")
    store_random_network("classic", 2)
    for seats, is_learned in ((1, False), (2, True)):
        assert isinstance(find("easy").sit(classic, seats), LearnedPlayer) == is_learned
        assert isinstance(seat_kind(find("easy"), classic, seats), NetFollower) == is_learned
    own_path(classic, (2,)).write_bytes(b"nonsense")
    for level in (*LEVEL_NAMES, "master"):
        with pytest.raises(QwixxError, match="holds no weights"):
            find(level).sit(classic, 2)
        result = CliRunner().invoke(main, ["simulate", "classic", "--bots", f"{level},gap", "--games", "2"])
        assert result.exit_code == 2
        assert "holds no weights" in result.stderr


def test_the_file_of_the_levels() -> None:
    """In every game and with any number of seats easy errs more than normal, and normal more than strong."""
    entries = {level_key(variant) for variant in every_sheet()}
    noises = read_noises()
    assert set(noises) - {"any"} <= entries
    assert set(noises["any"]) == {"2", "3", "4", "5"}
    for variant in every_sheet():
        for seats in variant.seats:
            if seats > 1:
                easy, normal, strong = (level.noise(variant, seats) for level in LEVELS)
                assert easy > normal > strong > 0
