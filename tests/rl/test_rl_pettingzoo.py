"""All nine games for PettingZoo: its own checkers for every seat count, and the kernel's scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo import AECEnv
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space

import qwixx
from qwixx.rl import pettingzoo as adapter
from qwixx.rl.spaces import describe
from support.games.rl_reference import EVERY, Agent, kernel_scores, kernel_seed, legal_of, with_masks

pytestmark = pytest.mark.slow

Pair = tuple[str, int]


@with_masks
@pytest.mark.parametrize("pair", EVERY, ids=str)
def test_pettingzoos_api_test_passes(pair: Pair, capsys: pytest.CaptureFixture[str]) -> None:
    """`api_test` plays whole games of every variant at every seat count, wrapped and raw."""
    for make in (adapter.env, adapter.raw_env):
        api_test(make(*pair), num_cycles=60)
    assert capsys.readouterr().out.count("Passed API test") == 2


@pytest.mark.parametrize("pair", EVERY, ids=str)
def test_pettingzoos_seed_test_passes(pair: Pair) -> None:
    """Two environments with the same seed stay equal, for every variant at every seat count."""
    seed_test(lambda: adapter.env(*pair), num_cycles=25)


@pytest.mark.parametrize("variant", qwixx.games())
def test_pettingzoos_render_test_passes(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`render_test` gets a text, a picture, an SVG, and printed output."""

    def make(render_mode: str) -> AECEnv[str, Any, int]:
        return adapter.env(variant, render_mode=render_mode)

    render_test(make, custom_tests={"svg": lambda drawn: drawn.startswith("<svg")})
    assert "seat 0" in capsys.readouterr().out or variant == "duel"


def play(env: AECEnv[str, Any, int], agent: Agent, seed: int | None) -> tuple[dict[str, float], dict[str, int]]:
    """Play a game with a random agent; return the sums of rewards and the final scores."""
    env.reset(seed=seed)
    totals, scores = dict.fromkeys(env.possible_agents, 0.0), {}
    for name in env.agent_iter():
        seen, reward, termination, _, info = env.last()
        totals[name] += reward
        if termination:
            scores[name] = info["score"]
        env.step(None if termination else agent.pick(legal_of(seen["action_mask"])))
    return totals, scores


@pytest.mark.parametrize("pair", EVERY, ids=str)
@pytest.mark.parametrize("make", [adapter.env, adapter.raw_env])
def test_games_end_with_the_kernels_scores(pair: Pair, make: Callable[..., AECEnv[str, Any, int]]) -> None:
    """A random agent gets the same scores here as in the kernel's own loop on the same seeds."""
    env = make(*pair, rewards="score")
    space = describe(*pair)
    generator = np.random.default_rng(35)
    for game in range(2):
        seed = kernel_seed(generator)
        totals, scores = play(env, Agent(seed), 35 if game == 0 else None)
        assert tuple(scores.values()) == tuple(totals.values()) == kernel_scores(space, seed)


def test_rewards_by_margin_win_and_gain() -> None:
    """The same game pays differences, shares of the win, or gains during the game."""
    paid = {kind: play(adapter.env("classic", 3, rewards=kind), Agent(1), 6) for kind in ("margin", "win", "gain")}
    scores = list(paid["gain"][1].values())
    assert list(paid["gain"][0].values()) == scores
    assert list(paid["margin"][0].values()) == [score - (sum(scores) - score) / 2 for score in scores]
    assert max(paid["win"][0].values()) == paid["win"][0][f"player_{scores.index(max(scores))}"] == 1
    assert abs(sum(paid["win"][0].values())) < 1e-9


def test_the_window_hides_choices_of_others() -> None:
    """The second seat to decide sees the same for every choice of the first."""
    seen = []
    for rank in (0, -1):
        env = adapter.raw_env("classic", 2)
        env.reset(seed=12)
        first = env.agent_selection
        env.step(legal_of(env.observe(first)["action_mask"])[rank])
        assert env.agent_selection != first
        seen.append(env.observe(env.agent_selection))
    assert seen[0]["observation"].tolist() == seen[1]["observation"].tolist()
    assert seen[0]["action_mask"].tolist() == seen[1]["action_mask"].tolist()


def test_only_the_asked_seat_has_a_mask() -> None:
    """Other agents can observe, but not act."""
    env = adapter.raw_env("longo", 4)
    env.reset(seed=2)
    for agent in env.possible_agents:
        assert env.observe(agent)["action_mask"].any() == (agent == env.agent_selection)
        assert env.observe(agent) is not env.observe(agent)


@pytest.mark.parametrize(("rewards", "lowest"), [("win", -1.0), ("margin", -332.0)])
def test_an_illegal_action_ends_the_game(rewards: str, lowest: float) -> None:
    """The agent of an illegal action gets the lowest reward, and the game is over for all."""
    env = adapter.env("classic", 2, rewards=rewards)
    env.reset(seed=3)
    agent = env.agent_selection
    assert env.last()[0]["action_mask"].any()
    env.step(10)
    assert env.rewards == {name: lowest if name == agent else 0 for name in env.agents}
    assert all(env.terminations.values())
    assert env.infos[agent] == {"illegal": True}
    for name in env.agent_iter():
        seen, reward, *_ = env.last()
        assert reward == (lowest if name == agent else 0)
        assert not seen["action_mask"].any()
        env.step(None)
    assert env.agents == []


