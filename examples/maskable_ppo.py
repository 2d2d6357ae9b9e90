"""
Learn with MaskablePPO of sb3-contrib, alone or against named bots.

    pip install 'qwixx[rl]' sb3-contrib                     # and PyTorch, which is large
    python examples/maskable_ppo.py                         # solitaire in classic
    python examples/maskable_ppo.py --id qwixx/CardsAgainst-v1 --opponents strong --steps 2000000

The environments know `action_masks()`, so MaskablePPO needs no wrapper for the masks. Observations are raw numbers; a
wrapper divides each entry by its highest value. Solitaire pays the gain of every step, games against bots the margin.
"""

# ruff: noqa: T201 - a script that shows its results prints them

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.wrappers import TransformObservation

import qwixx.rl.gymnasium  # noqa: F401 - registers the ids

try:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.monitor import Monitor
except ImportError:
    raise SystemExit("This example needs sb3-contrib, which brings PyTorch: pip install sb3-contrib") from None

EVALUATION = 1_000_003
"""The seed of the games that a policy is judged by; training never uses it."""


def make(name: str, opponents: str) -> gymnasium.Env[Any, Any]:
    """Make an environment whose observations lie between 0 and 1."""
    options: dict[str, Any] = {"opponents": opponents} if "Against" in name else {"rewards": "gain"}
    made: gymnasium.Env[Any, Any] = gymnasium.make(name, **options)
    seen = made.observation_space
    assert isinstance(seen, gymnasium.spaces.Box)
    scale = 1 / np.maximum(seen.high, 1).astype(np.float32)
    space = gymnasium.spaces.Box(0, 1, seen.shape, np.float32)
    env: gymnasium.Env[Any, Any] = Monitor(TransformObservation(made, lambda raw: raw * scale, space))
    return env


def evaluate(model: Any, env: gymnasium.Env[Any, Any], games: int) -> float:
    """Return the mean return of the most probable actions, in games of the evaluation seed."""
    total = 0.0
    observation, info = env.reset(seed=EVALUATION)
    for _ in range(games):
        ended = False
        while not ended:
            action, _ = model.predict(observation, action_masks=info["action_mask"], deterministic=True)
            observation, reward, ended, _, info = env.step(action)  # a 0-d array
            total += float(reward)
        observation, info = env.reset()
    return total / games


def train(name: str, opponents: str, steps: int, seed: int, length: int = 2048) -> tuple[Any, gymnasium.Env[Any, Any]]:
    """Train; return the model and its environment."""
    env = make(name, opponents)
    layers = {"net_arch": [128, 128]}
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=length, batch_size=min(256, length), gamma=1.0, seed=seed, policy_kwargs=layers
    )
    model.learn(steps)
    return model, env


def main() -> None:
    """Train, evaluate, and save the model."""
    parser = argparse.ArgumentParser(description="Learn a game of the Qwixx family with MaskablePPO.")
    parser.add_argument("--id", default="qwixx/Classic-v0", help="environment; docs/environments.md lists all")
    parser.add_argument("--opponents", default="normal", help="the bot on all other seats, for ids with Against")
    parser.add_argument("--steps", type=int, default=300_000, help="decisions to learn from")
    parser.add_argument("--length", type=int, default=2048, help="decisions between two updates")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=500, help="games of the evaluation")
    parser.add_argument("--save", type=Path, metavar="FILE", help="save the model here")
    chosen = parser.parse_args()
    model, env = train(chosen.id, chosen.opponents, chosen.steps, chosen.seed, chosen.length)
    print(f"{chosen.games} games of seed {EVALUATION}: mean return {evaluate(model, env, chosen.games):.2f}")
    if chosen.save:
        model.save(chosen.save)


if __name__ == "__main__":
    main()
