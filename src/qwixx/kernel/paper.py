"""
What one pencil may do on one sheet: may this cell be crossed, what does crossing it cause, what is it worth.

Nothing here knows about turns, dice or other seats, except which rows are closed for all.
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel.jit import inlined, kernel, words_of
from qwixx.kernel.records import (
    BOXED,
    DOUBLE_FEWEST,
    FREE_MISSES,
    ONE_IN_EACH,
    PAIRED,
    PLUS_POINTS,
    POSITIONS,
    ROWS,
    SHEET_WORDS,
    TWO_IN_FEWEST,
    Ints,
    Record,
)
from qwixx.kernel.refusals import ALLOWED, LEFT_OF_CROSS, ROW_CLOSED, ROW_CLOSED_FOR_YOU, TOO_FEW_CROSSES
from qwixx.kernel.trail import BONUS, CROSSED, LOCKED, LOST, PAIR, Trail, note

_BAR = -1
"""In the queue of effects: use the next cell of the bar. Other entries are pairs."""
_QUEUE = 64
_RECIPROCAL = (1 << 16) // POSITIONS + 1
"""Good enough to divide the number of any cell, and -1 for no cell."""


@kernel
def copy_sheet(sheet: Record, copy: Record) -> None:
    """Copy a sheet, whatever its fields are."""
    source, target = words_of(sheet, SHEET_WORDS), words_of(copy, SHEET_WORDS)
    for word in range(SHEET_WORDS):
        target[word] = source[word]


@inlined
def row_of(cell: int) -> int:
    """Give the row of a cell: cell // POSITIONS, without the price of a division."""
    return cell * _RECIPROCAL >> 16


@inlined
def position_of(cell: int) -> int:
    """Give the position of a cell in its row: cell % POSITIONS."""
    return cell - (cell * _RECIPROCAL >> 16) * POSITIONS


@inlined
def closes(layout: Record, row: int, position: int) -> bool:
    """Tell whether a cross on this cell closes its row: its last cell, in Longo either of the last two (C7, L2)."""
    return bool(position >= layout.closes_from[row])


@inlined
def allows(layout: Record, sheet: Record, closed: int, row: int, position: int) -> int:
    """
    Tell whether this cell may be crossed, 1 or 0.

    A closed row takes nothing (C8, K7), crosses go from left to right (C1), and the cells that close a row
    need enough crosses before them (C7, C10, G3, L2). This question is asked more often than any other, and
    its answers are hard to foretell, so it is put as one sum and not as a chain of guesses.
    """
    is_open = ~((closed | sheet.locks) >> row) & 1
    is_right = int(position >= sheet.next[row])
    is_ripe = int(not closes(layout, row, position)) | int(sheet.count[row] >= layout.closes_need[row])
    return int(is_open & is_right & is_ripe)


@kernel
def refuses(layout: Record, sheet: Record, closed: int, row: int, position: int) -> int:
    """Say why this cell cannot be crossed, or ALLOWED."""
    if allows(layout, sheet, closed, row, position):
        return ALLOWED
    if closed >> row & 1:
        return ROW_CLOSED
    if sheet.locks >> row & 1:
        return ROW_CLOSED_FOR_YOU
    return LEFT_OF_CROSS if position < sheet.next[row] else TOO_FEW_CROSSES


@inlined
def mark(layout: Record, sheet: Record, seat: int, row: int, position: int, trail: Trail) -> None:
    """Make the cross, and the lock's too if the cell closes the row (C7, L2); the lock counts as a cross."""
    sheet.marks[row] |= 1 << position
    sheet.next[row] = position + 1
    sheet.count[row] += 1
    note(trail, CROSSED, seat, row * POSITIONS + position, 0)
    if closes(layout, row, position):
        sheet.locks |= 1 << row
        sheet.count[row] += 1
        note(trail, LOCKED, seat, row, 0)


@kernel
def is_crossed(sheet: Record, cell: int) -> bool:
    """Whether the sheet has a cross on this cell."""
    return bool(sheet.marks[row_of(cell)] >> position_of(cell) & 1)


@kernel
def is_complete(layout: Record, sheet: Record, pair: int) -> bool:
    """Whether both cells of a pair are crossed (BB1)."""
    return is_crossed(sheet, layout.pair_cells[pair, 0]) and is_crossed(sheet, layout.pair_cells[pair, 1])


@kernel
def _trigger(layout: Record, sheet: Record, row: int, position: int, queue: Ints, length: int) -> int:
    """Queue the effect that a new cross sets off, if any; give the queue's new length."""
    effect = layout.effect[row, position]
    if effect == BOXED:
        queue[length] = _BAR
        return length + 1
    if effect == PAIRED and is_complete(layout, sheet, layout.pair[row, position]):
        queue[length] = layout.pair[row, position]
        return length + 1
    return length


