"""All nine games for OpenSpiel: its own simulation test, its own bots, and the kernel's scores."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts
from open_spiel.python.bots import uniform_random

import qwixx
import qwixx.rl.openspiel as adapter
from qwixx.rl import chance_nodes
from qwixx.rl.spaces import describe
from qwixx.text.notation import read_card
from support.games.rl_reference import EVERY, Agent, kernel_scores

pytestmark = pytest.mark.slow

Pair = tuple[str, int]

WINDOWS = [(name, 2) for name in qwixx.games() if name != "duel"]


@pytest.fixture(autouse=True)
def _quiet(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Hide the output of OpenSpiel's tests, which print every step."""
    yield
    capfd.readouterr()


def load(variant: str, players: int, **more: object) -> Any:
    """Load a game by its text, as users do."""
    words = "".join(f",{key}={value}" for key, value in more.items())
    return pyspiel.load_game(f"qwixx(variant={variant},players={players}{words})")


def at_random(state: Any, random: Random, steps: int = 10_000) -> Any:
    """Continue at random, with chance."""
    for _ in range(steps):
        if state.is_terminal():
            break
        state.apply_action(random.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("pair", EVERY, ids=str)
def test_openspiels_simulation_test_passes(pair: Pair) -> None:
    """`random_sim_test` with serialization passes for every variant at every number of players."""
    pyspiel.random_sim_test(load(*pair), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("pair", WINDOWS, ids=str)
def test_the_window_can_be_a_simultaneous_node(pair: Pair) -> None:
    """With simultaneous windows the simulation test passes too, and OpenSpiel can convert them to turns."""
    game = load(*pair, simultaneous=True)
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    pyspiel.random_sim_test(pyspiel.convert_to_turn_based(game), num_sims=1, serialize=False, verbose=False)


def test_a_sequential_game_loads_as_turn_based() -> None:
    """The default is sequential already, and does not change."""
    game = pyspiel.load_game_as_turn_based("qwixx(variant=classic,players=3)")
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    assert game.get_type().short_name == "qwixx"


def scripted(game: qwixx.Game, variant: str) -> list[int]:
    """Return the chance outcomes with which OpenSpiel repeats the last roll or deal of a game."""
    text = game.record().splitlines()[-1].split(maxsplit=1)[1]
    if qwixx.variant(variant).is_cards:
        deck = [int(card) for card in describe(variant).layouts[0].deck]
        return [deck.index(read_card(card)) for card in text.split(",")]
    return [int(face) - 1 for face in text if face.isdecimal()]


@pytest.mark.parametrize("pair", EVERY, ids=str)
@pytest.mark.parametrize("rewards", ["score", "margin"])
def test_games_end_with_the_kernels_scores(pair: Pair, rewards: str) -> None:
    """With the kernel's chance a random agent gets the same scores here as in the kernel's own loop."""
    variant, players = pair
    state, twin, agent = load(*pair, rewards=rewards).new_initial_state(), qwixx.Game(*pair, seed=77), Agent(77)
    opening = [twin.active] if players > 1 else []
    opening += [qwixx.variant(variant).lucky.index(_pair(sheet)) for sheet in twin.view().sheets if sheet.lucky]
    for outcome in opening:
        state.apply_action(outcome)
    while not state.is_terminal():
        if state.is_chance_node():
            twin.roll()
            for outcome in scripted(twin, variant):
                state.apply_action(outcome)
        else:
            action = agent.pick(state.legal_actions())
            twin.decide(state.current_player(), int(describe(*pair).kernel_actions[action]))
            state.apply_action(action)
    scores = kernel_scores(describe(*pair), 77)
    assert twin.scores() == scores
    others = [(sum(scores) - score) / max(players - 1, 1) for score in scores]
    expected = scores if rewards == "score" else [score - mean for score, mean in zip(scores, others, strict=True)]
    assert np.allclose(state.returns(), expected)


def _pair(sheet: Any) -> tuple[int, int]:
    return sheet.lucky[0], sheet.lucky[1]


@pytest.mark.parametrize("variant", ["classic", "cards", "duel"])
def test_openspiels_mcts_plays(variant: str) -> None:
    """The search written in C++, with C++ rollouts, finishes games against OpenSpiel's random bot."""
    game = load(variant, 2, rewards="win")
    search = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 5), 2.0, 4, 100, False, 5, False)
    returns = pyspiel.evaluate_bots(game.new_initial_state(), [search, pyspiel.make_uniform_random_bot(1, 6)], 7)
    assert sum(returns) == 0


