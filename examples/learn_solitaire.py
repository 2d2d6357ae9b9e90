"""
Learn to play solitaire Qwixx in about a minute on one core.

    python examples/learn_solitaire.py                      # learn, then compare with random, gap and perfect play
    python examples/learn_solitaire.py --picture curve.svg  # and draw the learning curve (needs matplotlib)

The learner knows the rules, and learns the value of a sheet by playing. Its estimate is a sum over the six pairs of
rows: each pair looks up a number by the last cross and the number of crosses of its rows, and by the misses and locks
of the sheet. In every turn it tries each white sum together with each color sum, and chooses the best resulting sheet.
Then it moves the value of the sheet before the turn toward the value of the sheet after it: temporal differences on
afterstates, with a table. The first estimates are too high for rows with free cells, so the learner explores.
"""

# ruff: noqa: T201 - a script that shows its results prints them

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import qwixx
from qwixx.jit.decorators import eager_entry, kernel
from qwixx.kernel.afterstates import sheet_after
from qwixx.kernel.crossing import score
from qwixx.kernel.dice import color_cell
from qwixx.kernel.flow import fill_menu
from qwixx.kernel.game_end import count_rows, dice_gone, ends_by_misses, ends_by_rows
from qwixx.kernel.paper import allows, position_of, row_of
from qwixx.kernel.state.records import COLOR, COLORS, MENU, PASS, ROWS, SHEET, Record, Records
from qwixx.rl.batch import Env
from qwixx.rl.spaces import describe

Array = npt.NDArray[Any]

OPTIMUM = 115.48
"""The mean score of perfect play, which `qwixx solve classic` computes exactly."""
HOPE = 15.0
"""The value that every row has before any training."""
RATES = (0.05, 0.05, 0.05, 0.02, 0.02, 0.01, 0.01, 0.005, 0.002, 0.001)
"""How far each error moves the table, from the first tenth of the games to the last."""

LAYOUT = describe("classic", 1).layouts[0]
LENGTH = int(LAYOUT.length.max())
COUNTS = LENGTH + 2
"""A row has from no cross to one on every cell and on its lock."""
NOW, AFTER_WHITE, AFTER_COLOR = range(3)
"""The sheets of a turn: as it begins, after the white sum, after the color sum."""


# ---- the learner


@kernel
def entry(sheet: Record, row: int) -> int:
    """Return the table index of a row: its last cross (the maximum if it is closed) and its number of crosses."""
    reach = LENGTH if sheet.locks >> row & 1 else sheet.next[row]
    return int(reach * COUNTS + sheet.count[row])


@kernel
def look_up(table: Array, sheet: Record, step: float) -> float:
    """Sum the table entries of all pairs of rows, after moving each entry by a step."""
    locks = count_rows(sheet.locks)
    total = 0.0
    for one in range(ROWS - 1):
        for two in range(one + 1, ROWS):
            first, second = entry(sheet, one), entry(sheet, two)
            low, high = min(first, second), max(first, second)  # the order of the rows does not matter
            table[sheet.misses, locks, low, high] += step
            total += table[sheet.misses, locks, low, high]
    return total


@kernel
def worth(layout: Record, table: Array, sheet: Record) -> float:
    """Estimate a sheet; the value of a finished one is its score."""
    if ends_by_rows(layout, sheet.locks) or ends_by_misses(layout, sheet.misses):
        return float(score(layout, sheet))
    return look_up(table, sheet, 0.0)


@kernel
def best_color(layout: Record, table: Array, state: Record, sheets: Records, crossed: bool) -> tuple[float, int]:
    """Return the value and action of the best color sum; none is a miss if nothing was crossed before."""
    sheet = sheets[AFTER_WHITE]
    closed = sheet.locks  # solitaire: only this seat closes rows
    sheet.misses += int(not crossed)
    best, action = worth(layout, table, sheet), PASS
    sheet.misses -= int(not crossed)
    gone = dice_gone(layout, closed)
    for color in range(COLORS):
        for white in range(2):
            cell = color_cell(layout, state, gone, color, white)
            if cell >= 0 and allows(layout, sheet, closed, row_of(cell), position_of(cell)):
                sheet_after(layout, sheet, closed, cell, sheets, AFTER_COLOR)
                value = worth(layout, table, sheets[AFTER_COLOR])
                if value > best:
                    best, action = value, cell
    return best, action


