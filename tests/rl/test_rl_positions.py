"""Environments that start at a position: what they show there, how they continue, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest

import qwixx
import qwixx.rl.gymnasium as solo
from qwixx import Game, QwixxError
from qwixx.players import find
from qwixx.rl import pettingzoo as zoo
from qwixx.rl.batch import Env
from qwixx.rl.spaces import describe
from support.games.rl_reference import GAMES, Agent, kernel_seed, legal_of

pytestmark = pytest.mark.slow

Pair = tuple[str, int]

PAIRS = [("classic", 1), *((name, 2) for name in qwixx.games()), ("bonus-b", 3), ("longo", 5), ("cards", 5)]
PHASES = {"roll", "white", "color", "deal", "draw", "shuffle", "number", "play"}


def played(variant: str, seats: int, seed: int) -> list[Game]:
    """Return copies of a random game at all its states, including chance and half-decided windows."""
    game, random, moments = Game(variant, seats, seed=seed), Random(seed), []
    while not game.is_over:
        moments.append(game.copy())
        if game.awaits_chance:
            game.roll()
        else:
            seat = random.choice(game.deciders())
            game.decide(seat, random.choice(game.legal(seat)))
    return moments


def some(moments: list[Game], count: int, seed: int = 1) -> list[Game]:
    """Choose some states, at least one of each phase."""
    firsts = {game.phase: game for game in reversed(moments)}
    return [*firsts.values(), *Random(seed).sample(moments, min(count, len(moments)))]


def test_every_phase_is_tried() -> None:
    """The tests of this file start at states of every kind."""
    found = {game.phase for pair in (("classic", 2), ("cards", 5)) for game in some(played(*pair, seed=6), 3)}
    assert found == PHASES


# ---- observations


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_observations_equal_those_of_the_played_game(pair: Pair) -> None:
    """At every 7th decision of a game, an environment that starts there has the same agent, observations and masks."""
    came, begins = zoo.raw_env(*pair), zoo.raw_env(*pair)
    came.reset(seed=3)
    twin, agent = Game(*pair, seed=kernel_seed(np.random.default_rng(3))), Agent(3)
    actions = came.space.kernel_actions
    for decision in range(1000):
        while twin.awaits_chance:
            twin.roll()
        if twin.is_over:
            break
        if decision % 7 == 0:
            begins.reset(options={"position": twin.position()})
            assert begins.agent_selection == came.agent_selection
            for name in came.possible_agents:
                for part, array in came.observe(name).items():
                    assert array.tolist() == begins.observe(name)[part].tolist()
        action = agent.pick(legal_of(came.observe(came.agent_selection)["action_mask"]))
        twin.decide(int(came.agent_selection[-1]), int(actions[action]))
        came.step(action)
    assert twin.is_over
    assert all(came.terminations.values())


def finish(game: Game, agent: Agent, compact: Any) -> list[int]:
    """Play a game to its end, the lowest seat that owes a decision first; return the compact actions."""
    taken = []
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
            continue
        seat = game.deciders()[0]
        action = agent.pick([int(compact[action.id]) for action in game.legal(seat)])
        game.decide(seat, int(describe(game.variant, game.seats).kernel_actions[action]))
        taken.append(action)
    return taken


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_it_continues_like_the_game_itself(pair: Pair) -> None:
    """From states of every phase, the same decisions with the same chance give the scores of `Game.from_position`."""
    env = zoo.raw_env(*pair, rewards="score")
    for number, moment in enumerate(some(played(*pair, seed=6), 3)):
        line, seed = moment.position(), kernel_seed(np.random.default_rng(number))
        game = Game.from_position(line, seed=seed)
        taken = finish(game, Agent(number), env.space.compact_actions)
        env.reset(seed=number, options={"position": line})
        for action in taken:
            assert env.observe(env.agent_selection)["action_mask"][action]
            env.step(action)
        assert all(env.terminations.values())
        assert tuple(env.rewards.values()) == game.scores()


@pytest.mark.parametrize("name", solo.ids())
def test_solitaire_starts_anywhere(name: str) -> None:
    """One game and many: the same first observation, and the same end as the game itself."""
    variant = solo.ids()[name]
    env = gymnasium.make(name)
    moments = some(played(variant, 1, 2), 3)
    for number, moment in enumerate(moments):
        line, seed = moment.position(), kernel_seed(np.random.default_rng(number))
        seen, info = env.reset(seed=number, options={"position": line})
        game = Game.from_position(line, seed=seed)
        total = 0.0
        for action in finish(game, Agent(number), describe(variant, 1).compact_actions):
            assert info["action_mask"][action]
            seen, reward, over, _, info = env.step(action)
            total += float(reward)
        assert over
        assert total == game.scores()[0]
    envs = gymnasium.make_vec(name, num_envs=len(moments))
    lines = [moment.position() for moment in moments]
    seen, info = envs.reset(seed=1, options={"position": lines})
    for row, (mask, moment) in enumerate(zip(info["action_mask"], moments, strict=True)):
        if not moment.awaits_chance:  # otherwise chance was next, which differs in each environment
            one, about = env.reset(options={"position": moment.position()})
            assert (seen[row].tolist(), mask.tolist()) == (one.tolist(), about["action_mask"].tolist())


@pytest.mark.parametrize("pair", [("classic", 2), ("cards", 3), ("duel", 2)], ids=str)
def test_a_batch_starts_anywhere(pair: Pair) -> None:
    """All at one line or each at its own: the deciders and their legal actions are those of the positions."""
    variant, seats = pair
    lines = [moment.position() for moment in some(played(*pair, seed=4), 2)]
    env = Env(variant, n=len(lines), seats=seats, rewards="score")
    compact = env.space.compact_actions
    for given in (lines, lines[-1], np.array(lines)):
        env.reset(9, {"position": given})
        for slot in range(env.n):
            game = Game.from_position(given if isinstance(given, str) else str(given[slot]))
            if not game.awaits_chance:
                asked = game.deciders()[0]
                assert env.asked[slot] == asked
                assert legal_of(env.masks[slot]) == [int(compact[action.id]) for action in game.legal(asked)]


def test_games_of_a_batch_from_one_position_have_their_own_chance() -> None:
    """From before a roll, many games see many rolls; game 0 of a seed is that of `Game.from_position`."""
    line = "classic active=1 phase=roll | r=2,3 | y=5 misses=1"
    env = Env("classic", n=32, seats=2)
    env.reset(5, {"position": line})
    dice = env.space.named(env.observations)["dice"]
    assert len({tuple(row) for row in dice.tolist()}) > 20
    game = Game.from_position(line, seed=5)
    game.roll()
    assert "".join(map(str, dice[0].tolist())) == str(game.dice).replace("/", "")
    assert env.space.named(env.observations)["own.cells"][:, :2].all(), "seat 0 has crossed red 2 and red 3"


def test_the_games_that_follow_are_new_ones() -> None:
    """A game from a position ends by its fourth miss; the next one in its slot starts with an empty sheet."""
    env = Env("classic", n=2, seats=1, seed=1)
    env.reset(options={"position": "classic active=0 phase=color roll=11/1111 | r=2,3 misses=3"})
    observations, rewards, terminations = env.step(np.array([60, 60]))
    assert terminations.all()
    assert rewards[:, 0].tolist() == [3 - 20] * 2, "two crosses are 3 points, four misses cost 20 (C12)"
    assert not env.space.named(observations)["own.cells"].any()
    env.reset()
    assert not env.space.named(env.observations)["own.misses"].any()


# ---- rewards


LATE = "classic active=0 phase=color roll=34/1111 | r=2,3 misses=1 | g=12"
"""Seat 0 has 3 - 5 = -2 points and seat 1 has 1; seat 0 may cross in its second action, or take a miss (C4, C6)."""


def test_gains_count_from_the_position() -> None:
    """The first decision is a pass, which costs a miss: gains are -5 and 0, without the earlier points."""
    raw = zoo.raw_env("classic", 2, rewards="gain")
    raw.reset(seed=1, options={"position": LATE})
    raw.step(60)
    assert raw.rewards == {"player_0": -5.0, "player_1": 0.0}
    env = Env("classic", n=3, seats=2, rewards="gain")
    env.reset(options={"position": LATE})
    _, rewards, _ = env.step(np.full(3, 60))
    assert rewards.tolist() == [[-5.0, 0.0]] * 3
    alone = solo.SolitaireEnv("classic", rewards="gain")
    alone.reset(options={"position": LATE.replace(" | g=12", "")})
    assert alone.step(60)[1] == -5.0


# ---- against opponents


def against(line: str, seed: int, name: str, seats: int) -> tuple[int, ...]:
    """From a position, seat 0 takes the first legal action and a player has all other seats; return the scores."""
    game = Game.from_position(line, seed=seed)
    player = find(name).sit(game.variant, seats)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
        for seat in game.deciders():
            game.decide(seat, game.legal(0)[0] if seat == 0 else player.answer(game.question(seat)))
    return game.scores()


@pytest.mark.parametrize(("variant", "seats", "name"), GAMES)
def test_opponents_continue_from_there(variant: str, seats: int, name: str) -> None:
    """An agent that takes the first legal action ends with the score of the same game played elsewhere."""
    env = solo.AgainstEnv(variant, seats=seats, opponents=name, rewards="score")
    for number, moment in enumerate(some(played(variant, seats, 8)[:-8], 2)):
        line = moment.position()
        _, info = env.reset(seed=number, options={"position": line})
        over, total = False, 0.0
        while not over:
            _, reward, over, _, info = env.step(legal_of(info["action_mask"])[0])
            total += reward
        assert total == against(line, kernel_seed(np.random.default_rng(number)), name, seats)[0]


@pytest.mark.parametrize(
    "make",
    [
        lambda: solo.AgainstEnv("classic", opponents="random"),
        lambda: zoo.raw_env("classic", opponents={1: "random"}),
        lambda: zoo.env("classic", opponents={1: "random"}),
    ],
)
def test_a_game_that_ends_before_the_agent_decides_is_refused(make: Callable[[], Any]) -> None:
    """Seat 1 has one decision left, and each ends the game: nothing is left for seat 0."""
    env = make()
    line = one_decision_before_the_end()
    with pytest.raises(QwixxError, match="ended this game before anybody else was asked"):
        env.reset(seed=1, options={"position": line})
    env.reset(seed=1)


def one_decision_before_the_end() -> str:
    """Return a position where seat 1, with three misses, can only pass in its second action, which ends the game."""
    line = "classic active=1 phase=color roll=11/1111 | r=2,3 | r=4 y=4 misses=3"
    game = Game.from_position(line)
    assert [str(action) for action in game.legal(1)] == ["pass"], "1 and 1 make 2, and neither row has room for it"
    return line


@pytest.mark.parametrize(("rewards", "paid"), [("score", [3, -18]), ("gain", [0, -5]), ("win", [1, -1])])
def test_a_batch_pays_such_a_game_immediately(rewards: str, paid: list[int]) -> None:
    """Seat 0 has 3 points, seat 1 has 2 - 15 and takes its fourth miss; the next game has started, and pays again."""
    env = Env("classic", n=2, seats=2, rewards=rewards, opponents={1: "random"})
    env.reset(3, {"position": one_decision_before_the_end()})
    assert env.terminations.all()
    assert env.rewards.tolist() == [paid] * 2
    assert env.scores.tolist() == [[3, 2 - 20]] * 2
    assert env.asked.tolist() == [0, 0]
    assert not env.space.named(env.observations)["own.cells"].any()
    env.step_ranked(np.zeros(2, np.int32))
    assert not env.terminations.any()


# ---- refusals


REFUSED = [
    ("longo active=0 phase=roll | lucky=5/10 | lucky=6/11", "another game than 'classic'"),
    ("classic active=0 phase=roll | - | - | -", "of 3 seats, and this environment has 2"),
    ("classic phase=over | misses=4 | -", "is over; there is nothing left to decide"),
    ("classic active=0 phase=white | - | -", "the roll is missing"),
    ("", "starts with the id of the variant"),
    (7, "is a line of text, as `Game.position.*` gives it, not 7 of type int"),
    (Game("classic", 2), "is a line of text"),
]
ENVIRONMENTS: list[Callable[[], Any]] = [
    lambda: solo.AgainstEnv("classic"),
    lambda: zoo.raw_env("classic"),
    lambda: zoo.env("classic"),
    lambda: Env("classic", n=2),
]


@pytest.mark.parametrize("make", ENVIRONMENTS)
@pytest.mark.parametrize(("line", "sentence"), REFUSED)
def test_invalid_starts_are_refused(make: Callable[[], Any], line: object, sentence: str) -> None:
    """The error explains why, and the current game continues."""
    env = make()
    env.reset(seed=4)
    inner = env if isinstance(env, Env) else env.unwrapped._playing
    before = inner.states.tobytes()
    one_for_all = line if isinstance(line, str) or not isinstance(env, Env) else [line, line]
    with pytest.raises(QwixxError, match=sentence):
        env.reset(seed=5, options={"position": one_for_all})
    assert inner.states.tobytes() == before


def test_a_batch_names_the_game_whose_line_is_wrong() -> None:
    """There are as many lines as games, or one."""
    env = Env("classic", n=2)
    good = "classic | - | -"
    with pytest.raises(QwixxError, match=r"Game 1: This position cannot be: .*another game"):
        env.reset(options={"position": [good, "duel | - | -"]})
    with pytest.raises(QwixxError, match="one line for all games or 2, one for each, not 3 of them"):
        env.reset(options={"position": [good] * 3})
    with pytest.raises(QwixxError, match="one line for all games or 2, one for each, not 3 of type int"):
        env.reset(options={"position": 3})
    envs = gymnasium.make_vec("qwixx/Classic-v0", num_envs=2)
    with pytest.raises(QwixxError, match="of 2 seats, and this environment has 1"):
        envs.reset(options={"position": good})


@pytest.mark.parametrize("make", ENVIRONMENTS)
def test_options_are_a_dictionary(make: Callable[[], Any]) -> None:
    """A line instead of a dictionary is refused; other options, and no position, are ignored as everywhere."""
    with pytest.raises(QwixxError, match="Options are a dictionary such as"):
        make().reset(options="classic | - | -")
    make().reset(options={"position": None, "speed": 3})


def test_cards_of_another_sheet_are_another_game() -> None:
    """A line names its sheet; an environment with another one refuses it, and one with that sheet accepts it."""
    line = Game("cards", 2, sheet="gemixxt-b", seed=1).position()
    zoo.raw_env("cards", sheet="gemixxt-b").reset(options={"position": line})
    with pytest.raises(QwixxError, match="another game"):
        zoo.raw_env("cards").reset(options={"position": line})
