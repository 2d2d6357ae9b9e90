"""
The duel's shared board: which cells a pawn may go to, and the effects of placing it there.

`state.board` holds the pawns of each seat on each cell. The seat's sheet holds its pawns per row (the lock's
included) and its misses, so that scoring is the same as on paper.
"""

from __future__ import annotations

from qwixx.jit.decorators import kernel
from qwixx.kernel.paper import closes
from qwixx.kernel.state.event_log import CAPTURED, LOCKED, PLACED, STACKED, EventLog, append_event
from qwixx.kernel.state.records import POSITIONS, ROWS, Record
from qwixx.kernel.state.refusals import (
    ALLOWED,
    NOT_RIGHT_OF_OWN,
    NOT_RIGHTMOST,
    PAWN_IS_SAFE,
    ROW_CLOSED,
    SAME_CELL_TWICE,
    STACK_IS_SAFE,
    TOO_FEW_PAWNS,
)


@kernel
def supply(layout: Record, state: Record, seat: int) -> int:
    """Return how many pawns a seat has not placed; misses and locks use pawns too (D1, D8)."""
    sheet = state.sheets[seat]
    placed = sheet.misses
    for row in range(ROWS):
        placed += sheet.count[row]
    return int(layout.pawns - placed)


@kernel
def next_free(marks: int) -> int:
    """Return the position right of the rightmost pawn."""
    position = 0
    while marks >> position:
        position += 1
    return position


@kernel
def refuses(layout: Record, state: Record, seat: int, row: int, position: int) -> int:
    """Return why a pawn of this seat cannot go to this cell, or ALLOWED (D2 to D5, D7)."""
    mine = state.sheets[seat].marks[row]
    theirs = state.sheets[1 - seat].marks[row]
    rightmost = next_free(mine | theirs) - 1
    if state.closed >> row & 1:
        return ROW_CLOSED
    if theirs >> position & 1:
        if state.board[1 - seat, row, position] > 1:
            return STACK_IS_SAFE
        if position != rightmost:
            return PAWN_IS_SAFE
    elif mine >> position & 1:
        if position != rightmost:
            return NOT_RIGHTMOST
    elif mine >> position:
        return NOT_RIGHT_OF_OWN
    if row * POSITIONS + position == state.first_cell:
        return SAME_CELL_TWICE
    if closes(layout, row, position) and state.sheets[seat].count[row] < layout.closes_need[row]:
        return TOO_FEW_PAWNS
    return ALLOWED


@kernel
def place(layout: Record, state: Record, seat: int, row: int, position: int, log: EventLog) -> None:
    """Put a pawn on a cell: on a free one, on top of an own pawn (D4), or in place of a captured one (D3)."""
    cell = row * POSITIONS + position
    sheet = state.sheets[seat]
    other = state.sheets[1 - seat]
    if other.marks[row] >> position & 1:
        other.marks[row] &= ~(1 << position)
        other.count[row] -= 1
        state.board[1 - seat, row, position] = 0
        append_event(log, CAPTURED, seat, cell, 0)
    elif sheet.marks[row] >> position & 1:
        append_event(log, STACKED, seat, cell, 0)
    else:
        append_event(log, PLACED, seat, cell, 0)
    sheet.marks[row] |= 1 << position
    sheet.count[row] += 1
    state.board[seat, row, position] += 1
    if closes(layout, row, position) and supply(layout, state, seat) > 0:
        sheet.locks |= 1 << row  # D7: without a pawn left for the lock the row closes too
        sheet.count[row] += 1
        append_event(log, LOCKED, seat, row, 0)
