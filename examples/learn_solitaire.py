"""
Learn to play solitaire Qwixx in about a minute on one core.

    python examples/learn_solitaire.py                      # learn, then compare with random, gap and perfect play
    python examples/learn_solitaire.py --picture curve.svg  # and draw the learning curve (needs matplotlib)

The player knows the rules and finds out by playing what a sheet is worth. Its estimate is a sum over the six pairs of
rows: each pair looks up a number by how far its rows have gone and how many crosses they have, and by the misses and
locks of the sheet. In every turn it tries each white sum together with each color sum and takes what leaves the best
sheet behind; then it moves the worth of the sheet it began the turn with toward the worth of the sheet it got. That is
all: temporal differences on afterstates, with a table. It starts out too hopeful about rows with room in them, and so
tries things out until it knows better.
"""

# ruff: noqa: T201 - a script that shows its results prints them

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from qwixx.kernel.jit import kernel
from qwixx.kernel.records import PASS, POSITIONS
from qwixx.kernel.results import RESULT
from qwixx.players import find
from qwixx.players.side_by_side import SideBySide
from qwixx.rl.batch import Env
from qwixx.rl.spaces import describe

Array = npt.NDArray[Any]

OPTIMUM = 115.48
"""The mean score of perfect play, which `qwixx.solve` computes exactly."""
CELLS, NEEDED, CLOSED = 11, 5, 11
"""Cells of a row, crosses that its last cell needs, and how far a closed row has gone."""
COUNTS_OF_A_ROW = 13
HOPE = 15.0
"""What an untouched table adds to every row."""
RATES = (0.05, 0.05, 0.05, 0.02, 0.02, 0.01, 0.01, 0.005, 0.002, 0.001)
"""How far each error moves the table, from the first tenth of the games to the last."""

SPACE = describe("classic", 1)
AT = {field.name: field.start for field in SPACE.fields}
NEXT, COUNTS, MISSES, DICE, WHITE, CROSSED = (
    AT[name] for name in ("own.next", "own.counts", "own.misses", "dice", "phase", "crossed")
)


# ---- the player


@kernel
def entry(reach: Array, count: Array, one: int, two: int) -> tuple[int, int]:
    """Name two rows for the table: how far they have gone and their crosses; the order of the rows does not matter."""
    first, second = reach[one] * COUNTS_OF_A_ROW + count[one], reach[two] * COUNTS_OF_A_ROW + count[two]
    return min(first, second), max(first, second)


@kernel
def worth(table: Array, reach: Array, count: Array, misses: int) -> float:
    """Estimate a sheet; a finished one is worth its score."""
    locks = 0
    for row in range(4):
        locks += reach[row] == CLOSED
    total = 0.0
    if locks >= 2 or misses >= 4:
        for row in range(4):
            total += count[row] * (count[row] + 1) // 2
        return total - 5 * misses
    for one in range(3):
        for two in range(one + 1, 4):
            first, second = entry(reach, count, one, two)
            total += table[misses, locks, first, second]
    return total


@kernel
def position(row: int, number: int) -> int:
    """Find a number in its row: red and yellow run up, green and blue down."""
    return number - 2 if row < 2 else 12 - number


@kernel
def fits(reach: Array, count: Array, row: int, at: int) -> bool:
    """Whether a cell can be crossed: right of every cross, and the last one with five before it."""
    return bool(at >= reach[row] and (at < CELLS - 1 or count[row] >= NEEDED))


@kernel
def best_color(table: Array, reach: Array, count: Array, misses: int, dice: Array, crossed: bool) -> tuple[float, int]:
    """Find the best color sum, or none, which is a miss if nothing was crossed before; give worth and action."""
    best, action = worth(table, reach, count, misses + (0 if crossed else 1)), PASS
    for row in range(4):
        old_reach, old_count = reach[row], count[row]
        for white in range(2):
            at = position(row, dice[white] + dice[2 + row])
            if old_reach < CLOSED and fits(reach, count, row, at):
                reach[row], count[row] = at + 1, old_count + (2 if at == CELLS - 1 else 1)
                value = worth(table, reach, count, misses)
                reach[row], count[row] = old_reach, old_count
                if value > best:
                    best, action = value, row * POSITIONS + at
    return best, action


@kernel
def best_white(table: Array, reach: Array, count: Array, misses: int, dice: Array) -> tuple[float, int]:
    """Find the best white sum, or none, looking ahead to the color sum that goes with it; give worth and action."""
    best, _ = best_color(table, reach, count, misses, dice, False)
    action = PASS
    for row in range(4):
        at = position(row, dice[0] + dice[1])
        if fits(reach, count, row, at):
            old_reach, old_count = reach[row], count[row]
            reach[row], count[row] = at + 1, old_count + (2 if at == CELLS - 1 else 1)
            if at == CELLS - 1 and (reach == CLOSED).sum() >= 2:
                value = worth(table, reach, count, misses)  # the second closed row ends the game at once
            else:
                value, _ = best_color(table, reach, count, misses, dice, True)
            reach[row], count[row] = old_reach, old_count
            if value > best:
                best, action = value, row * POSITIONS + at
    return best, action


