"""
Proximal policy optimization with masked actions in one file, in the style of CleanRL; it needs NumPy only.

    python examples/ppo.py                                  # solitaire in classic, a few minutes on one core
    python examples/ppo.py --variant longo --steps 20000000
    python examples/ppo.py --seats 2 --opponent gap         # seat 0 against a named bot
    python examples/ppo.py --curve curve.json               # also write steps and scores as JSON

Many games advance by one compiled call (`qwixx.rl.batch.Env`). One network with two hidden layers has a policy over all
actions and the expected rest of the reward. Illegal actions get no probability. The gradient is written by hand; the
tests compare it with differences.

The learner sees the raw observation, each entry divided by its highest value, and no rule of the game. So it shows how
an unspecialized learner does; `learn_solitaire.py` shows what a learner can do that knows the rules.
"""

# ruff: noqa: T201 - a script that shows its results prints them

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from qwixx.rl.batch import Env

Floats = npt.NDArray[np.float32]
Array = npt.NDArray[Any]
EVALUATION = 1_000_003
"""The seed of the games that a policy is judged by; training never uses it."""
NOTHING = np.float32(-1e9)
"""The logit of an illegal action."""


@dataclass(frozen=True)
class Settings:
    """The settings of a training; all can be given on the command line."""

    variant: str = "classic"
    seats: int = 1
    opponent: str = "gap"
    seed: int = 1
    steps: int = 10_000_000
    """Decisions, of all games together."""
    games: int = 512
    """Games that are played at the same time."""
    length: int = 64
    """Decisions of each game between two updates."""
    epochs: int = 3
    parts: int = 8
    """Parts that the decisions are cut into for the steps of the optimizer."""
    hidden: int = 128
    rate: float = 1e-3
    """The step size of Adam; it falls to a tenth of this."""
    discount: float = 1.0
    smoothing: float = 0.95
    """The lambda of generalized advantage estimation."""
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    """The weight of the value in the loss."""
    most_norm: float = 0.5
    """Longer gradients are cut to this length."""


class Decisions(NamedTuple):
    """Decisions to learn from, one per row."""

    inputs: Floats
    masks: Array
    actions: Array
    log_chances: Floats
    advantages: Floats
    returns: Floats


