"""What a roll of the white dice is worth, at the beginning of the game or at any turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel.jit import kernel
from qwixx.kernel.records import ROLL, Records
from qwixx.solver.ahead import begin_turn, look_ahead, place_sheet
from qwixx.solver.average import expected_best, face_shares, pass_or_cross, sort_uses, value_leaves
from qwixx.solver.fold import Values
from qwixx.solver.memory import Firsts
from qwixx.solver.solution import Solution, new_game
from qwixx.solver.turn import TURN


@dataclass(frozen=True, slots=True)
class WhiteRoll:
    """Two white dice, the chance of rolling them, and the expected final score with them, over all color dice."""

    low: int
    high: int
    chance: float
    expected: float

    @property
    def total(self) -> int:
        """The white sum."""
        return self.low + self.high


@kernel
def _fill_pairs(
    layouts: Records,
    folds: Records,
    firsts: Firsts,
    turns: Records,
    values: Values,
    states: Records,
    at: int,
    worth: Values,
) -> None:
    """Work out what is still to come for every pair of white dice."""
    fold = folds[0]
    turn = turns[0]
    sheet = states[at].sheets[0]
    miss = sheet.misses
    here = place_sheet(layouts[0], fold, firsts, sheet, turn.rows)
    begin_turn(fold, sheet, turn)
    look_ahead(layouts[0], fold, firsts, turn)
    value_leaves(fold, turn, values, miss, values[here, miss + 1] if miss + 1 < fold.misses else 0.0)
    shares = face_shares(fold.sides)
    for total in range(2, 2 * fold.sides + 1):
        base = pass_or_cross(turn, total)
        found = sort_uses(turn, total, base)
        for low in range(max(1, total - fold.sides), total // 2 + 1):
            worth[low - 1, total - low - 1] = expected_best(turn, found, base, low, total - low, fold.sides, shares)


def white_rolls(solution: Solution, states: Records, at: int = 0) -> list[WhiteRoll]:
    """Give what each pair of white dice is worth at a position before its roll, best first."""
    solution.check(states, at)
    if states[at].phase != ROLL:
        raise QwixxError("The worth of white dice is asked before they are rolled.")
    sides = int(solution.folds[0].sides)
    score = solution.score(states, at)
    worth = np.zeros((sides, sides))
    turns: Records = np.empty(1, TURN)
    _fill_pairs(solution.layouts, solution.folds, solution.firsts, turns, solution.values, states, at, worth)
    if solution.folds[0].is_mirrored:
        worth = worth[::-1, ::-1].T  # a 1 of the player's dice is the image's highest face
    rolls = [
        WhiteRoll(low + 1, high + 1, (1 if low == high else 2) / sides**2, score + float(worth[low, high]))
        for low in range(sides)
        for high in range(low, sides)
    ]
    return sorted(rolls, key=lambda roll: -roll.expected)


def opening_values(solution: Solution) -> list[WhiteRoll]:
    """Give what each pair of white dice in the first roll of a game is worth, best first."""
    return white_rolls(solution, new_game(solution))
