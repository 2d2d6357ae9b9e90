"""The parallel form of the window for PettingZoo, and the versioned names."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

import qwixx.rl.gymnasium
from qwixx.errors import QwixxError
from qwixx.rl import qwixx_v0, qwixx_v1
from qwixx.rl.parallel import WindowEnv, parallel_env
from support.games.rl_reference import with_masks

pytestmark = pytest.mark.slow


@with_masks
@pytest.mark.parametrize(
    ("variant", "seats"), [("classic", 3), ("longo", 2), ("bonus-b", 2), ("cards", 3), ("duel", 2)]
)
def test_pettingzoos_parallel_test_passes(variant: str, seats: int) -> None:
    """`parallel_api_test` plays whole games."""
    parallel_api_test(parallel_env(variant, seats), num_cycles=200)


def played(env: WindowEnv, seed: int) -> tuple[dict[str, int], int, dict[str, float]]:
    """Play a game where every seat takes its first legal action; return scores, steps and rewards."""
    seen, _ = env.reset(seed=seed)
    paid, steps = dict.fromkeys(env.agents, 0.0), 0
    while env.agents:
        seen, rewards, _, _, infos = env.step({a: int(o["action_mask"].argmax()) for a, o in seen.items()})
        paid = {agent: paid[agent] + rewards[agent] for agent in paid}
        steps += 1
    return {agent: info["score"] for agent, info in infos.items()}, steps, paid


@pytest.mark.parametrize("rewards", ["margin", "gain"])
def test_a_parallel_game_is_the_game_of_the_other_form(rewards: str) -> None:
    """The same first actions on the same seed give the same scores and rewards, in fewer steps."""
    scores, steps, paid = played(parallel_env("classic", 3, rewards=rewards), 7)
    env = qwixx_v0.raw_env("classic", 3, rewards=rewards)
    env.reset(seed=7)
    totals, asked = dict.fromkeys(env.possible_agents, 0.0), 0
    for agent in env.agent_iter():
        seen, reward, ended, _, info = env.last()
        totals[agent] += reward
        if ended:
            assert info["score"] == scores[agent]
        else:
            asked += 1
        env.step(None if ended else int(seen["action_mask"].argmax()))
    assert totals == pytest.approx(paid)
    assert asked == 2 * steps, "three seats decide on white, one on color: four decisions in two windows"


def test_all_seats_see_their_legal_actions_before_any_has_decided() -> None:
    """In the white window each seat has a mask; in the color window only the active one."""
    env = parallel_env("classic", 2)
    seen, _ = env.reset(seed=1, options={"position": "classic active=0 phase=white roll=11/1111 | - | -"})
    assert all(o["action_mask"][0] and o["action_mask"][60] for o in seen.values()), "r2 or pass, for both"
    seen, *_ = env.step({"player_0": 0, "player_1": 60})
    assert [bool(o["action_mask"].any()) for o in seen.values()] == [True, False]


def test_illegal_and_missing_actions_change_nothing() -> None:
    """An illegal action of the second seat is refused before the first one has decided."""
    env = parallel_env("classic", 2)
    env.reset(seed=1, options={"position": "classic active=0 phase=white roll=11/1111 | - | -"})
    before = env.state().tolist()
    for wrong in ({"player_0": 0, "player_1": 1}, {"player_0": 0, "player_1": 99}, {"player_0": 0}):
        with pytest.raises(QwixxError):
            env.step(wrong)
        assert env.state().tolist() == before


def test_versions_hold_their_own_games() -> None:
    """The card games are version 1; a game of another version is refused with the right name."""
    assert qwixx_v0.env("classic").metadata["name"] == "qwixx_v0"
    assert qwixx_v1.parallel_env("cards", 3).metadata["name"] == "qwixx_v1"
    with pytest.raises(QwixxError, match="qwixx_v1"):
        qwixx_v0.raw_env("cards")


def test_gymnasium_takes_arrays_without_dimensions() -> None:
    """Learners give such actions for a single observation; the space accepts them, so a step does too."""
    env = gymnasium.make(qwixx.rl.gymnasium.__name__ + ":qwixx/Classic-v0")
    env.reset(seed=1)
    action = np.array(60)
    assert env.action_space.contains(action)
    env.step(action)
