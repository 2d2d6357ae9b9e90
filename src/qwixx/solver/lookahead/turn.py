"""
One turn from one position: all its successors, for any roll.

A turn crosses at most two cells: one with the white sum (C3), then one with a color sum (C4). An *option* is a way
to use the white sum, option 0 being to pass; a *target* is a cell that a color sum may cross after it. A *leaf* is
an option with a target and the place in the table where both lead. `lookahead.leaves` and `lookahead.marked_cells`
fill this in, and `lookahead.roll_average` computes the average over the dice from it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.jit.decorators import inlined, kernel
from qwixx.kernel.game_end import dice_gone, ends_by_rows
from qwixx.kernel.state.records import CELLS, COLORS, POSITIONS, ROWS, SHEET, TOTALS, Record
from qwixx.solver.encoding.sheet_index import aligned_record

PASSED: Final = 0
"""The option of not using the white sum."""
OPTIONS: Final = 1 + ROWS * CELLS
"""To pass, or a cell, with a row for a tie (BB2)."""
LEAVES: Final = OPTIONS * CELLS
"""More than there can be: one pair at most leads to ties (BB2), so two cells in order make at most four leaves."""
ALL_DICE: Final = (1 << COLORS) - 1
NOW, WHITENED, COLORED = 0, 1, 2
"""The sheets of a turn: as it begins, after the white sum, after the color sum."""

TURN: Final = aligned_record(
    [
        ("rows", np.int32, (ROWS,)),  # the classes of the position, by slot
        ("count", np.int32, (ROWS,)),  # crosses in each row
        ("lucky", np.int32, (2,)),  # the player's, as printed
        ("closed", np.int32),
        ("gone", np.int32),  # bit c: the die of color c has left
        # cells right of all crosses: nothing else can be crossed, ever
        ("targets", np.int32),
        ("slot", np.int32, (CELLS,)),
        ("position", np.int32, (CELLS,)),
        ("total", np.int32, (CELLS,)),
        ("color", np.int32, (CELLS,)),
        # ways to use the white sum
        ("options", np.int32),
        ("option_target", np.int32, (OPTIONS,)),  # the cell it crosses, PASSED apart
        ("option_at", np.int64, (OPTIONS,)),  # where it leads if no color sum is used
        ("option_gain", np.float64, (OPTIONS,)),
        ("ways", np.int32, (TOTALS,)),  # how many options each white sum has, the pass included
        ("way", np.int32, (TOTALS, OPTIONS)),
        # an option and then a target
        ("miss_cost", np.float64),  # what the next miss costs
        ("leaves", np.int32),
        ("leaf_use", np.int32, (LEAVES,)),  # option * CELLS + target: how the white and the color sum are used
        ("leaf_at", np.int64, (LEAVES,)),
        ("leaf_gain", np.float64, (LEAVES,)),
        # sheets with marked cells only
        ("sheets", SHEET, (3,)),
        ("rows_after", np.int32, (ROWS,)),  # the classes after the white sum
        ("rows_landed", np.int32, (ROWS,)),  # the classes after both
        ("option_refund", np.float64, (OPTIONS,)),  # the refund of past misses (BB1)
        ("leaf_refund", np.float64, (LEAVES,)),
        # computed for each number of misses
        ("one", np.float64, (OPTIONS,)),  # the value of an option without a color sum
        ("two", np.float64, (LEAVES,)),  # the value of an option and a target, by leaf_use
        ("worth", np.float64, (CELLS,)),
        ("best", np.float64, (CELLS,)),
        ("best_target", np.int32, (CELLS,)),
        ("best_faces", np.int32, (CELLS,)),
        ("best_shift", np.int32, (CELLS,)),
    ]
)


@inlined
def gone_after_white(limits: Record, closed: int) -> int:
    """
    Return the dice that no color sum can use, as a mask, when these rows are closed after the white sum.

    Rows close, their dice leave (C8, G3), and only if that is not the end (C11) a color sum follows (C4, C5): the end
    is as if all dice had left. `limits` is a layout, or a fold with its slots in place of rows.

    The rules between the two sums are here for the whole solver. The rest of a turn's order (a white sum or none,
    then a color sum or none, and a miss for neither, C6) is in the kernel and, for speed, again in these places.
    `tests/solver/test_solve.py` compares each of them with the kernel's own turns:

    - `lookahead.leaves` and `lookahead.marked_cells`: `test_successors_as_the_kernel`, leaf by leaf; together with
      `lookahead.roll_average`, which counts the miss, `test_small_sheets_as_the_naive_solver`.
    - `play.choose._worth` and `play.marked_cells.choose_marked`: `test_the_compiled_player_takes_the_best_action`.
    - `play.games._play_turn` and `play_solitaire`: `test_fused_games_are_the_kernels_games`.
    """
    return ALL_DICE if ends_by_rows(limits, closed) else dice_gone(limits, closed)


@kernel
def read_position(fold: Record, turn: Record) -> None:
    """Write which rows are closed, which dice have left, and the cells right of all crosses."""
    turn.closed = 0
    targets = 0
    for slot in range(ROWS):
        this = turn.rows[slot]
        turn.count[slot] = fold.count[slot, this]
        if this >= fold.shut[slot]:
            turn.closed |= 1 << slot
            continue
        for position in range(fold.next[slot, this], POSITIONS):
            if fold.total[slot, position] > 0:
                turn.slot[targets] = slot
                turn.position[targets] = position
                turn.total[targets] = fold.total[slot, position]
                turn.color[targets] = fold.color[slot, position]
                targets += 1
    turn.targets = targets
    turn.gone = dice_gone(fold, turn.closed)


@kernel
def begin_options(fold: Record, turn: Record) -> None:
    """Clear the lists; every white sum can be passed."""
    turn.options = 1
    turn.leaves = 0
    turn.option_at[PASSED] = -1
    turn.option_gain[PASSED] = 0.0
    for total in range(2, 2 * fold.sides + 1):
        turn.ways[total] = 1
        turn.way[total, 0] = PASSED


@kernel
def add_ways(fold: Record, turn: Record, target: int, option: int, is_lucky: bool) -> None:
    """Let white sums use an option that crosses a target: its own number (C3), and lucky ones that offer it (L4)."""
    _add_way(turn, turn.total[target], option)
    if is_lucky:
        for which in range(2):
            if turn.total[target] != fold.lucky[which]:
                _add_way(turn, fold.lucky[which], option)


@kernel
def _add_way(turn: Record, total: int, option: int) -> None:
    """Let a white sum use an option."""
    turn.way[total, turn.ways[total]] = option
    turn.ways[total] += 1
