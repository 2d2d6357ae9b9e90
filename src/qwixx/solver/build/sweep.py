"""
A sweep over the positions of one reach; sweeps go from the end of the game towards its beginning.

A cross always moves to the right, so positions with the same *reach*, the sum of the first crossable positions
of all rows, never lead to one another: within a reach they can be computed in any order, by any thread.
"""

from __future__ import annotations

from qwixx.jit.decorators import eager_entry, kernel
from qwixx.kernel.state.records import Record, Records
from qwixx.solver.encoding.marked_state import Firsts, write_sheet
from qwixx.solver.encoding.sheet_index import REACHES, Values, place
from qwixx.solver.lookahead.leaves import look_ahead
from qwixx.solver.lookahead.roll_average import average, face_shares, value_leaves
from qwixx.solver.lookahead.turn import NOW


@kernel
def _reach_of(fold: Record, half: int, couple: int) -> int:
    """Return the reach of the two rows of a couple."""
    upper = fold.upper[half, couple]
    lower = fold.lower[half, couple]
    return int(fold.next[2 * half, upper] + fold.next[2 * half + 1, lower])


@kernel
def lower_range(fold: Record, reach: int, upper: int) -> tuple[int, int]:
    """Return the range of couples of the lower half that give this reach together with one of the upper half."""
    rest = reach - _reach_of(fold, 0, upper)
    if rest < 0 or rest >= REACHES:
        return 0, 0
    end = fold.reach_from[1, rest + 1]
    if fold.is_swapped and end > upper + 1:  # of two halves that can be exchanged, the larger number comes first
        end = upper + 1
    return fold.reach_from[1, rest], end


@kernel
def value_misses(fold: Record, turn: Record, values: Values, shares: Values, found: Values, to_come: float) -> None:
    """
    Compute one position for every number of misses, the last one first: a miss leads to the next (C6).

    `to_come` is the value after the miss that ends the game (C11). Call `look_ahead` first.
    """
    for miss in range(fold.end_misses - 1, -1, -1):
        value_leaves(fold, turn, values, miss, to_come)
        to_come = average(turn, fold.sides, shares)
        found[miss] = to_come


@eager_entry
def value_position(
    layouts: Records, folds: Records, firsts: Firsts, turns: Records, values: Values, found: Values
) -> bool:
    """Compute the position in `turns` from its successors; False if the game is over there."""
    if not look_ahead(layouts[0], folds[0], firsts, turns[0]):
        return False
    value_misses(folds[0], turns[0], values, face_shares(folds[0].sides), found, 0.0)
    return True


@kernel
def _numbers(fold: Record, firsts: Firsts, at: int) -> tuple[int, int]:
    """Return the first number of a position and the one after its last."""
    if fold.remembers:
        return firsts[at], firsts[at + 1]
    return at, at + 1


@kernel
def set_rows(fold: Record, turn: Record, upper: int, lower: int) -> None:
    """Set the rows of a turn to these couples."""
    turn.rows[0] = fold.upper[0, upper]
    turn.rows[1] = fold.lower[0, upper]
    turn.rows[2] = fold.upper[1, lower]
    turn.rows[3] = fold.lower[1, lower]


@eager_entry
def sweep(
    layouts: Records,
    folds: Records,
    firsts: Firsts,
    turns: Records,
    values: Values,
    reach: int,
    first: int,
    last: int,
) -> int:
    """
    Compute all positions of a reach whose upper half is one of these couples; return their number, by misses.

    `turns` is a work buffer. It comes from the caller because a compiled function would free a local array as soon as
    only a record of it is in use.
    """
    fold = folds[0]
    turn = turns[0]
    shares = face_shares(fold.sides)
    done = 0
    for upper in range(first, last):
        start, end = lower_range(fold, reach, upper)
        for lower in range(start, end):
            set_rows(fold, turn, upper, lower)
            begin, stop = _numbers(fold, firsts, place(fold, turn.rows[0], turn.rows[1], turn.rows[2], turn.rows[3]))
            for at in range(begin, stop):
                if fold.remembers and not write_sheet(layouts[0], fold, turn.rows, at - begin, turn.sheets[NOW]):
                    continue
                if look_ahead(layouts[0], fold, firsts, turn):
                    value_misses(fold, turn, values, shares, values[at], 0.0)
                    done += fold.end_misses
    return int(done)


@eager_entry
def reach_sizes(folds: Records, firsts: Firsts, turns: Records, sizes: Values) -> None:
    """Count the positions of each reach by couple of the upper half, so that blocks can be of equal size."""
    fold = folds[0]
    rows = turns[0].rows
    for reach in range(sizes.shape[0]):
        for upper in range(fold.couples[0]):
            start, end = lower_range(fold, reach, upper)
            if not fold.remembers:
                sizes[reach, upper] = max(0, end - start)
                continue
            for lower in range(start, end):
                set_rows(fold, turns[0], upper, lower)
                begin, stop = _numbers(fold, firsts, place(fold, rows[0], rows[1], rows[2], rows[3]))
                sizes[reach, upper] += stop - begin
