"""
The simultaneous window: one number for all; each seat may cross it once, in a row of its choice (C3, K4).

Choices are stored and then resolved together, each on its own sheet and with the rows that were open when the window
opened. So several seats can close the same row (C9, ruling 1).
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import inlined, kernel
from qwixx.kernel import extras
from qwixx.kernel.crossing import cross
from qwixx.kernel.menu import add
from qwixx.kernel.paper import allows, fewest_rows, is_crossed, position_of, refuses, row_of
from qwixx.kernel.state.event_log import EventLog
from qwixx.kernel.state.records import (
    CELLS,
    MORE,
    NO_CHOICE,
    NO_TIE,
    PASS,
    POSITIONS,
    ROWS,
    SHEET,
    TIE_ALONE,
    TIES,
    TIES_BY_BAR,
    WHITE,
    Record,
)
from qwixx.kernel.state.refusals import ALLOWED, NO_SUCH_CELL, NO_SUCH_TIE, NOT_THE_SUM, TIE_UNDECIDED

_ALL_ROWS = (1 << ROWS) - 1


@inlined
def may_tie(layout: Record, sheet: Record) -> bool:
    """
    Return whether a cross on this sheet may lead to a tie.

    Without a bar it cannot while all pairs that make crosses are blank.
    """
    found = layout.has_ties & TIES_BY_BAR
    for row in range(ROWS):
        found |= sheet.marks[row] & layout.tie_marks[row]
    return bool(found != 0)


@inlined
def tied_rows(layout: Record, sheet: Record, closed: int, cell: int) -> int:
    """Return the tied rows to choose from if this cell is crossed, as a mask; 0 if there is no tie (BB2)."""
    partner = layout.tie_partner[row_of(cell), position_of(cell)]
    if partner == NO_TIE or (partner != TIE_ALONE and not is_crossed(sheet, partner)):
        return 0
    return _tied_rows_on_copy(layout, sheet, closed, row_of(cell), position_of(cell))


@kernel
def _tied_rows_on_copy(layout: Record, sheet: Record, closed: int, row: int, position: int) -> int:
    """Cross a cell on a copy of the sheet and return the tied rows: the choice is part of the action (BB2)."""
    copies = np.empty(1, SHEET)
    copies[0] = sheet
    rows = cross(layout, copies[0], closed, 0, row, position, -1, None)
    # A record does not keep its array alive, and numba frees an array after its last use: use it again.
    copies[0] = sheet
    return rows


@kernel
def split_ties(layout: Record, sheet: Record, closed: int, menu: Record, count: int) -> int:
    """Replace each cell of the menu that leads to a tie by one action per tied row; return the new length (BB2)."""
    index = 0
    while menu.actions[index] != PASS:
        cell = menu.actions[index]
        rows = tied_rows(layout, sheet, closed, cell)
        if rows == 0:
            index += 1
            continue
        count -= 1
        for after in range(index, count):
            menu.actions[after] = menu.actions[after + 1]
        for row in range(ROWS):
            if rows >> row & 1:
                count = add(menu, count, TIES + row * CELLS + cell)
    return count


@inlined
def cell_of(action: int) -> int:
    """Return the cell that an action crosses, or -1 for a pass."""
    if action == PASS:
        return -1
    return action if action < PASS else (action - TIES) % CELLS


@inlined
def tie_of(action: int) -> int:
    """Return the row that an action names for a tie, or -1."""
    return -1 if action < TIES else (action - TIES) // CELLS


@inlined
def tie_refusal(layout: Record, sheet: Record, closed: int, action: int) -> int:
    """Check that an action names a row for a tie exactly when there is one."""
    rows = tied_rows(layout, sheet, closed, cell_of(action))
    tie = tie_of(action)
    if tie < 0:
        return ALLOWED if rows == 0 else TIE_UNDECIDED
    return ALLOWED if rows >> tie & 1 else NO_SUCH_TIE


@inlined
def is_lucky(pad: Record, total: int) -> bool:
    """Return whether a number is one of the two lucky ones (L4); `pad` is a sheet, or any record with its `lucky`."""
    return bool(pad.lucky[0] == total or pad.lucky[1] == total)


@inlined
def rows_for_luck(sheet: Record, closed: int) -> int:
    """
    Return the rows whose next cell a lucky number offers if that cell is allowed, as a mask (L4, ruling 8).

    They are the open rows with the fewest crosses. `sheet` is any record with a sheet's `count`.
    """
    return fewest_rows(sheet, _ALL_ROWS & ~closed)


@kernel
def _lucky_rows(layout: Record, sheet: Record, closed: int) -> int:
    """Return the rows whose next cell a lucky number offers and which is allowed, as a mask (L4)."""
    rows = rows_for_luck(sheet, closed)
    for row in range(ROWS):
        if rows >> row & 1 and not allows(layout, sheet, closed, row, sheet.next[row]):
            rows &= ~(1 << row)
    return rows


@inlined
def lucky_rows(layout: Record, sheet: Record, closed: int, total: int) -> int:
    """Return the rows whose next cell this number offers, as a mask; 0 if it is not a lucky number (L4)."""
    if layout.lucky_pads == 0 or not is_lucky(sheet, total):
        return 0
    return _lucky_rows(layout, sheet, closed)


@inlined
def legal(layout: Record, state: Record, seat: int, total: int, menu: Record) -> int:
    """Write the choices of a seat with the number for all to the menu; return how many."""
    count = offers(layout, state.sheets[seat], state.closed, total, menu)
    return extras.add_offers(layout, state, seat, menu, count) if layout.has_extras else count


@inlined
def offers(layout: Record, sheet: Record, closed: int, total: int, menu: Record) -> int:
    """Write the choices that the number for all offers to any sheet, of a game or a copy, to the menu."""
    lucky = lucky_rows(layout, sheet, closed, total)
    count = 0
    for row in range(ROWS):
        position = layout.white_spots[total, row]
        if lucky >> row & 1 and sheet.next[row] != position:
            menu.actions[count] = row * POSITIONS + sheet.next[row]
            count += 1
        # Always written, but counted only if it is allowed: cheaper than a branch that is hard to predict.
        menu.actions[count] = row * POSITIONS + position
        count += int(position >= 0) & allows(layout, sheet, closed, row, position)
    menu.actions[count] = PASS
    count += 1
    return split_ties(layout, sheet, closed, menu, count) if may_tie(layout, sheet) else count


@inlined
def refusal(layout: Record, state: Record, seat: int, total: int, action: int) -> int:
    """Return why a seat may not choose this action with the number for all, or ALLOWED."""
    if action == PASS:
        return ALLOWED
    sheet = state.sheets[seat]
    if action >= MORE:
        return extras.refusal(layout, state, seat, action)
    cell = cell_of(action)
    row = row_of(cell)
    position = position_of(cell)
    if position >= layout.length[row]:
        return NO_SUCH_CELL
    # The number comes before the state of the row: a player who reads why not looks at the dice first.
    if layout.value[row, position] != total and not (
        layout.lucky_pads != 0
        and sheet.next[row] == position
        and is_lucky(sheet, total)
        and rows_for_luck(sheet, state.closed) >> row & 1
    ):
        reason = extras.sum_refusal(layout, state, sheet, row, position) if layout.has_extras else NOT_THE_SUM
        if reason != ALLOWED:
            return reason
    if not allows(layout, sheet, state.closed, row, position):
        return refuses(layout, sheet, state.closed, row, position)
    if layout.has_ties or action >= TIES:
        return tie_refusal(layout, sheet, state.closed, action)
    return ALLOWED


@inlined
def _cross_cell(layout: Record, state: Record, seat: int, action: int, log: EventLog) -> None:
    sheet = state.sheets[seat]
    cell = cell_of(action)
    row = row_of(cell)
    position = position_of(cell)
    if layout.swaps and state.phase == WHITE:
        extras.use_field(layout, sheet, seat, state.dice[0] + state.dice[1], layout.value[row, position], log)
    cross(layout, sheet, state.closed, seat, row, position, tie_of(action), log)


@inlined
def apply_decision(layout: Record, state: Record, seat: int, action: int, log: EventLog) -> None:
    """Apply a seat's whole decision to its own sheet."""
    if action not in (PASS, NO_CHOICE):
        if action >= MORE:
            extras.carry_out(layout, state.sheets[seat], seat, action, log)
        else:
            _cross_cell(layout, state, seat, action, log)
        if seat == state.active:
            state.crossed = 1
