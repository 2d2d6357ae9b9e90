"""
Learn classic with two seats against a named bot.

    python -m examples.learn_against                        # learn against gap, then play against it
    python -m examples.learn_against --opponent strong --steps 20000

This is the learner of `learn_solitaire.py` with an opponent. It knows the rules, and looks at its own sheet and at the
closed rows. By playing it learns the value of a sheet: its current lead, plus the lead that it will still gain, which
it looks up in a table. It has one table for its own turns and one for the turns of the opponent.
"""

# ruff: noqa: T201 - a script that shows its results prints them

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import numpy.typing as npt
from examples.learn_solitaire import AFTER_COLOR, AFTER_WHITE, COUNTS, LAYOUT, LENGTH, NOW

from qwixx.jit.decorators import eager_entry, kernel
from qwixx.kernel.afterstates import sheet_after
from qwixx.kernel.crossing import score
from qwixx.kernel.dice import color_cell
from qwixx.kernel.flow import fill_menu
from qwixx.kernel.game_end import count_rows, dice_gone, ends_by_misses, ends_by_rows
from qwixx.kernel.paper import allows, position_of, row_of
from qwixx.kernel.state.records import COLOR, COLORS, MENU, PASS, ROWS, SHEET, Record, Records
from qwixx.rl.batch import Env

Array = npt.NDArray[Any]

ACTIVE, PASSIVE, NEITHER = range(3)
"""Whose turn it is, and which table is used for it."""
HOPE = 60.0
"""The value of every sheet before any training."""
RATES = (0.05, 0.03, 0.03, 0.02, 0.02, 0.01, 0.01, 0.005, 0.002, 0.001)
"""How far each error moves the tables, from the first tenth of the steps to the last."""


# ---- the learner


@kernel
def look_up(tables: Array, turn: int, sheet: Record, closed: int, step: float) -> float:
    """Sum the table entries of all pairs of rows, after moving each entry by a step."""
    table = tables[turn, sheet.misses, count_rows(closed)]
    total = 0.0
    for one in range(ROWS - 1):
        first = (LENGTH if closed >> one & 1 else sheet.next[one]) * COUNTS + sheet.count[one]
        for two in range(one + 1, ROWS):
            second = (LENGTH if closed >> two & 1 else sheet.next[two]) * COUNTS + sheet.count[two]
            low, high = min(first, second), max(first, second)  # the order of the rows does not matter
            table[low, high] += step
            total += table[low, high]
    return total


@kernel
def worth(layout: Record, tables: Array, turn: int, sheet: Record, closed: int, other: int) -> float:
    """Estimate a sheet before a turn: the current lead, plus the lead still to come."""
    ahead = float(score(layout, sheet) - other)
    if ends_by_rows(layout, closed) or ends_by_misses(layout, sheet.misses):
        return ahead
    return ahead + look_up(tables, turn, sheet, closed, 0.0)


@kernel
def best_color(
    layout: Record, tables: Array, state: Record, sheets: Records, closed: int, crossed: bool, other: int
) -> tuple[float, int]:
    """Return the value and action of the best color sum; none is a miss if nothing was crossed before."""
    sheet = sheets[AFTER_WHITE]
    sheet.misses += int(not crossed)
    best, action = worth(layout, tables, PASSIVE, sheet, closed, other), PASS
    sheet.misses -= int(not crossed)
    gone = dice_gone(layout, closed)
    for color in range(COLORS):
        for white in range(2):
            cell = color_cell(layout, state, gone, color, white)
            if cell >= 0 and allows(layout, sheet, closed, row_of(cell), position_of(cell)):
                after = sheet_after(layout, sheet, closed, cell, sheets, AFTER_COLOR)
                value = worth(layout, tables, PASSIVE, sheets[AFTER_COLOR], after, other)
                if value > best:
                    best, action = value, cell
    return best, action


@kernel
def best_white(
    layout: Record, tables: Array, state: Record, sheets: Records, menu: Record, count: int, turn: int, other: int
) -> int:
    """Find the best white sum, or none; in its own turn together with the best color sum after it."""
    best, action = -np.inf, PASS
    for index in range(count):
        this = menu.actions[index]
        closed = sheet_after(layout, sheets[NOW], state.closed, this, sheets, AFTER_WHITE)
        if turn == PASSIVE or ends_by_rows(layout, closed):
            value = worth(layout, tables, ACTIVE, sheets[AFTER_WHITE], closed, other)
        else:
            value, _ = best_color(layout, tables, state, sheets, closed, this != PASS, other)
        if value > best:
            best, action = value, this
    return int(action)


@kernel
def learn_from(tables: Array, value: float, began: Record, rows: int, turn: int, ahead: float, rate: float) -> None:
    """Move the value of a turn toward the value that it led to, game by game."""
    if turn != NEITHER:
        error = value - ahead - look_up(tables, turn, began, rows, 0.0)
        look_up(tables, turn, began, rows, rate * error / 6)


