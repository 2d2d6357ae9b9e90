"""The optimal player on sheets with marked cells: the kernel carries out every choice on a copy."""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel.dice import color_cell
from qwixx.kernel.game_end import ends_by_misses
from qwixx.kernel.paper import allows, copy_sheet
from qwixx.kernel.state.records import COLOR, COLORS, PASS, POSITIONS, ROWS, SHEET, WHITE, Ints, Record
from qwixx.kernel.window import cell_of, tie_of
from qwixx.solver.encoding.marked_state import Firsts
from qwixx.solver.encoding.sheet_index import Policy
from qwixx.solver.lookahead.marked_cells import carry_out, place_of, points
from qwixx.solver.lookahead.turn import COLORED, NOW, WHITENED, gone_after_white


@kernel
def _expected(
    layout: Record, fold: Record, firsts: Firsts, policy: Policy, sheet: Record, misses: int, rows: Ints
) -> float:
    """Return the expected final score of a sheet before a roll."""
    score = points(layout, sheet, misses)
    if ends_by_misses(fold, misses):
        return float(score)
    return float(score + policy[misses, place_of(layout, fold, firsts, sheet, rows)])


@kernel
def _best_color(
    layout: Record,
    fold: Record,
    firsts: Firsts,
    policy: Policy,
    state: Record,
    sheet: Record,
    after: Record,
    misses: int,
    rows: Ints,
    best: float,
) -> float:
    """Find the expected final score with the best color sum from this sheet, at least `best`."""
    gone = gone_after_white(fold, sheet.locks)
    for color in range(COLORS):
        for white in range(2):
            cell = color_cell(layout, state, gone, color, white)
            row, position = cell // POSITIONS, cell % POSITIONS
            if cell < 0 or not allows(layout, sheet, sheet.locks, row, position):
                continue
            tied = carry_out(layout, sheet, row, position, -1, after)
            if tied == 0:
                best = max(best, _expected(layout, fold, firsts, policy, after, misses, rows))
            for tie in range(ROWS):
                if tied >> tie & 1:
                    carry_out(layout, sheet, row, position, tie, after)
                    best = max(best, _expected(layout, fold, firsts, policy, after, misses, rows))
    return best


@kernel
def choose_marked(
    layout: Record, fold: Record, firsts: Firsts, policy: Policy, state: Record, seat: int, actions: Ints, count: int
) -> int:
    """
    Choose the action with the highest expected final score, the first of equals.

    Exact in solitaire; with more seats as in `choose_optimal`.
    """
    copies = np.zeros(3, SHEET)
    rows = np.empty(ROWS, np.int32)
    sheet = copies[NOW]
    copy_sheet(state.sheets[seat], sheet)
    sheet.locks |= state.closed
    misses = state.sheets[seat].misses
    may_color = state.phase == WHITE and seat == state.active
    best = -np.inf
    choice = PASS
    for index in range(count):
        action = actions[index]
        middle = sheet
        if action == PASS:
            is_miss = may_color or (state.phase == COLOR and not state.crossed)  # unless a color sum follows (C6)
            worth = _expected(layout, fold, firsts, policy, sheet, misses + int(is_miss), rows)
        else:
            middle = copies[WHITENED]
            cell = cell_of(action)
            carry_out(layout, sheet, cell // POSITIONS, cell % POSITIONS, tie_of(action), middle)
            worth = _expected(layout, fold, firsts, policy, middle, misses, rows)
        if may_color:
            worth = _best_color(layout, fold, firsts, policy, state, middle, copies[COLORED], misses, rows, worth)
        if worth > best:
            best = worth
            choice = action
    copies[NOW].misses = 0  # a record does not keep its array alive: use the array once more
    return choice