def test_bad_arguments_are_refused_with_a_sentence() -> None:
    """Unknown games, seats, rewards and modes are ValueErrors; an illegal action is one if raw, else an assertion."""
    with pytest.raises(ValueError, match="There is no game 'chess'"):
        adapter.env("chess")
    with pytest.raises(ValueError, match="classic is played with 1 to 5 seats, not 6"):
        adapter.env("classic", 6)
    with pytest.raises(ValueError, match="There are no rewards 'money'"):
        adapter.env(rewards="money")
    with pytest.raises(ValueError, match="There is no render mode 'hologram'"):
        adapter.env(render_mode="hologram")
    raw = adapter.raw_env()
    raw.reset(seed=3)
    with pytest.raises(qwixx.IllegalAction, match=r"action 10 is illegal: .*\(C[37]\)"):
        raw.step(10)
    with pytest.raises(ValueError, match="99 is no action"):
        raw.step(99)
    with pytest.raises(ValueError, match="None is only for agents that are done"):
        raw.step(None)
    wrapped = adapter.env()
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        wrapped.agent_selection  # noqa: B018 - asking is the test
    wrapped.reset(seed=3)
    with pytest.raises(AssertionError, match="not in action space"):
        wrapped.step(99)


def test_the_card_games_can_use_another_sheet() -> None:
    """A card game can use a gemixxt sheet."""
    env = adapter.raw_env("cards", 2, sheet="gemixxt-a")
    assert env.space.variant.sheet == "gemixxt-a"


def test_rendering_without_a_mode_warns() -> None:
    """Rendering without a render mode warns and draws nothing."""
    env = adapter.raw_env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="Name a render_mode"):
        assert env.render() is None


# ---- the whole state


@pytest.mark.parametrize("pair", EVERY, ids=str)
def test_pettingzoos_state_test_passes(pair: Pair) -> None:
    """The whole state stays in its space in games of every variant at every seat count, wrapped and raw."""
    for env in (adapter.env(*pair), adapter.raw_env(*pair)):
        check_state_space(env)
    check_state(adapter.env(*pair), num_cycles=20)


def whole(line: str) -> tuple[dict[str, list[int]], AECEnv[str, Any, int]]:
    """Start at a position; return the whole state by the names of its fields, and the environment."""
    variant, *seats = line.split("|")
    env = adapter.raw_env(variant.split()[0], len(seats))
    env.reset(options={"position": line})
    state = env.state()
    return {field.name: state[field.slice].tolist() for field in env.space.state_fields}, env


def test_the_state_has_all_open_choices() -> None:
    """Seat 1 does not see the choice of seat 0; the state has it: red 7, the sixth cell of the first row."""
    found, env = whole("classic active=0 phase=white roll=34/2615 choices=r7,- | r=2,3 | y=5 misses=1")
    assert env.agent_selection == "player_1"
    assert (found["seat0.choice.made"], found["seat0.choice.row"], found["seat0.choice.position"]) == ([1], [1], [6])
    assert found["seat1.choice.made"] == [0]
    assert found["seat0.counts"] == [2, 0, 0, 0]
    assert found["seat1.misses"] == [1]
    assert found["active"] == [1, 0]
    assert found["dice"] == [3, 4, 2, 6, 1, 5]


def test_the_state_has_every_card() -> None:
    """The place of each card, by hand; the order of the pile below its top card does not matter."""
    game = qwixx.Game("cards-joker", 2, first=0)
    deck = [f"{color}{number}" for color in "rygbj" for number in range(2, 13)]
    game.set_roll(",".join(deck))  # red 2-5 to seat 0, red 6-9 to seat 1, red 10-12 and yellow 2 to the display (K2)
    found, _ = whole(game.position())
    assert found["cards"][:13] == [7] * 4 + [8] * 4 + [2, 3, 4, 5, 1]
    assert not any(found["cards"][13:])
    pile = game.position().split("pile=")[1].split()[0].split(",")
    turned = game.position().replace(",".join(pile), ",".join([pile[0], *pile[:0:-1]]))
    assert turned != game.position()
    assert whole(turned)[0] == found
    game.decide(0, "take:1")
    for seat in (0, 1):
        game.decide(seat, "pass")
    game.decide(0, "play:r2")
    found, _ = whole(game.position())
    assert found["cards"][0] == 6, "red 2 was played"
    assert found["cards"][8] == 7, "red 10 was taken from the display"
    assert found["cards"][12] == 2, "yellow 3 was on top of the pile and took its place"


def test_mistakes_get_sentences() -> None:
    """None is for agents that are done, and an unknown agent is named."""
    env = adapter.raw_env("classic")
    env.reset(seed=1)
    with pytest.raises(qwixx.QwixxError, match="None is only for agents that are done"):
        env.step(None)
    with pytest.raises(qwixx.QwixxError, match="There is no agent 'zz'; there are player_0, player_1"):
        env.observe("zz")
