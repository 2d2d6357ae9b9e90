"""Many games together: the same games as one by one, paid and restarted in the same step."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import qwixx
from qwixx.rl.batch import Env
from qwixx.rl.spaces import describe
from support.games.rl_reference import EVERY, PAIRS, Agent, kernel_scores, legal_of

pytestmark = pytest.mark.slow

Pair = tuple[str, int]


def play_ranked(env: Env, games: int, seed: int) -> dict[int, tuple[int, ...]]:
    """Let random agents play the first games of a batch; return the scores by game."""
    agents: dict[int, Agent] = {}
    scores: dict[int, tuple[int, ...]] = {}
    while len(scores) < games:
        numbers = [int(game) for game in env.games]
        ranks = np.zeros(env.n, np.int32)
        for slot, game in enumerate(numbers):
            agent = agents.setdefault(game, Agent(seed, game))
            ranks[slot] = agent.rank(int(env.masks[slot].sum()))
        env.step_ranked(ranks)
        for ended in np.flatnonzero(env.terminations):
            if numbers[ended] < games:
                scores[numbers[ended]] = tuple(int(score) for score in env.scores[ended])
    return scores


@pytest.mark.parametrize("pair", EVERY, ids=str)
def test_a_batch_plays_the_kernels_games(pair: Pair) -> None:
    """The same player on the same seed ends every game of a batch with the scores of the kernel's own loop."""
    variant, seats = pair
    space = describe(variant, seats)
    found = play_ranked(Env(variant, n=4, seats=seats, seed=21), games=6, seed=21)
    assert found == {game: kernel_scores(space, 21, game) for game in range(6)}


@pytest.mark.parametrize("n", [1, 3, 8])
def test_games_do_not_depend_on_the_size_of_the_batch(n: int) -> None:
    """Game 5 of a seed is the same game in a batch of any size."""
    found = play_ranked(Env("classic", n=n, seats=2, seed=4), games=8, seed=4)
    assert found == play_ranked(Env("classic", n=2, seats=2, seed=4), games=8, seed=4)


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_actions_and_ranks_are_equivalent(pair: Pair) -> None:
    """Giving an action, or its index in the list of legal ones, leads to the same arrays."""
    one, two = (Env(*_named(pair), n=5, seed=9) for _ in range(2))
    for step in range(60):
        legal = [legal_of(mask) for mask in one.masks]
        ranks = np.array([(step * 7 + slot) % len(actions) for slot, actions in enumerate(legal)])
        two.step_ranked(ranks)
        one.step(np.array([actions[rank] for actions, rank in zip(legal, ranks, strict=True)]))
        for name in ("observations", "masks", "rewards", "terminations", "asked", "scores", "games"):
            assert getattr(one, name).tolist() == getattr(two, name).tolist()


def _named(pair: Pair) -> tuple[str]:
    return (pair[0],)


@pytest.mark.parametrize(("seats", "rewards"), [(s, r) for s in (2, 3, 5) for r in ("margin", "win", "score")])
def test_final_rewards_follow_from_the_scores(seats: int, rewards: str) -> None:
    """Margin, win and score pay what docs/environments.md says, once, when a game ends."""
    env = Env("classic", n=16, seats=seats, seed=2, rewards=rewards)
    ranks = np.random.default_rng(5)
    ended = 0
    for _ in range(600):
        env.step_ranked(ranks.integers(0, 1 << 30, env.n))
        assert not env.rewards[~env.terminations].any()
        for slot in np.flatnonzero(env.terminations):
            scores, paid = env.scores[slot].astype(float), env.rewards[slot]
            ended += 1
            if rewards == "score":
                assert paid.tolist() == scores.tolist()
                continue
            assert abs(float(paid.sum())) < 1e-3
            if rewards == "margin":
                others = (scores.sum() - scores) / (seats - 1)
                assert np.allclose(paid, scores - others, atol=1e-3)
            else:
                winners = scores == scores.max()
                assert np.allclose(paid[winners], (seats / winners.sum() - 1) / (seats - 1))
                assert np.allclose(paid[~winners], -1 / (seats - 1))
    assert ended > 16


def test_gains_sum_to_the_score() -> None:
    """Rewards by gain are paid on the way and sum to the final score."""
    env = Env("bonus-b", n=8, seats=3, seed=3, rewards="gain")
    ranks = np.random.default_rng(6)
    total = np.zeros((8, 3))
    ended = on_the_way = 0
    for _ in range(400):
        env.step_ranked(ranks.integers(0, 1 << 30, env.n))
        total += env.rewards
        on_the_way += int(env.rewards[~env.terminations].any())
        for slot in np.flatnonzero(env.terminations):
            assert total[slot].tolist() == env.scores[slot].tolist()
            total[slot] = 0
            ended += 1
    assert ended > 8
    assert on_the_way > 100


