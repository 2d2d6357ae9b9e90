"""Solitaire for Gymnasium: its own checker, its ways to make environments, and the kernel's scores."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import qwixx
import qwixx.rl.gymnasium as adapter
from qwixx.kernel.state.records import PASS
from qwixx.rl.spaces import describe
from support.games.rl_reference import Agent, kernel_scores, kernel_seed, legal_of

pytestmark = pytest.mark.slow

IDS = adapter.ids()


def test_the_six_dice_games_are_registered() -> None:
    """Every dice game except the duel has an id."""
    assert IDS == {
        "qwixx/Classic-v0": "classic",
        "qwixx/GemixxtA-v0": "gemixxt-a",
        "qwixx/GemixxtB-v0": "gemixxt-b",
        "qwixx/BonusA-v0": "bonus-a",
        "qwixx/BonusB-v0": "bonus-b",
        "qwixx/Longo-v0": "longo",
    }


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("rewards", ["score", "gain"])
def test_gymnasiums_checker_passes(name: str, rewards: str) -> None:
    """`check_env` passes without a warning: spaces, seeding, determinism, fresh arrays, every render mode."""
    check_env(gymnasium.make(name, rewards=rewards).unwrapped)


def play(env: gymnasium.Env[Any, Any], agent: Agent, seed: int | None) -> float:
    """Play a game with a random agent; return the sum of its rewards."""
    _, info = env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        _, reward, over, truncated, info = env.step(agent.pick(legal_of(info["action_mask"])))
        assert not truncated
        assert not info["illegal"]
        total += float(reward)
    return total


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("rewards", ["score", "gain"])
def test_games_end_with_the_kernels_scores(name: str, rewards: str) -> None:
    """A random agent gets the same scores here as in the kernel's own loop on the same seeds."""
    env = gymnasium.make(name, rewards=rewards)
    space = describe(IDS[name], 1)
    generator = np.random.default_rng(33)
    for game in range(5):
        seed = kernel_seed(generator)
        assert (play(env, Agent(seed), 33 if game == 0 else None),) == kernel_scores(space, seed)


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("rewards", ["score", "gain"])
def test_many_games_end_with_the_kernels_scores(name: str, rewards: str) -> None:
    """The vectorised environment plays the games of its seed too, and pays their scores."""
    envs = gymnasium.make_vec(name, num_envs=4, rewards=rewards)
    assert isinstance(envs.unwrapped, adapter.SolitaireVectorEnv)
    seed = kernel_seed(np.random.default_rng(34))
    _, info = envs.reset(seed=34)
    agents = [Agent(seed, game) for game in range(4)]
    totals, scores = np.zeros(4), dict[int, float]()
    while len(scores) < 4:
        actions = [agent.pick(legal_of(mask)) for agent, mask in zip(agents, info["action_mask"], strict=True)]
        seen, rewards_paid, terminations, truncations, info = envs.step(np.array(actions))
        assert seen in envs.observation_space
        assert not truncations.any()
        totals += rewards_paid
        for slot in np.flatnonzero(terminations):
            assert info["final_obs"][slot] in envs.single_observation_space
            assert info["final_obs"][slot].tolist() != seen[slot].tolist()
            scores.setdefault(int(slot), float(totals[slot]))
            assert int(slot) in scores
            totals[slot] = 0
    space = describe(IDS[name], 1)
    assert [(scores[game],) for game in range(4)] == [kernel_scores(space, seed, game) for game in range(4)]


def test_other_ways_to_vectorise_work_too() -> None:
    """Gymnasium's own synchronous vectorisation accepts the registered environment."""
    envs = gymnasium.make_vec("qwixx/Classic-v0", num_envs=2, vectorization_mode="sync")
    envs.reset(seed=1)
    for _ in range(5):
        seen, *_ = envs.step(np.array([PASS, PASS]))
    assert seen in envs.observation_space