@kernel
def decide(table: Array, seen: Array, actions: Array, rate: float) -> None:
    """Decide in every game; with a rate above 0, learn from every turn that begins."""
    for game in range(len(seen)):
        reach = seen[game, NEXT : NEXT + 4].astype(np.int64)
        count = seen[game, COUNTS : COUNTS + 4].astype(np.int64)
        dice = seen[game, DICE : DICE + 6].astype(np.int64)
        misses = int(seen[game, MISSES])
        if not seen[game, WHITE]:
            crossed = seen[game, CROSSED] == 1
            actions[game] = best_color(table, reach, count, misses, dice, crossed)[1]
            continue
        value, actions[game] = best_white(table, reach, count, misses, dice)
        if rate > 0.0:
            error = value - worth(table, reach, count, misses)
            locks = (reach == CLOSED).sum()
            for one in range(3):
                for two in range(one + 1, 4):
                    first, second = entry(reach, count, one, two)
                    table[misses, locks, first, second] += rate * error / 6


# ---- the lesson


def hopeful_table() -> Array:
    """Begin with the points of the crosses that are there, and some hope: a third of each row in each of its pairs."""
    points = np.array([n * (n + 1) / 2 for n in range(COUNTS_OF_A_ROW)])
    rows = np.tile(points + HOPE, CLOSED + 1) / 3
    return np.zeros((4, 2, 1, 1)) + rows[:, None] + rows


def play(env: Env, table: Array, steps: int, rate: float) -> Array:
    """Play on in all games for some steps, learning with a rate above 0; give the scores of the games that ended."""
    actions = np.full(env.n, PASS, np.int32)
    scores = [np.zeros(0, np.int32)]
    for _ in range(steps):
        decide(table, env.observations, actions, rate)
        env.step(actions)
        scores.append(env.scores[env.terminations, 0])
    return np.concatenate(scores)


def learn(steps: int, seed: int, lessons: int = 10) -> tuple[Array, Array, Array]:
    """Learn from 1024 games at a time; give the table, and by how many games had been played the mean scores."""
    env = Env("classic", n=1024, seats=1, seed=seed, rewards="score", masks=False)
    table = hopeful_table()
    played, means, total = [], [], 0
    for rate in RATES:
        began = time.process_time()
        for _ in range(lessons):
            scores = play(env, table, steps // (len(RATES) * lessons), rate)
            total += len(scores)
            played.append(total)
            means.append(scores.mean() if len(scores) else np.nan)
        spent = time.process_time() - began
        print(f"{total:>9,} games  rate {rate:<6} mean score {means[-1]:7.2f}  ({spent:.1f} s)")
    return table, np.array(played), np.array(means)


def first_games(env: Env, table: Array, games: int) -> Array:
    """Give the scores of the first games of a seed: those that end first are short, and alone would tell too little."""
    scores = np.zeros(games, np.int32)
    left, actions = games, np.full(env.n, PASS, np.int32)
    while left:
        numbers = env.games.copy()
        decide(table, env.observations, actions, 0.0)
        env.step(actions)
        ended = env.terminations & (numbers < games)
        scores[numbers[ended].astype(np.int64)] = env.scores[ended, 0]
        left -= int(ended.sum())
    return scores


def bot_scores(name: str, games: int, seed: int) -> Array:
    """Let a player of the house play solitaire."""
    results: Any = np.zeros(games, RESULT)
    SideBySide(SPACE.variant, [find(name)]).play(np.uint64(seed), 0, results)
    scores: Array = results["score"][:, 0]
    return scores


def draw(path: Path, played: Array, means: Array, others: dict[str, float]) -> None:
    """Draw the learning curve, with the other players as lines across it."""
    import matplotlib as mpl  # noqa: PLC0415 - nobody but this function needs it

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "qwixx"  # so that the same curve is the same file
    from matplotlib import pyplot as plt  # noqa: PLC0415 - as above

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(played / 1e6, means, color="#265cab", label="learning")
    for (name, score), color in zip(others.items(), ("#5f6069", "#f0b91b", "#25793f"), strict=True):
        axes.axhline(score, color=color, linewidth=1, linestyle="--", label=f"{name} {score:.1f}")
    axes.set(xlabel="games played, in millions", ylabel="mean score", title="Learning solitaire Qwixx")
    axes.legend(loc="lower right")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Learn, compare, draw."""
    parser = argparse.ArgumentParser(description="Learn to play solitaire Qwixx.")
    parser.add_argument("--steps", type=int, default=60_000, help="decisions in each of 1024 games at a time")
    parser.add_argument("--games", type=int, default=100_000, help="games to compare by")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--picture", type=Path, help="where to draw the learning curve, an .svg file")
    chosen = parser.parse_args()
    table, played, means = learn(chosen.steps, chosen.seed)
    env = Env("classic", n=1024, seats=1, seed=chosen.seed + 1, rewards="score", masks=False)
    found = {name: bot_scores(name, chosen.games, chosen.seed + 1) for name in ("random", "gap")}
    found["learned"] = first_games(env, table, chosen.games)
    print()
    for name, scores in found.items():
        error = scores.std() / len(scores) ** 0.5
        print(f"{name:>8} {scores.mean():8.2f}  +- {error:.2f}  ({len(scores):,} games)")
    print(f"{'optimum':>8} {OPTIMUM:8.2f}  exactly")
    if chosen.picture:
        others = {name: float(found[name].mean()) for name in ("random", "gap")}
        draw(chosen.picture, played, means, {**others, "optimum": OPTIMUM})


if __name__ == "__main__":
    main()
