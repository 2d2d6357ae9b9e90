"""
The simultaneous window: one number for all, each seat may cross it once in a row of its choice (C3, K4).

Choices are stored and then resolved together, each on its own sheet against the rows that were open when the
window opened, so several seats can close the same row (C9, ruling 1).
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel.jit import kernel
from qwixx.kernel.paper import cross, fewest_rows, is_crossed, refuses
from qwixx.kernel.records import (
    CELLS,
    PAIRED,
    PASS,
    POSITIONS,
    ROWS,
    SHEET,
    TIES,
    Ints,
    Record,
)
from qwixx.kernel.refusals import (
    ALLOWED,
    NO_SUCH_CELL,
    NO_SUCH_TIE,
    NOT_THE_SUM,
    TIE_UNDECIDED,
)

_PROBE = 1 + 4 * 256
_ALL_ROWS = (1 << ROWS) - 1


@kernel
def add(actions: Ints, count: int, action: int) -> int:
    """Put an action into an ascending list; give the list's new length."""
    at = count
    while at > 0 and actions[at - 1] >= action:
        if actions[at - 1] == action:  # equal white dice make the same sum twice
            return count
        at -= 1
    for index in range(count, at, -1):
        actions[index] = actions[index - 1]
    actions[at] = action
    return count + 1


@kernel
def tied_rows(layout: Record, sheet: Record, closed: int, cell: int) -> int:
    """
    Find the rows among which the player must choose if this cell is crossed, as a mask; 0 if there is no tie.

    The choice is part of the action (BB2), so the bonus is tried out on a copy of the sheet.
    """
    row = cell // POSITIONS
    position = cell % POSITIONS
    if layout.has_ties == 0 or layout.effect[row, position] != PAIRED:
        return 0
    pair = layout.pair[row, position]
    if not is_crossed(sheet, layout.pair_cells[pair, 0] + layout.pair_cells[pair, 1] - cell):
        return 0
    copy = np.empty(1, SHEET)
    copy[0] = sheet
    trail = np.empty(_PROBE, np.int32)
    trail[0] = 1
    return cross(layout, copy[0], closed, 0, row, position, -1, trail)


@kernel
def add_cell(layout: Record, sheet: Record, closed: int, cell: int, actions: Ints, count: int) -> int:
    """List the ways to cross a cell: one, or one for each row of a tie."""
    rows = tied_rows(layout, sheet, closed, cell)
    if rows == 0:
        return add(actions, count, cell)
    for row in range(ROWS):
        if rows >> row & 1:
            count = add(actions, count, TIES + row * CELLS + cell)
    return count


@kernel
def cell_of(action: int) -> int:
    """Give the cell that an action crosses, or -1 for a pass."""
    if action == PASS:
        return -1
    return action if action < PASS else (action - TIES) % CELLS


@kernel
def tie_of(action: int) -> int:
    """Give the row that an action names for a tie, or -1."""
    return -1 if action < TIES else (action - TIES) // CELLS


@kernel
def tie_refusal(layout: Record, sheet: Record, closed: int, action: int) -> int:
    """Check that an action names a row for a tie exactly when there is one."""
    rows = tied_rows(layout, sheet, closed, cell_of(action))
    tie = tie_of(action)
    if tie < 0:
        return ALLOWED if rows == 0 else TIE_UNDECIDED
    return ALLOWED if rows >> tie & 1 else NO_SUCH_TIE


@kernel
def lucky_rows(layout: Record, sheet: Record, closed: int, total: int) -> int:
    """
    Find the rows whose next cell a lucky number offers, as a mask (L4).

    Only rows with the fewest crosses among those still open count; if a row's next cell is not allowed it
    offers nothing.
    """
    if layout.lucky_pads == 0 or (sheet.lucky[0] != total and sheet.lucky[1] != total):
        return 0
    rows = fewest_rows(sheet, _ALL_ROWS & ~closed)
    for row in range(ROWS):
        if rows >> row & 1 and refuses(layout, sheet, closed, row, sheet.next[row]) != ALLOWED:
            rows &= ~(1 << row)
    return rows


@kernel
def legal(layout: Record, state: Record, seat: int, total: int, actions: Ints) -> int:
    """List what a seat may do with the number for all."""
    sheet = state.sheets[seat]
    closed = state.closed
    count = 0
    lucky = lucky_rows(layout, sheet, closed, total)
    for row in range(ROWS):
        position = layout.white_spots[total, row]
        if lucky >> row & 1 and sheet.next[row] != position:
            count = add(actions, count, row * POSITIONS + sheet.next[row])
        if position >= 0 and refuses(layout, sheet, closed, row, position) == ALLOWED:
            count = add_cell(layout, sheet, closed, row * POSITIONS + position, actions, count)
    return add(actions, count, PASS)


@kernel
def refusal(layout: Record, state: Record, seat: int, total: int, action: int) -> int:
    """Say why a seat may not do this with the number for all, or ALLOWED."""
    if action == PASS:
        return ALLOWED
    sheet = state.sheets[seat]
    cell = cell_of(action)
    row = cell // POSITIONS
    position = cell % POSITIONS
    if position >= layout.length[row]:
        return NO_SUCH_CELL
    reason = refuses(layout, sheet, state.closed, row, position)
    if reason != ALLOWED:
        return reason
    if layout.value[row, position] != total and not (
        sheet.next[row] == position and lucky_rows(layout, sheet, state.closed, total) >> row & 1
    ):
        return NOT_THE_SUM
    if layout.has_ties or action >= TIES:
        return tie_refusal(layout, sheet, state.closed, action)
    return ALLOWED


@kernel
def carry_out(layout: Record, state: Record, seat: int, action: int, trail: Ints) -> None:
    """Carry out a seat's whole decision on its own sheet."""
    if action != PASS:
        cell = cell_of(action)
        cross(
            layout,
            state.sheets[seat],
            state.closed,
            seat,
            cell // POSITIONS,
            cell % POSITIONS,
            tie_of(action),
            trail,
        )
        if seat == state.active:
            state.crossed = 1