def test_vectorised_arrays_are_fresh() -> None:
    """The arrays that a vector step returns belong to the caller."""
    envs = gymnasium.make_vec("qwixx/Classic-v0", num_envs=3)
    first, info = envs.reset(seed=1)
    kept, mask = first.copy(), info["action_mask"].copy()
    for _ in range(10):
        envs.step(info["action_mask"].argmax(axis=1) * 0 + PASS)
    assert first.tolist() == kept.tolist()
    assert info["action_mask"].tolist() == mask.tolist()


def test_an_illegal_action_counts_as_a_pass() -> None:
    """Agents that ignore the mask can finish a game too, and `info` reports it."""
    legal, illegal = (gymnasium.make("qwixx/Classic-v0") for _ in range(2))
    legal.reset(seed=1)
    illegal.reset(seed=1)
    one, two = legal.step(PASS), illegal.step(10)
    assert one[0].tolist() == two[0].tolist()
    assert (one[4]["illegal"], two[4]["illegal"]) == (False, True)
    for _ in range(200):
        if illegal.step(10)[2]:
            break
    else:
        pytest.fail("passing must end the game by misses")


def test_masks_under_the_name_that_learners_use() -> None:
    """`action_masks` gives the mask as booleans."""
    env = gymnasium.make("qwixx/Classic-v0")
    _, info = env.reset(seed=3)
    masks = env.unwrapped.action_masks()  # type: ignore[attr-defined]  # not a method of every environment
    assert masks.dtype == np.bool_
    assert masks.tolist() == info["action_mask"].astype(bool).tolist()


def test_bad_arguments_are_refused_with_a_sentence() -> None:
    """Games without solitaire, unknown rewards and modes, and invalid action numbers raise a clear error."""
    with pytest.raises(ValueError, match="duel is played with 2 seats, not 1"):
        adapter.SolitaireEnv("duel")
    with pytest.raises(ValueError, match="There is no game 'chess'"):
        adapter.SolitaireEnv("chess")
    with pytest.raises(ValueError, match="There are no rewards 'win'; there are score, gain"):
        gymnasium.make("qwixx/Classic-v0", rewards="win")
    with pytest.raises(ValueError, match="There is no render mode 'hologram'"):
        adapter.SolitaireEnv(render_mode="hologram")
    with pytest.raises(ValueError, match="make one game"):
        gymnasium.make_vec("qwixx/Classic-v0", num_envs=2, render_mode="ansi")
    env = adapter.SolitaireEnv()
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) first"):
        env.step(PASS)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="61 is no action"):
        env.step(61)


def test_render_modes_draw() -> None:
    """Text, SVG and a picture; without a mode, a warning and nothing."""
    env = adapter.SolitaireEnv(render_mode="svg")
    env.reset(seed=1)
    assert env.render().startswith("<svg")
    env.render_mode = "rgb_array"
    assert env.render().shape[2] == 3
    env.render_mode = "ansi"
    assert "misses" in env.render()
    env.render_mode = None
    with pytest.warns(UserWarning, match="Name a render_mode"):
        assert env.render() is None


def test_errors_are_also_errors_of_the_package() -> None:
    """An error is a ValueError for Gymnasium and a QwixxError for other callers."""
    with pytest.raises(qwixx.QwixxError):
        adapter.SolitaireEnv("chess")


def test_an_array_of_one_number_is_an_action() -> None:
    """Everything that the action space contains is accepted, also what a policy returns for one observation."""
    ends = []
    for action in (PASS, np.int64(PASS), np.array(PASS), np.array(PASS, np.uint8)):
        env = adapter.SolitaireEnv()
        env.reset(seed=1)
        assert env.action_space.contains(action) or type(action) is int
        ends.append(env.step(action)[0].tolist())
    assert ends == [ends[0]] * 4
    for nonsense in (True, 1.0, np.array(1.0), np.array([1]), "1", None):
        with pytest.raises(ValueError, match="is a whole number, not"):
            env.step(nonsense)  # type: ignore[arg-type]