@eager_entry
def decide(
    tables: Array,
    layouts: Records,
    states: Records,
    began: Records,
    rows: Array,
    turns: Array,
    ahead: Array,
    sheets: Records,
    menus: Records,
    actions: Array,
    rate: float,
) -> None:
    """
    Decide for seat 0 in every game; with a rate above 0, learn from every finished turn.

    `began`, `rows`, `turns` and `ahead` store the state of each game before: the sheet, the closed rows, the kind of
    turn, and the lead.
    """
    layout = layouts[0]
    for game in range(len(states)):
        state = states[game]
        other = score(layout, state.sheets[1])
        sheets[NOW] = state.sheets[0]
        if state.phase == COLOR:
            sheets[AFTER_WHITE] = state.sheets[0]
            crossed = state.crossed != 0
            actions[game] = best_color(layout, tables, state, sheets, state.closed, crossed, other)[1]
            continue
        turn = ACTIVE if state.active == 0 else PASSIVE
        if rate > 0.0:
            value = worth(layout, tables, turn, sheets[NOW], state.closed, other)
            learn_from(tables, value, began[game], rows[game], turns[game], ahead[game], rate)
            began[game] = state.sheets[0]
            rows[game] = state.closed
            turns[game] = turn
            ahead[game] = score(layout, state.sheets[0]) - other
        count = fill_menu(layout, state, 0, menus[0])
        actions[game] = best_white(layout, tables, state, sheets, menus[0], count, turn, other)


@eager_entry
def learn_ends(
    tables: Array, ended: Array, margins: Array, began: Records, rows: Array, turns: Array, ahead: Array, rate: float
) -> None:
    """Learn from finished games: the value of the last turn is the final lead."""
    for game in range(len(ended)):
        if ended[game]:
            learn_from(tables, margins[game], began[game], rows[game], turns[game], ahead[game], rate)
            turns[game] = NEITHER


# ---- training


class Pupil:
    """The learner in many games: its tables, the current turns, and scratch memory."""

    def __init__(self, env: Env, tables: Array) -> None:
        """Take part in all games of an environment with the reward `margin`."""
        self._env, self._tables = env, tables
        self._began: Records = np.zeros(env.n, SHEET)
        self._rows = np.zeros(env.n, np.int32)
        self._turns = np.full(env.n, NEITHER, np.int32)
        self._ahead = np.zeros(env.n)
        self._sheets: Records = np.zeros(3, SHEET)
        self._menus: Records = np.zeros(1, MENU)
        self._actions = np.full(env.n, PASS, np.int32)

    def step(self, rate: float = 0.0) -> None:
        """Decide once in every game, and learn with a rate above 0."""
        env, memory = self._env, (self._began, self._rows, self._turns, self._ahead)
        decide(self._tables, env.space.layouts, env.states, *memory, self._sheets, self._menus, self._actions, rate)
        env.step(self._actions)
        if rate > 0.0:
            learn_ends(self._tables, env.terminations, env.rewards[:, 0], *memory, rate)


def hopeful_tables() -> Array:
    """Start with the same value for every sheet, shared by its six pairs of rows."""
    size = (LENGTH + 1) * COUNTS
    return np.full((2, int(LAYOUT.end_misses), int(LAYOUT.end_rows), size, size), HOPE / 6)


def games_against(opponent: str, n: int, seed: int) -> Env:
    """Create n games for two seats with the reward `margin`."""
    return Env("classic", n=n, seats=2, seed=seed, observations=False, masks=False, opponents={1: opponent})


def learn(opponent: str, steps: int, seed: int, n: int = 1024) -> Array:
    """Learn from n games at a time against an opponent; return the tables."""
    env = games_against(opponent, n, seed)
    tables = hopeful_tables()
    pupil = Pupil(env, tables)
    for rate in RATES:
        began, margins, ended = time.process_time(), 0.0, 0
        for _ in range(steps // len(RATES)):
            pupil.step(rate)
            margins += float(env.rewards[env.terminations, 0].sum())
            ended += int(env.terminations.sum())
        mean = margins / ended if ended else float("nan")
        print(f"rate {rate:<6} mean margin {mean:7.2f}  ({time.process_time() - began:.1f} s)", flush=True)
    return tables


def first_games(opponent: str, tables: Array, games: int, seed: int, n: int = 1024) -> Array:
    """Return the scores of both seats in the first games of a seed."""
    env = games_against(opponent, n, seed)
    pupil, scores, left = Pupil(env, tables), np.zeros((games, 2), np.int32), games
    while left:
        numbers = env.games.copy()
        pupil.step()
        ended = env.terminations & (numbers < games)
        scores[numbers[ended].astype(np.int64)] = env.scores[ended]
        left -= int(ended.sum())
    return scores


def main() -> None:
    """Learn, then play."""
    parser = argparse.ArgumentParser(description="Learn the classic game for two against a player by name.")
    parser.add_argument("--opponent", default="gap", help="a player by name, or file.py:Class")
    parser.add_argument("--steps", type=int, default=60_000, help="decisions in each of 1024 games at a time")
    parser.add_argument("--games", type=int, default=100_000, help="games to play afterwards")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    tables = learn(chosen.opponent, chosen.steps, chosen.seed)
    scores = first_games(chosen.opponent, tables, chosen.games, chosen.seed + 1)
    own, other = scores[:, 0], scores[:, 1]
    wins = (own > other) + 0.5 * (own == other)
    print(f"\nlearned {own.mean():.2f}, {chosen.opponent} {other.mean():.2f}, share of wins {wins.mean():.3f}")


if __name__ == "__main__":
    main()