def test_a_reset_starts_the_same_games_again() -> None:
    """A reset without a seed starts the same games again, with a seed it starts others."""
    env = Env("longo", n=6, seed=1)
    first = env.observations.copy()
    for _ in range(50):
        env.step_ranked(np.zeros(6, np.int64))
    assert env.reset().tolist() == first.tolist()
    assert env.reset(seed=2).tolist() != first.tolist()


def test_arrays_are_made_once() -> None:
    """A step writes into the same arrays; a caller has to copy them to keep them."""
    env = Env("classic", n=3, seed=1)
    before = env.observations, env.masks, env.rewards, env.terminations
    after = env.step(env.masks.argmax(axis=1))
    assert after[0] is before[0]
    assert after[1] is before[2]
    assert after[2] is before[3]
    assert env.masks is before[1]


def test_observations_and_masks_can_be_left_out() -> None:
    """Without them the games are the same, and the arrays have no columns."""
    bare, full = Env("classic", n=4, seed=8, observations=False, masks=False), Env("classic", n=4, seed=8)
    assert bare.observations.shape == bare.masks.shape == (4, 0)
    for step in range(80):
        for env in (bare, full):
            env.step_ranked(np.full(4, step))
    assert bare.states.tobytes() == full.states.tobytes()


@pytest.mark.parametrize("masks", [True, False])
def test_an_illegal_action_changes_nothing(masks: bool) -> None:
    """One illegal action refuses the whole step with a sentence, before any game has changed."""
    env = Env("classic", n=4, seed=8, masks=masks)
    before = env.states.tobytes()
    with pytest.raises(qwixx.IllegalAction, match=r"Game 2: action 10 is illegal: .*\(C[37]\)"):
        env.step(np.array([60, 60, 10, 60]))
    with pytest.raises(ValueError, match="Game 1: 61 is no action; there are 0 to 60"):
        env.step(np.array([60, 61, 60, 60]))
    assert env.states.tobytes() == before
    env.step(np.full(4, 60))
    assert env.states.tobytes() != before


def test_an_illegal_action_can_be_a_pass() -> None:
    """With this option, an illegal action counts as a pass and is marked."""
    strict, lenient = Env("classic", n=3, seed=8), Env("classic", n=3, seed=8, illegal="pass")
    strict.step(np.full(3, 60))
    lenient.step(np.array([60, 10, 60]))
    assert lenient.illegal.tolist() == [False, True, False]
    assert lenient.observations.tolist() == strict.observations.tolist()


def test_bad_arguments_are_refused_with_a_sentence() -> None:
    """Invalid sizes, seeds, shapes and words are ValueErrors with a clear text."""
    with pytest.raises(ValueError, match="at least one game, not 0"):
        Env("classic", n=0)
    with pytest.raises(ValueError, match=r"from 0 to 2\*\*64 - 1"):
        Env("classic", n=1, seed=-1)
    with pytest.raises(ValueError, match="not always a pass"):
        Env("cards", n=1, illegal="pass")
    with pytest.raises(ValueError, match="'raise' or be taken as a 'pass', not 'ignore'"):
        Env("classic", n=1, illegal="ignore")  # type: ignore[arg-type]  # the point of the test
    env = Env("classic", n=2)
    with pytest.raises(ValueError, match=r"Actions are 2 whole numbers, one per game, not int64 of shape \(3,\)"):
        env.step(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="not float64"):
        env.step(np.zeros(2))  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(ValueError, match="from 0 on"):
        env.step_ranked(np.array([0, -1]))


def test_slots_count_through_the_games_of_a_seed() -> None:
    """Slot i of n plays the games i, i + n, i + 2n and so on."""
    env = Env("classic", n=3, seed=1)
    seen: list[set[int]] = [set(), set(), set()]
    for _ in range(300):
        env.step_ranked(np.zeros(3, np.int64))
        for slot, game in enumerate(env.games):
            seen[slot].add(int(game))
    for slot, games in enumerate(seen):
        assert min(games) == slot
        assert all(later - earlier == 3 for earlier, later in pairwise(sorted(games)))
        assert len(games) > 1


def test_a_batch_has_a_limit() -> None:
    """A number of games that no memory holds is refused before anything is allocated."""
    with pytest.raises(qwixx.QwixxError, match="at most 10,000,000 games, not 1,000,000,000,000"):
        Env("classic", n=10**12)