class Network:
    """Two hidden layers with ReLU; the policy and the value share them."""

    def __init__(self, inputs: int, actions: int, hidden: int, rng: np.random.Generator) -> None:
        """Draw the weights; the policy starts almost uniform, the value at zero."""
        sizes = ((inputs, hidden, 2.0), (hidden, hidden, 2.0), (hidden, actions, 1e-4), (hidden, 1, 1e-4))
        self.weights: list[Floats] = []
        for before, after, gain in sizes:
            self.weights.append(rng.normal(0, (gain / before) ** 0.5, (before, after)).astype(np.float32))
            self.weights.append(np.zeros(after, np.float32))
        self._moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self._updates = 0

    def forward(self, inputs: Floats, masks: Array) -> tuple[Floats, Floats, tuple[Floats, Floats]]:
        """Return the logarithm of each action's probability, the values, and the hidden layers."""
        w1, b1, w2, b2, w3, b3, w4, b4 = self.weights
        first = np.maximum(inputs @ w1 + b1, 0)
        second = np.maximum(first @ w2 + b2, 0)
        logits = np.where(masks, second @ w3 + b3, NOTHING)
        logits -= logits.max(axis=1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return logits, (second @ w4 + b4)[:, 0], (first, second)

    def loss(self, batch: Decisions, settings: Settings) -> tuple[float, list[Floats]]:
        """Return the loss of PPO and its gradient."""
        count = np.float32(len(batch.actions))
        logs, values, (first, second) = self.forward(batch.inputs, batch.masks)
        rows = np.arange(len(batch.actions))
        chances = np.exp(logs)
        ratio = np.exp(logs[rows, batch.actions] - batch.log_chances)
        plain = ratio * batch.advantages
        cut = np.clip(ratio, 1 - settings.clip, 1 + settings.clip) * batch.advantages
        entropies = -(chances * np.where(batch.masks, logs, 0)).sum(axis=1)
        errors = values - batch.returns
        loss = -np.minimum(plain, cut).mean() - settings.entropy * entropies.mean()
        loss += settings.value * (errors**2).mean()

        # Backward. The policy's part is zero where the clipped ratio is the smaller one.
        weight = np.where(plain <= cut, -plain, 0) / count
        to_logits = -chances * weight[:, None]
        to_logits[rows, batch.actions] += weight
        to_logits += settings.entropy / count * chances * (np.where(batch.masks, logs, 0) + entropies[:, None])
        to_values = (2 * settings.value / count * errors)[:, None]
        to_second = (to_logits @ self.weights[4].T + to_values @ self.weights[6].T) * (second > 0)
        to_first = (to_second @ self.weights[2].T) * (first > 0)
        gradient = []
        for before, after in ((batch.inputs, to_first), (first, to_second), (second, to_logits), (second, to_values)):
            gradient += [before.T @ after, after.sum(axis=0)]
        return float(loss), gradient

    def update(self, gradient: list[Floats], rate: float, most_norm: float) -> None:
        """Take one step of Adam, with the gradient cut to a length."""
        self._updates += 1
        norm = float(np.sqrt(sum(float((each**2).sum()) for each in gradient)))
        scale = min(1.0, most_norm / (norm + 1e-8))
        for index, (each, (mean, square)) in enumerate(zip(gradient, self._moments, strict=True)):
            np.add(0.9 * mean, 0.1 * scale * each, out=mean)
            np.add(0.999 * square, 0.001 * (scale * each) ** 2, out=square)
            step = (mean / (1 - 0.9**self._updates)) / (np.sqrt(square / (1 - 0.999**self._updates)) + 1e-5)
            self.weights[index] -= np.float32(rate) * step


def make_env(settings: Settings, n: int, seed: int) -> Env:
    """Begin games in which only seat 0 is asked: alone, or against named bots. They pay the gain of each step."""
    others = dict.fromkeys(range(1, settings.seats), settings.opponent)
    return Env(settings.variant, n, settings.seats, seed, rewards="gain", opponents=others or None)


def draw(logs: Floats, rng: np.random.Generator) -> Array:
    """Draw an action from each row of log probabilities."""
    return np.asarray((logs + rng.gumbel(size=logs.shape)).argmax(axis=1))


class Learner:
    """A network and the games that it learns from."""

    def __init__(self, settings: Settings) -> None:
        """Begin the games."""
        self.settings = settings
        self.rng = np.random.default_rng(settings.seed)
        self.env = make_env(settings, settings.games, settings.seed)
        space = self.env.space
        self.scale = 1 / np.maximum(space.high(), 1).astype(np.float32)
        self.network = Network(space.size, space.actions, settings.hidden, self.rng)
        self.points = 10.0
        """One unit of the value, in points, so that values and gradients are around 1."""

    def inputs(self, env: Env) -> Floats:
        """Return what the network sees."""
        return np.asarray(env.observations * self.scale, np.float32)

    def collect(self) -> tuple[Decisions, Array]:
        """Play; return the decisions with their advantages, and the scores of the games that ended."""
        env, settings = self.env, self.settings
        shape = (settings.length, settings.games)
        seen = np.zeros((*shape, env.space.size), np.float32)
        masks = np.zeros((*shape, env.space.actions), np.bool_)
        actions = np.zeros(shape, np.int64)
        logs, values, rewards = (np.zeros(shape, np.float32) for _ in range(3))
        ended = np.zeros(shape, np.bool_)
        scores = []
        for at in range(settings.length):
            seen[at], masks[at] = self.inputs(env), env.masks
            chances, values[at], _ = self.network.forward(seen[at], masks[at])
            actions[at] = draw(chances, self.rng)
            logs[at] = chances[np.arange(settings.games), actions[at]]
            env.step(actions[at])
            rewards[at], ended[at] = env.rewards[:, 0] / self.points, env.terminations
            scores.append(env.scores[env.terminations, 0].copy())
        _, last, _ = self.network.forward(self.inputs(env), env.masks.astype(np.bool_))
        advantages = estimate_advantages(rewards, ended, values, last, settings.discount, settings.smoothing)
        whole: tuple[Array, ...] = (seen, masks, actions, logs, advantages, advantages + values)
        return Decisions(*(each.reshape(-1, *each.shape[2:]) for each in whole)), np.concatenate(scores)

    def learn(self, decisions: Decisions, rate: float) -> None:
        """Update the network some times with the same decisions."""
        count = len(decisions.actions)
        for _ in range(self.settings.epochs):
            for part in np.array_split(self.rng.permutation(count), self.settings.parts):
                batch = Decisions(*(each[part] for each in decisions))
                spread = batch.advantages.std() + 1e-8
                batch = batch._replace(advantages=(batch.advantages - batch.advantages.mean()) / spread)
                self.network.update(self.network.loss(batch, self.settings)[1], rate, self.settings.most_norm)

    def score(self, games: int) -> float:
        """Return the mean score of the most probable actions in the first games of the evaluation seed."""
        env = make_env(self.settings, min(games, 512), EVALUATION)
        scores, left = np.zeros(games), games
        while left:
            numbers = env.games.astype(np.int64)
            logs, _, _ = self.network.forward(self.inputs(env), env.masks.astype(np.bool_))
            env.step(logs.argmax(axis=1))
            done = env.terminations & (numbers < games)
            scores[numbers[done]] = env.scores[done, 0]
            left -= int(done.sum())
        return float(scores.mean())


def estimate_advantages(
    rewards: Floats, ended: Array, values: Floats, last: Floats, discount: float, smoothing: float
) -> Floats:
    """Return the advantages by generalized advantage estimation; `last` are the values after the last decision."""
    found = np.zeros_like(rewards)
    following, carried = last, np.zeros_like(last)
    for at in range(len(rewards) - 1, -1, -1):
        alive = np.where(ended[at], 0, discount).astype(np.float32)
        surprise = rewards[at] + alive * following - values[at]
        carried = surprise + alive * smoothing * carried
        found[at], following = carried, values[at]
    return found


def train(settings: Settings, show: int = 20) -> tuple[Learner, list[tuple[int, float]]]:
    """Train; return the learner, and the mean score of the games that ended, by the number of decisions."""
    learner = Learner(settings)
    rounds = max(1, settings.steps // (settings.games * settings.length))
    curve: list[tuple[int, float]] = []
    started, recent = time.process_time(), []
    for number in range(1, rounds + 1):
        decisions, scores = learner.collect()
        learner.learn(decisions, settings.rate * (1 - 0.9 * (number - 1) / rounds))
        recent.append(scores)
        if number % max(1, rounds // show) == 0 or number == rounds:
            ended = np.concatenate(recent)
            mean, recent = float(ended.mean()) if len(ended) else float("nan"), []
            curve.append((number * settings.games * settings.length, mean))
            print(f"{curve[-1][0]:>11,} decisions  mean score {mean:7.2f}  ({time.process_time() - started:.0f} CPU s)")
    return learner, curve


def main() -> None:
    """Train, evaluate, and write the curve."""
    parser = argparse.ArgumentParser(description="Learn a game of the Qwixx family by masked PPO.")
    for name, default in vars(Settings()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    parser.add_argument("--evaluate", type=int, default=10_000, metavar="N", help="games of the evaluation")
    parser.add_argument("--curve", type=Path, metavar="FILE", help="write steps and mean scores as JSON")
    chosen = vars(parser.parse_args())
    games, path = chosen.pop("evaluate"), chosen.pop("curve")
    learner, curve = train(Settings(**chosen))
    print(f"most probable actions, {games:,} games of seed {EVALUATION}: {learner.score(games):.2f} points")
    if path:
        path.write_text(json.dumps({"settings": chosen, "curve": curve}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
