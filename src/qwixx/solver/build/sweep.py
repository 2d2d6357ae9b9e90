"""
One pass over the positions that are equally far along, from the end of the game towards its beginning.

A cross always moves to the right, so positions with the same *reach*, the sum of the first crossable positions
of all rows, never lead to one another: within a reach they can be worked out in any order, by any thread.
"""

from __future__ import annotations

from qwixx.kernel.jit import bulk, kernel
from qwixx.kernel.records import Record, Records
from qwixx.solver.ahead.average import average, face_shares, value_leaves
from qwixx.solver.ahead.look import look_ahead
from qwixx.solver.ahead.turn import NOW
from qwixx.solver.numbering.fold import REACHES, Values, place
from qwixx.solver.numbering.memory import Firsts, write_sheet


@kernel
def _reach_of(fold: Record, half: int, couple: int) -> int:
    """Tell how far right the two rows of a couple stand."""
    upper = fold.upper[half, couple]
    lower = fold.lower[half, couple]
    return int(fold.next[2 * half, upper] + fold.next[2 * half + 1, lower])


@kernel
def _lower_range(fold: Record, reach: int, upper: int) -> tuple[int, int]:
    """Give the couples of the lower half that make up this reach together with one of the upper half."""
    rest = reach - _reach_of(fold, 0, upper)
    if rest < 0 or rest >= REACHES:
        return 0, 0
    end = fold.reach_from[1, rest + 1]
    if fold.is_swapped and end > upper + 1:  # of two halves that can be exchanged, the larger number comes first
        end = upper + 1
    return fold.reach_from[1, rest], end


@kernel
def _value_misses(fold: Record, turn: Record, values: Values, shares: Values, found: Values) -> None:
    """Work out one position for every number of misses, the last one first: a miss leads to the next (C6)."""
    to_come = 0.0  # after the miss that ends the game (C11)
    for miss in range(fold.end_misses - 1, -1, -1):
        value_leaves(fold, turn, values, miss, to_come)
        to_come = average(turn, fold.sides, shares)
        found[miss] = to_come


@bulk
def value_position(
    layouts: Records, folds: Records, firsts: Firsts, turns: Records, values: Values, found: Values
) -> bool:
    """Work out the position in `turns` from those that follow it; False if the game is over there."""
    if not look_ahead(layouts[0], folds[0], firsts, turns[0]):
        return False
    _value_misses(folds[0], turns[0], values, face_shares(folds[0].sides), found)
    return True


@kernel
def _numbers(fold: Record, firsts: Firsts, at: int) -> tuple[int, int]:
    """Give the first number of a position and the one after its last."""
    if fold.remembers:
        return firsts[at], firsts[at + 1]
    return at, at + 1


@kernel
def set_rows(fold: Record, turn: Record, upper: int, lower: int) -> None:
    """Let a turn begin with these couples."""
    turn.rows[0] = fold.upper[0, upper]
    turn.rows[1] = fold.lower[0, upper]
    turn.rows[2] = fold.upper[1, lower]
    turn.rows[3] = fold.lower[1, lower]


@bulk
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
    Work out all positions of a reach whose upper half is one of these couples; count them, once for every miss.

    `turns` is room to work in. It comes from the caller because a compiled function would free an array of its own
    as soon as it holds nothing but a record of it.
    """
    fold = folds[0]
    turn = turns[0]
    shares = face_shares(fold.sides)
    done = 0
    for upper in range(first, last):
        start, end = _lower_range(fold, reach, upper)
        for lower in range(start, end):
            set_rows(fold, turn, upper, lower)
            begin, stop = _numbers(fold, firsts, place(fold, turn.rows[0], turn.rows[1], turn.rows[2], turn.rows[3]))
            for at in range(begin, stop):
                if fold.remembers and not write_sheet(layouts[0], fold, turn.rows, at - begin, turn.sheets[NOW]):
                    continue
                if look_ahead(layouts[0], fold, firsts, turn):
                    _value_misses(fold, turn, values, shares, values[at])
                    done += fold.end_misses
    return int(done)


@bulk
def reach_sizes(folds: Records, firsts: Firsts, turns: Records, sizes: Values) -> None:
    """Count the places of each reach by couple of the upper half, so that the work can be cut evenly."""
    fold = folds[0]
    rows = turns[0].rows
    for reach in range(sizes.shape[0]):
        for upper in range(fold.couples[0]):
            start, end = _lower_range(fold, reach, upper)
            if not fold.remembers:
                sizes[reach, upper] = max(0, end - start)
                continue
            for lower in range(start, end):
                set_rows(fold, turns[0], upper, lower)
                begin, stop = _numbers(fold, firsts, place(fold, rows[0], rows[1], rows[2], rows[3]))
                sizes[reach, upper] += stop - begin