def test_openspiels_python_mcts_plays() -> None:
    """The search written in Python decides in the middle of a game."""
    game, random = load("bonus-a", 2, rewards="win"), np.random.RandomState(3)
    state = at_random(game.new_initial_state(), Random(3), 60)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    search = mcts.MCTSBot(game, 2.0, 5, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    assert search.step(state) in state.legal_actions()
    assert uniform_random.UniformRandomBot(0, random).step(state) in state.legal_actions()


def test_mcts_beats_chance() -> None:
    """Over four games of solitaire, a short search scores more than random play."""
    game = load("classic", 1)
    found = []
    for searching in (True, False):
        rollouts = pyspiel.RandomRolloutEvaluator(1, 5)
        search = pyspiel.MCTSBot(game, rollouts, 30.0, 20, 100, False, 5, False)
        bot = search if searching else pyspiel.make_uniform_random_bot(0, 6)
        found.append(sum(pyspiel.evaluate_bots(game.new_initial_state(), [bot], seed)[0] for seed in range(4)))
    assert found[0] > found[1]


@pytest.mark.parametrize("pair", [("classic", 3), ("longo", 2), ("cards-joker", 2)], ids=str)
def test_states_survive_pickling_copying_and_saving(pair: Pair) -> None:
    """A state, with chance half drawn or a window half decided, is restored and continues in the same way."""
    game = load(*pair)
    for steps in (0, 3, 40, 61, 75):
        state = at_random(game.new_initial_state(), Random(steps), steps)
        copies = [state.clone(), pickle.loads(pickle.dumps(state)), game.deserialize_state(state.serialize())]
        ends = [str(at_random(copy, Random(9))) for copy in copies]
        assert ends == [str(at_random(state, Random(9)))] * 3


def test_observations_hide_open_choices() -> None:
    """The second seat to decide in a window sees the same for every choice of the first."""
    state = load("classic", 2).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    one, two = state.clone(), state.clone()
    one.apply_action(one.legal_actions()[0])
    two.apply_action(two.legal_actions()[-1])
    assert one.current_player() == two.current_player() == 1
    assert one.observation_tensor(1) == two.observation_tensor(1)
    assert one.observation_string(1) == two.observation_string(1)
    assert one.observation_tensor(0) != two.observation_tensor(0)


def test_observations_are_those_of_the_other_adapters() -> None:
    """The tensor has the documented fields, and they can be asked for by name."""
    game = load("cards", 2)
    space = describe("cards", 2)
    assert game.observation_tensor_shape() == [space.size]
    observer = game.make_py_observer()
    state = at_random(game.new_initial_state(), Random(1), 60)
    observer.set_from(state, 0)
    assert list(observer.dict) == [field.name for field in space.fields]
    assert observer.tensor.tolist() == state.observation_tensor(0)


def test_chance_comes_in_small_nodes() -> None:
    """Dice one by one, each with six equally likely faces; the first seat is drawn before."""
    state = load("classic", 3).new_initial_state()
    assert state.chance_outcomes() == [(seat, pytest.approx(1 / 3)) for seat in range(3)]
    state.apply_action(2)
    for face in (2, 3, 1, 5, 0, 4):
        assert state.chance_outcomes() == [(outcome, pytest.approx(1 / 6)) for outcome in range(6)]
        state.apply_action(face)
    assert str(state).startswith("classic active=2 phase=white roll=34/2615")
    assert state.current_player() == 0


def test_actions_and_outcomes_have_texts() -> None:
    """Actions and outcomes of chance have the same texts as everywhere in the package."""
    state = load("longo", 2).new_initial_state()
    assert state.action_to_string(-1, 1) == "first 1"
    state.apply_action(1)
    assert state.action_to_string(-1, 0) == "lucky 5/10"
    state.apply_action(0)
    state.apply_action(1)
    assert state.action_to_string(-1, 7) == "die 8"
    for face in (2, 3, 1, 5, 0, 4):
        state.apply_action(face)
    assert [state.action_to_string(0, action) for action in state.legal_actions()][-1] == "pass"
    assert state.action_to_string(0, 0) == "r2", "a question about another phase has an answer too"
    cards = load("cards", 2).new_initial_state()
    cards.apply_action(0)
    assert cards.action_to_string(-1, 0) == "card r2"


def test_bad_arguments_are_refused_with_a_sentence() -> None:
    """Unknown games, players, rewards and illegal actions raise OpenSpiel's own error, with our sentence."""
    for text, sentence in [
        ("variant=chess", "There is no game 'chess'"),
        ("players=6", "classic is played with 1 to 5 seats, not 6"),
        ("variant=duel,players=3", "duel is played with 2 seats, not 3"),
        ("rewards=gain", "There are no rewards 'gain'; there are margin, win, score"),
        ("sheet=gemixxt-a", "Only the card games choose a sheet"),
    ]:
        with pytest.raises(pyspiel.SpielError, match=sentence):
            pyspiel.load_game(f"qwixx({text})")
    game = load("classic", 2, simultaneous=True)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    before = str(state)
    with pytest.raises(pyspiel.SpielError, match="action 10 is illegal"):
        state.apply_actions([60, 10])
    assert str(state) == before
    alone = at_random(load("classic", 1).new_initial_state(), Random(1), 6)
    with pytest.raises(pyspiel.SpielError, match=r"action 10 is illegal: .*\(C[37]\)"):
        alone.apply_action(10)
    with pytest.raises(pyspiel.SpielError, match="no parameters"):
        adapter.QwixxGame().make_py_observer(None, {"wide": True})


def test_our_numbers_are_openspiels() -> None:
    """Chance, simultaneous nodes and the end have OpenSpiel's numbers."""
    ids = pyspiel.PlayerId
    assert (int(ids.CHANCE), int(ids.SIMULTANEOUS), int(ids.TERMINAL)) == (
        chance_nodes.CHANCE,
        chance_nodes.TOGETHER,
        chance_nodes.TERMINAL,
    )


def test_zero_sum_games_are_marked() -> None:
    """Margin and win sum to zero with two or more players; a score, and solitaire, do not."""
    utility = pyspiel.GameType.Utility
    assert load("classic", 3).get_type().utility == utility.ZERO_SUM
    assert load("classic", 3, rewards="score").get_type().utility == utility.GENERAL_SUM
    assert load("classic", 1).get_type().utility == utility.GENERAL_SUM
    information = pyspiel.GameType.Information
    assert load("duel", 2).get_type().information == information.PERFECT_INFORMATION
    assert load("classic", 2).get_type().information == information.IMPERFECT_INFORMATION
    assert load("classic", 2).max_chance_nodes_in_history() > 6 * 48


@pytest.mark.parametrize("name", ["classic", "longo", "cards"])
def test_chance_refuses_what_it_cannot_draw(name: str) -> None:
    """Each node of chance takes only its own outcomes: seats, pads, faces or cards."""
    state = pyspiel.load_game(f"qwixx(variant={name},players=2)").new_initial_state()
    for _ in range(6):
        assert state.is_chance_node()
        for number in (-3, 77, 99):
            with pytest.raises(pyspiel.SpielError, match="is no outcome of chance here"):
                state.clone().apply_action(number)
        state.apply_action(state.chance_outcomes()[0][0])