@kernel
def best_white(
    layout: Record, table: Array, state: Record, sheets: Records, menu: Record, count: int
) -> tuple[float, int]:
    """Return the value and action of the best white sum, or none, together with the best color sum after it."""
    best, action = -np.inf, PASS
    for index in range(count):
        this = menu.actions[index]
        closed = sheet_after(layout, sheets[NOW], state.closed, this, sheets, AFTER_WHITE)
        if ends_by_rows(layout, closed):
            value = worth(layout, table, sheets[AFTER_WHITE])  # the game is over: there is no color sum
        else:
            value, _ = best_color(layout, table, state, sheets, this != PASS)
        if value > best:
            best, action = value, this
    return best, action


@eager_entry
def decide(
    table: Array, layouts: Records, states: Records, sheets: Records, menus: Records, actions: Array, rate: float
) -> None:
    """Decide in every game; with a rate above 0, learn from every turn that begins."""
    layout = layouts[0]
    for game in range(len(states)):
        state = states[game]
        sheets[NOW] = state.sheets[0]
        if state.phase == COLOR:
            sheets[AFTER_WHITE] = state.sheets[0]
            actions[game] = best_color(layout, table, state, sheets, state.crossed != 0)[1]
            continue
        count = fill_menu(layout, state, 0, menus[0])
        value, actions[game] = best_white(layout, table, state, sheets, menus[0], count)
        if rate > 0.0:
            error = value - worth(layout, table, sheets[NOW])
            look_up(table, sheets[NOW], rate * error / 6)


# ---- training


def hopeful_table() -> Array:
    """Start with the points of the crosses plus a bonus; each of a row's three pairs has a third of the row."""
    rows = np.tile(LAYOUT.points[:COUNTS] + HOPE, LENGTH + 1) / 3
    return np.zeros((LAYOUT.end_misses, LAYOUT.end_rows, 1, 1)) + rows[:, None] + rows


class Pupil:
    """The learner in many games: its table and scratch memory."""

    def __init__(self, env: Env, table: Array) -> None:
        """Take part in all games of an environment."""
        self._env, self._table = env, table
        self._sheets: Records = np.zeros(3, SHEET)
        self._menus: Records = np.zeros(1, MENU)
        self._actions = np.full(env.n, PASS, np.int32)

    def step(self, rate: float = 0.0) -> None:
        """Decide once in every game, and learn with a rate above 0."""
        env = self._env
        decide(self._table, env.space.layouts, env.states, self._sheets, self._menus, self._actions, rate)
        env.step(self._actions)


def play(env: Env, table: Array, steps: int, rate: float) -> Array:
    """Play some steps in all games, learning with a rate above 0; return the scores of the games that ended."""
    pupil = Pupil(env, table)
    scores = [np.zeros(0, np.int32)]
    for _ in range(steps):
        pupil.step(rate)
        scores.append(env.scores[env.terminations, 0])
    return np.concatenate(scores)


def learn(steps: int, seed: int, lessons: int = 10, n: int = 1024) -> tuple[Array, Array, Array]:
    """Learn from n games at a time; return the table, and the mean scores by the number of games played."""
    env = Env("classic", n=n, seats=1, seed=seed, rewards="score", observations=False, masks=False)
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
    """Return the scores of the first games of a seed, not of those that end first, which are short."""
    scores = np.zeros(games, np.int32)
    pupil = Pupil(env, table)
    left = games
    while left:
        numbers = env.games.copy()
        pupil.step()
        ended = env.terminations & (numbers < games)
        scores[numbers[ended].astype(np.int64)] = env.scores[ended, 0]
        left -= int(ended.sum())
    return scores


def bot_scores(name: str, games: int, seed: int) -> Array:
    """Let a simple bot play solitaire; return its scores in ascending order."""
    counted = qwixx.simulate("classic", 1, (name,), games, seed=seed).histogram()
    return np.repeat(list(counted), list(counted.values()))


def draw(path: Path, played: Array, means: Array, others: dict[str, float]) -> None:
    """Draw the learning curve, with the other bots as horizontal lines."""
    import matplotlib as mpl  # noqa: PLC0415 - only this function needs it

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "qwixx"  # so that the same curve is the same file
    from matplotlib import pyplot as plt  # noqa: PLC0415 - as above

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(played / 1e6, means, color="#265cab", label="learning")
    for (name, mean), color in zip(others.items(), ("#5f6069", "#f0b91b", "#25793f"), strict=True):
        axes.axhline(mean, color=color, linewidth=1, linestyle="--", label=f"{name} {mean:.1f}")
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
    env = Env("classic", n=1024, seats=1, seed=chosen.seed + 1, rewards="score", observations=False, masks=False)
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