@kernel
def _cross_next(
    layout: Record, sheet: Record, closed: int, seat: int, row: int, queue: Ints, length: int, trail: Trail
) -> int:
    """Cross the cell right of the row's last cross, as a bonus; where that is not allowed the cross is lost."""
    position = sheet.next[row]
    if position >= layout.length[row] or not allows(layout, sheet, closed, row, position):
        note(trail, LOST, seat, row, 0)  # BA5, BB2, BB3
        return length
    mark(layout, sheet, seat, row, position, trail)
    return _trigger(layout, sheet, row, position, queue, length)


@kernel
def fewest_rows(sheet: Record, among: int) -> int:
    """Find the rows with the fewest crosses among some rows; rows are bits of a mask (BB2, L4)."""
    fewest = 1000
    rows = 0
    for row in range(ROWS):
        if among >> row & 1:
            if sheet.count[row] < fewest:
                fewest = sheet.count[row]
                rows = 0
            if sheet.count[row] == fewest:
                rows |= 1 << row
    return rows


@kernel
def next_bar_cell(layout: Record, sheet: Record) -> int:
    """Find the leftmost cell of the bar that is neither used nor struck, or -1 (BA2, BA4)."""
    taken = sheet.used | sheet.struck
    for index in range(layout.bar_length):
        if not taken >> index & 1:
            return index
    return -1


@kernel
def is_quiet(layout: Record, sheet: Record, row: int, position: int) -> bool:
    """Whether crossing this cell would set nothing off: no bar cell is left (BA2), or the partner is blank (BB1)."""
    effect = layout.effect[row, position]
    if effect == BOXED:
        return next_bar_cell(layout, sheet) < 0
    if effect == PAIRED:
        pair = layout.pair[row, position]
        this = row * POSITIONS + position
        one = layout.pair_cells[pair, 0]
        return not is_crossed(sheet, layout.pair_cells[pair, 1] if one == this else one)
    return True


@inlined
def cross(
    layout: Record, sheet: Record, closed: int, seat: int, row: int, position: int, tie: int, trail: Trail
) -> int:
    """
    Cross a cell and carry out everything that follows from it on this sheet.

    Effects make all their crosses, then effects which those set off follow, in the order they were set off
    (BA3, BB4). Where a bonus meets a tie for the fewest crosses, `tie` is the row to take (BB2). With `tie` -1
    the work stops there and the tied rows come back as a mask, otherwise 0.
    """
    mark(layout, sheet, seat, row, position, trail)
    if layout.has_effects and layout.effect[row, position]:
        return _follow(layout, sheet, closed, seat, row, position, tie, trail)
    return 0


@kernel
def _follow(
    layout: Record, sheet: Record, closed: int, seat: int, row: int, position: int, tie: int, trail: Trail
) -> int:
    """Carry out what follows from a cross on a marked cell."""
    if layout.effect[row, position] == PAIRED and not is_complete(layout, sheet, layout.pair[row, position]):
        return 0
    queue = np.empty(_QUEUE, np.int32)
    length = _trigger(layout, sheet, row, position, queue, 0)
    done = 0
    while done < length:
        pair = queue[done]
        done += 1
        if pair == _BAR:
            index = next_bar_cell(layout, sheet)
            if index >= 0:
                sheet.used |= 1 << index
                note(trail, BONUS, seat, index, 0)
                length = _cross_next(layout, sheet, closed, seat, layout.bar[index], queue, length, trail)
            continue
        note(trail, PAIR, seat, pair, 0)
        effect = layout.pair_effect[pair]
        if effect == TWO_IN_FEWEST:
            rows = fewest_rows(sheet, (1 << ROWS) - 1)
            if rows & (rows - 1):
                if tie < 0:
                    return int(rows)
                rows = 1 << tie
            for target in range(ROWS):
                if rows >> target & 1:
                    length = _cross_next(layout, sheet, closed, seat, target, queue, length, trail)
                    length = _cross_next(layout, sheet, closed, seat, target, queue, length, trail)
        elif effect == ONE_IN_EACH:
            for target in range(ROWS):
                length = _cross_next(layout, sheet, closed, seat, target, queue, length, trail)
    return 0


@kernel
def row_points(layout: Record, crosses: int) -> int:
    """Points of a row by its number of crosses, the lock included (C12, G4, L3)."""
    return int(layout.points[min(crosses, layout.points_crosses)])


@kernel
def score(layout: Record, sheet: Record) -> int:
    """Count up a sheet: its rows, less its misses (C12), and what completed pairs add (BB1, BB7)."""
    total = 0
    fewest = 1000
    for row in range(ROWS):
        total += row_points(layout, sheet.count[row])
        fewest = min(fewest, sheet.count[row])
    misses = sheet.misses * layout.miss_points
    for pair in range(layout.pairs):
        if is_complete(layout, sheet, pair):
            effect = layout.pair_effect[pair]
            if effect == DOUBLE_FEWEST:
                total += row_points(layout, fewest)
            elif effect == PLUS_POINTS:
                total += layout.pair_points[pair]
            elif effect == FREE_MISSES:
                misses = 0
    return int(total - misses)
