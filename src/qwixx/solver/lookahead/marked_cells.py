"""
Look one turn ahead on a sheet with marked cells, where one cross can trigger others (BA2 to BA5, BB1 to BB5).

A cross that triggers nothing is read from the fold, as in `lookahead.leaves`. The kernel carries out every other one
on a copy of the sheet, up to a tie, where each row that the player may choose is a separate leaf (BB2). The current
points of a sheet come from the kernel too: doubled rows and free misses change them afterwards.
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel.crossing import cross, is_quiet, score
from qwixx.kernel.effects import code_of
from qwixx.kernel.flow import strike
from qwixx.kernel.game_end import ends_by_rows
from qwixx.kernel.paper import copy_sheet, is_complete
from qwixx.kernel.state.records import CELLS, ROWS, Ints, Record
from qwixx.kernel.window import rows_for_luck
from qwixx.solver.encoding.marked_state import Firsts, locate, read_crossed, read_pointer
from qwixx.solver.encoding.sheet_index import read_rows
from qwixx.solver.lookahead.turn import (
    ALL_DICE,
    COLORED,
    NOW,
    PASSED,
    WHITENED,
    add_ways,
    begin_options,
    gone_after_white,
    read_position,
)

_DOUBLE_FEWEST = code_of("double-fewest")


@kernel
def points(layout: Record, sheet: Record, misses: int) -> int:
    """Return the current points of a sheet with this number of misses."""
    sheet.misses = misses
    return score(layout, sheet)


@kernel
def carry_out(layout: Record, before: Record, row: int, position: int, tie: int, after: Record) -> int:
    """
    Cross a cell on a copy of a sheet, with all effects; return the rows of a tie that `tie` leaves open.

    Rows that were closed on the way are struck from the bar afterwards (BA4, ruling 1).
    """
    copy_sheet(before, after)
    tied = cross(layout, after, before.locks, 0, row, position, tie, None)
    for this in range(ROWS):
        if (after.locks & ~before.locks) >> this & 1:
            strike(layout, after, 0, this, None)
    return tied


@kernel
def place_of(layout: Record, fold: Record, firsts: Firsts, sheet: Record, rows: Ints) -> int:
    """Return the place of a sheet in the table, with its classes in `rows`; all games that are over share one."""
    if ends_by_rows(fold, sheet.locks):
        return int(firsts[-1])
    read_rows(fold, sheet, rows)
    return locate(fold, firsts, rows, read_crossed(layout, sheet), read_pointer(layout, sheet))


@kernel
def _is_doubling(layout: Record, sheet: Record) -> bool:
    """Whether any cross may change the points of the row that counts twice (BB7)."""
    for pair in range(layout.pairs):
        if layout.pair_effect[pair] == _DOUBLE_FEWEST and is_complete(layout, sheet, pair):
            return True
    return False


@kernel
def _add_leaf(turn: Record, option: int, target: int, at: int, gain: float, refund: float) -> None:
    """List one successor of an option and a color sum after it."""
    leaf = turn.leaves
    turn.leaf_use[leaf] = option * CELLS + target
    turn.leaf_at[leaf] = at
    turn.leaf_gain[leaf] = gain
    turn.leaf_refund[leaf] = refund
    turn.leaves += 1


@kernel
def _add_carried_out(
    layout: Record, fold: Record, firsts: Firsts, turn: Record, option: int, target: int, before: int, paid: int
) -> None:
    """List the sheet after a color sum; `before` are its points before that, and a miss cost `paid`."""
    after = turn.sheets[COLORED]
    at = place_of(layout, fold, firsts, after, turn.rows_landed)
    now = points(layout, after, 0)
    freed = paid - (now - points(layout, after, 1))
    gain = turn.option_gain[option] + float(now - before)
    _add_leaf(turn, option, target, at, gain, turn.option_refund[option] + float(freed))


@kernel
def _add_leaves(layout: Record, fold: Record, firsts: Firsts, turn: Record, option: int, which: int) -> None:
    """List the color sums after an option that has led to one of the turn's sheets (C4)."""
    sheet = turn.sheets[which]
    gone = gone_after_white(fold, sheet.locks)
    if gone == ALL_DICE:
        return
    after = turn.sheets[COLORED]
    rows = turn.rows if which == NOW else turn.rows_after
    crossed = read_crossed(layout, sheet)
    pointer = read_pointer(layout, sheet)
    is_doubling = _is_doubling(layout, sheet)
    before = points(layout, sheet, 0)
    paid = before - points(layout, sheet, 1)
    gain = turn.option_gain[option]
    refund = turn.option_refund[option]
    for target in range(turn.targets):
        slot = turn.slot[target]
        position = turn.position[target]
        this = rows[slot]
        to = fold.to[slot, this, position]
        if to < 0 or gone >> turn.color[target] & 1:
            continue
        if to < fold.shut[slot] and is_quiet(layout, sheet, slot, position):
            rows[slot] = to
            at = locate(fold, firsts, rows, crossed | int(fold.mark_bit[slot, position]), pointer)
            rows[slot] = this
            worth = float(fold.gain[slot, this, position])
            if is_doubling:
                sheet.count[slot] += 1
                worth = float(points(layout, sheet, 0) - before)
                sheet.count[slot] -= 1
            _add_leaf(turn, option, target, at, gain + worth, refund)
            continue
        tied = carry_out(layout, sheet, slot, position, -1, after)
        if tied == 0:
            _add_carried_out(layout, fold, firsts, turn, option, target, before, paid)
        for tie in range(ROWS):
            if tied >> tie & 1:
                carry_out(layout, sheet, slot, position, tie, after)
                _add_carried_out(layout, fold, firsts, turn, option, target, before, paid)


