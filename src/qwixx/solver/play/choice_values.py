"""Exact values: of every choice, with its loss against the best, and of every white roll."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qwixx.errors import QwixxError
from qwixx.game.choice import Choice
from qwixx.game.game import Game
from qwixx.jit.decorators import eager_entry
from qwixx.kernel.game_end import ends_by_misses
from qwixx.kernel.state.records import ROLL, Records
from qwixx.solver.build.run import recall
from qwixx.solver.build.solution import Solution, best_actions, new_game
from qwixx.solver.encoding.marked_state import Firsts
from qwixx.solver.encoding.sheet_index import Values
from qwixx.solver.lookahead.leaves import begin_turn, look_ahead, place_sheet
from qwixx.solver.lookahead.roll_average import expected_best, face_shares, pass_or_cross, sort_uses, value_leaves
from qwixx.solver.lookahead.turn import TURN
from qwixx.variants.model import Pad


def lucky_of(game: Game) -> Pad | None:
    """Return the lucky numbers of a solitaire, None where the sheet has none."""
    lucky = game.view(0).sheets[0].lucky
    return (lucky[0], lucky[1]) if lucky else None


def check_solitaire(game: Game) -> None:
    """Refuse a game of several seats: exact values exist for solitaire only."""
    if game.seats != 1:
        raise QwixxError(f"Exact values are known for solitaire only; this game has {game.seats} seats.")


def advise(game: Game, solution: Solution | None = None) -> list[Choice]:
    """
    Return the exact value of every legal choice of a solitaire, best first.

    Without a `solution` the sheet is solved, or read from its file if that was done before; the solution is cached.
    """
    check_solitaire(game)
    if game.awaits_chance or game.is_over:
        raise QwixxError("There is no decision here: a roll is needed first, or the game is over.")
    if solution is None:
        solution = recall(game.variant, lucky_of(game))
    actions = {action.id: action for action in game.legal(0)}
    found = best_actions(solution, *game.raw())
    return [Choice(actions[number], value, value, loss) for number, value, loss in found]


@dataclass(frozen=True, slots=True)
class WhiteRoll:
    """Two white dice, their probability, and the expected final score with them, over all color dice."""

    low: int
    high: int
    chance: float
    expected: float

    @property
    def total(self) -> int:
        """The white sum."""
        return self.low + self.high


@eager_entry
def _fill_rolls(
    layouts: Records,
    folds: Records,
    firsts: Firsts,
    turns: Records,
    values: Values,
    states: Records,
    at: int,
    worth: Values,
) -> None:
    """Compute the expected gain for every white roll."""
    fold = folds[0]
    turn = turns[0]
    sheet = states[at].sheets[0]
    miss = sheet.misses
    here = place_sheet(layouts[0], fold, firsts, sheet, turn.rows)
    begin_turn(fold, sheet, turn)
    look_ahead(layouts[0], fold, firsts, turn)
    to_come = 0.0 if ends_by_misses(fold, miss + 1) else values[here, miss + 1]
    value_leaves(fold, turn, values, miss, to_come)
    shares = face_shares(fold.sides)
    for total in range(2, 2 * fold.sides + 1):
        base = pass_or_cross(turn, total)
        found = sort_uses(turn, total, base)
        for low in range(max(1, total - fold.sides), total // 2 + 1):
            worth[low - 1, total - low - 1] = expected_best(turn, found, base, low, total - low, fold.sides, shares)


def white_rolls(solution: Solution, states: Records, at: int = 0) -> list[WhiteRoll]:
    """Return the value of each white roll at a position before it, best first."""
    solution.check(states, at)
    if states[at].phase != ROLL:
        raise QwixxError("The worth of white dice is asked before they are rolled.")
    sides = int(solution.folds[0].sides)
    score = solution.score(states, at)
    worth = np.zeros((sides, sides))
    turns: Records = np.empty(1, TURN)
    _fill_rolls(solution.layouts, solution.folds, solution.firsts, turns, solution.values, states, at, worth)
    if solution.folds[0].is_mirrored:
        worth = worth[::-1, ::-1].T  # a 1 of the player's dice is the image's highest face
    rolls = [
        WhiteRoll(low + 1, high + 1, (1 if low == high else 2) / sides**2, score + float(worth[low, high]))
        for low in range(sides)
        for high in range(low, sides)
    ]
    return sorted(rolls, key=lambda roll: -roll.expected)


def opening_values(solution: Solution) -> list[WhiteRoll]:
    """Return the value of each white roll at the beginning of a game, best first."""
    return white_rolls(solution, new_game(solution))
