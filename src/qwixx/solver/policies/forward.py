"""
The probability of every position, from the empty sheet forward, when each turn goes where a table of values is highest.

A sweep over the reaches in the order of play moves the probability of each position to its successors. Finished games
keep theirs, and since they determine the score, one pass gives the whole distribution of scores.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from qwixx.jit.decorators import eager_entry, kernel
from qwixx.kernel.state.records import CELLS, Record, Records
from qwixx.solver.build.sweep import lower_range, set_rows
from qwixx.solver.encoding.marked_state import Firsts
from qwixx.solver.encoding.sheet_index import Values, place
from qwixx.solver.lookahead.leaves import look_ahead
from qwixx.solver.lookahead.roll_average import face_shares, share_uses, sort_uses, value_leaves
from qwixx.solver.lookahead.turn import LEAVES, PASSED
from qwixx.solver.policies.counted_sheet import Points, is_finished, lower_end, points_of

Work = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Values]
"""Memory for a turn: the leaf of each use, and by rank of the color sums their places and probabilities."""


@kernel
def _best_option(turn: Record, total: int) -> int:
    """Return the best use of a white sum without a color sum, the first of equals."""
    best = PASSED
    for way in range(1, turn.ways[total]):
        if turn.one[turn.way[total, way]] > turn.one[best]:
            best = turn.way[total, way]
    return int(best)


@kernel
def _option_before(turn: Record, total: int, target: int) -> int:
    """Return the best use of a white sum before a color sum crosses a target, the first of equals."""
    best = PASSED
    for way in range(1, turn.ways[total]):
        option = turn.way[total, way]
        if turn.two[option * CELLS + target] > turn.two[best * CELLS + target]:
            best = option
    return int(best)


@kernel
def _move(
    turn: Record, sides: int, shares: Values, work: Work, amount: float, mass: Values, at: int, miss: int
) -> None:
    """Move the probability of one position with this number of misses to the successors of its turn."""
    leaves, goals, parts = work
    amount /= sides * sides
    for total in range(2, 2 * sides + 1):
        base = _best_option(turn, total)
        found = sort_uses(turn, total, turn.one[base])
        for index in range(found):
            target = turn.best_target[index]
            goals[index] = turn.leaf_at[leaves[_option_before(turn, total, target) * CELLS + target]]
        for low in range(max(1, total - sides), total // 2 + 1):
            part = amount if 2 * low == total else 2.0 * amount
            left = share_uses(turn, found, low, total - low, sides, shares, parts)
            for index in range(found):
                mass[goals[index], miss] += part * parts[index]
            if base == PASSED:
                mass[at, miss + 1] += part * left
            else:
                mass[turn.option_at[base], miss] += part * left


@eager_entry
def forward(
    layouts: Records, folds: Records, firsts: Firsts, turns: Records, values: Values, mass: Values, reach: int
) -> None:
    """Move the probability of all positions of a reach to their successors."""
    fold = folds[0]
    turn = turns[0]
    rows = turn.rows
    shares = face_shares(fold.sides)
    leaves = np.zeros(LEAVES, np.int64)
    work = (leaves, np.zeros(CELLS, np.int64), np.zeros(CELLS))
    for upper in range(fold.couples[0]):
        start, end = lower_range(fold, reach, upper)
        for lower in range(start, end):
            set_rows(fold, turn, upper, lower)
            at = place(fold, rows[0], rows[1], rows[2], rows[3])
            some = 0.0
            for miss in range(fold.end_misses):
                some += mass[at, miss]
            if some == 0.0 or not look_ahead(layouts[0], fold, firsts, turn):
                continue
            for leaf in range(turn.leaves):
                leaves[turn.leaf_use[leaf]] = leaf
            for miss in range(fold.end_misses):
                amount = mass[at, miss]
                if amount > 0.0:
                    following = values[at, miss + 1] if miss + 1 < fold.end_misses else 0.0
                    value_leaves(fold, turn, values, miss, following)
                    _move(turn, fold.sides, shares, work, amount, mass, at, miss)


@eager_entry
def tally(folds: Records, turns: Records, points: Points, cost: int, mass: Values, least: int, found: Values) -> None:
    """Add the probability of every finished game to its score; `found` begins with the score `least`."""
    fold = folds[0]
    rows = turns[0].rows
    for upper in range(fold.couples[0]):
        for lower in range(lower_end(fold, upper)):
            set_rows(fold, turns[0], upper, lower)
            at = place(fold, rows[0], rows[1], rows[2], rows[3])
            score = points_of(points, rows) - least
            if is_finished(fold, rows):
                for miss in range(fold.end_misses):
                    found[score - miss * cost] += mass[at, miss]
            else:
                found[score - fold.end_misses * cost] += mass[at, fold.end_misses]
