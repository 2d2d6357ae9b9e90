"""The example `ppo.py`: its gradient, its advantages, and a short training."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from examples.ppo import Decisions, Learner, Network, Settings, estimate_advantages, train

pytestmark = pytest.mark.slow

SMALL = Settings(games=64, length=16, hidden=32, parts=2)


def test_the_gradient_is_that_of_the_loss() -> None:
    """A small change of any weight changes the loss as the gradient says."""
    rng = np.random.default_rng(3)
    network = Network(5, 4, 6, rng)
    doubles: list[Any] = [rng.normal(0, 0.7, each.shape) for each in network.weights]
    network.weights = doubles
    masks = np.array([[1, 1, 0, 1], [1, 1, 1, 1], [0, 1, 0, 1]], np.bool_)
    # The middle decision has become so likely since it was made that its gradient is cut.
    logs, values, _ = network.forward(rng.random((3, 5)).astype(np.float32), masks)
    inputs: Any = rng.random((3, 5))
    batch = Decisions(
        inputs,
        masks,
        np.array([0, 2, 3]),
        np.array([-1.2, -9.0, -0.8]),
        np.array([1.0, 2.0, -0.7]),
        np.array([0.3, -0.4, 1.1]),
    )
    assert logs.shape == (3, 4)
    assert values.shape == (3,)
    settings = replace(SMALL, entropy=0.3)
    _, gradient = network.loss(batch, settings)
    for weights, each in zip(network.weights, gradient, strict=True):
        for _ in range(6):
            at = tuple(int(rng.integers(size)) for size in weights.shape)
            before = weights[at]
            weights[at] = before + 1e-6
            above, _ = network.loss(batch, settings)
            weights[at] = before - 1e-6
            below, _ = network.loss(batch, settings)
            weights[at] = before
            assert each[at] == pytest.approx((above - below) / 2e-6, abs=1e-6)


def test_advantages_stop_at_the_end_of_a_game() -> None:
    """By hand: with lambda 1 an advantage is the rest of the rewards of the game, less the value."""
    rewards = np.array([[1.0], [2.0], [4.0]], np.float32)
    ended = np.array([[False], [True], [False]])
    values = np.array([[0.5], [0.25], [3.0]], np.float32)
    found = estimate_advantages(rewards, ended, values, np.array([10.0], np.float32), 1.0, 1.0)
    assert found[:, 0].tolist() == [1 + 2 - 0.5, 2 - 0.25, 4 + 10 - 3.0]
    one_step = estimate_advantages(rewards, ended, values, np.array([10.0], np.float32), 1.0, 0.0)
    assert one_step[:, 0].tolist() == [1 + 0.25 - 0.5, 2 - 0.25, 4 + 10 - 3.0]


def test_a_short_training_is_better_than_none(capsys: pytest.CaptureFixture[str]) -> None:
    """A few hundred steps of 64 games at a time bring it far above random play; the same seed learns the same."""
    untrained = Learner(SMALL).score(200)
    learner, curve = train(replace(SMALL, steps=320 * SMALL.games))
    assert learner.score(200) > untrained + 10
    assert curve[-1][0] == 320 * SMALL.games
    assert "mean score" in capsys.readouterr().out
    again, _ = train(replace(SMALL, steps=32 * SMALL.games))
    same, _ = train(replace(SMALL, steps=32 * SMALL.games))
    assert all((a == b).all() for a, b in zip(again.network.weights, same.network.weights, strict=True))


def test_it_learns_against_a_named_bot(capsys: pytest.CaptureFixture[str]) -> None:
    """With two seats the same code decides for seat 0 only, and every action is legal: the batch would raise."""
    learner, _ = train(replace(SMALL, seats=2, opponent="gap", steps=32 * SMALL.games))
    assert learner.env.asked.tolist() == [0] * SMALL.games
    assert np.isfinite(learner.score(50))
    assert capsys.readouterr().out