@kernel
def _add_option(
    layout: Record, fold: Record, firsts: Firsts, turn: Record, target: int, tie: int, is_lucky: bool
) -> int:
    """List the successors of crossing a cell with the white sum, and the color sums after it; return open ties."""
    sheet = turn.sheets[NOW]
    after = turn.sheets[WHITENED]
    slot = turn.slot[target]
    tied = carry_out(layout, sheet, slot, turn.position[target], tie, after)
    if tied and tie < 0:
        return tied
    option = turn.options
    turn.options += 1
    turn.option_target[option] = target
    add_ways(fold, turn, target, option, is_lucky)
    turn.option_at[option] = place_of(layout, fold, firsts, after, turn.rows_after)
    before = points(layout, sheet, 0)
    now = points(layout, after, 0)
    turn.option_gain[option] = float(now - before)
    turn.option_refund[option] = float(before - points(layout, sheet, 1) - now + points(layout, after, 1))
    _add_leaves(layout, fold, firsts, turn, option, WHITENED)
    return 0


@kernel
def look_ahead_marked(layout: Record, fold: Record, firsts: Firsts, turn: Record) -> bool:
    """List all successors of a turn from the sheet in `turn`; False if the game is over there (C11)."""
    sheet = turn.sheets[NOW]
    read_rows(fold, sheet, turn.rows)
    read_position(fold, turn)
    if ends_by_rows(fold, turn.closed):
        return False
    begin_options(fold, turn)
    turn.option_refund[PASSED] = 0.0
    turn.miss_cost = float(points(layout, sheet, 0) - points(layout, sheet, 1))
    _add_leaves(layout, fold, firsts, turn, PASSED, NOW)
    lucky = rows_for_luck(sheet, sheet.locks) if fold.lucky[0] else 0
    for target in range(turn.targets):
        slot = turn.slot[target]
        if fold.to[slot, turn.rows[slot], turn.position[target]] < 0:
            continue
        is_lucky = bool(lucky >> slot & 1) and turn.position[target] == sheet.next[slot]
        tied = _add_option(layout, fold, firsts, turn, target, -1, is_lucky)
        for tie in range(ROWS):
            if tied >> tie & 1:
                _add_option(layout, fold, firsts, turn, target, tie, is_lucky)
    for use in range(turn.options * CELLS):
        turn.two[use] = -np.inf
    return True
