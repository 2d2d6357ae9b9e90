"""
Crosses on one sheet: whether a cell may be crossed, single crosses, and the points of a row.

Nothing here knows about turns, dice or other seats, except which rows are closed for all. `crossing` adds the effects
of marked cells.
"""

from __future__ import annotations

from qwixx.jit.decorators import as_int32_view, inlined, kernel
from qwixx.kernel.state.event_log import CROSSED, LOCKED, LOST, SECOND, SMALL, EventLog, append_event
from qwixx.kernel.state.records import AT_EACH, BOXED, PAIRED, POSITIONS, ROWS, SHEET_WORDS, Ints, Record
from qwixx.kernel.state.refusals import (
    ALLOWED,
    LEFT_OF_CROSS,
    ROW_CLOSED,
    ROW_CLOSED_FOR_YOU,
    SECOND_BOX_GONE,
    TOO_FEW_CROSSES,
)

_RECIPROCAL = (1 << 16) // POSITIONS + 1
"""For a division by POSITIONS as a multiplication; exact for every cell, and for -1 (no cell)."""


@kernel
def copy_sheet(sheet: Record, copy: Record) -> None:
    """Copy a sheet with all its fields."""
    source, target = as_int32_view(sheet, SHEET_WORDS), as_int32_view(copy, SHEET_WORDS)
    for word in range(SHEET_WORDS):
        target[word] = source[word]


@inlined
def row_of(cell: int) -> int:
    """Return the row of a cell: cell // POSITIONS, without a slow division."""
    return cell * _RECIPROCAL >> 16


@inlined
def position_of(cell: int) -> int:
    """Return the position of a cell in its row: cell % POSITIONS."""
    return cell - (cell * _RECIPROCAL >> 16) * POSITIONS


@inlined
def closes(layout: Record, row: int, position: int) -> bool:
    """Return whether a cross on this cell closes its row: the last cell, in Longo one of the last two (C7, L2)."""
    return bool(position >= layout.closes_from[row])


@inlined
def allows(layout: Record, sheet: Record, closed: int, row: int, position: int) -> int:
    """
    Return 1 if this cell may be crossed, else 0.

    A closed row takes no crosses (C8, K7), crosses go from left to right (C1), and the cells that close a row need
    enough crosses before them (C7, C10, G3, L2). This function is called more often than any other, and its result is
    hard to predict for the processor, so it is one arithmetic expression without branches.
    """
    is_open = ~((closed | sheet.locks) >> row) & 1
    is_right = int(position >= sheet.next[row])
    has_enough = int(not closes(layout, row, position)) | int(sheet.count[row] >= layout.closes_need[row])
    return int(is_open & is_right & has_enough)


@kernel
def refuses(layout: Record, sheet: Record, closed: int, row: int, position: int) -> int:
    """Return why this cell cannot be crossed, or ALLOWED."""
    if allows(layout, sheet, closed, row, position):
        return ALLOWED
    if closed >> row & 1:
        return ROW_CLOSED
    if sheet.locks >> row & 1:
        return ROW_CLOSED_FOR_YOU
    if position >= sheet.next[row]:
        return TOO_FEW_CROSSES
    return SECOND_BOX_GONE if layout.twice and sheet.marks[row] >> position & 1 else LEFT_OF_CROSS


@inlined
def weight(layout: Record, row: int, position: int) -> int:
    """Return how many crosses of its row a cross is: of a double cell two, of a small field none (DB2, F5)."""
    return int(1 + (layout.double_marks[row] >> position & 1) - (layout.small_marks[row] >> position & 1))


@kernel
def _mark_a_box(layout: Record, sheet: Record, row: int, position: int) -> int:
    """
    Leave a cell crossable until its second box is crossed; return the kind of the event.

    The cell that closes the row has no second box (DA1, DA2).
    """
    is_second = sheet.marks[row] >> position & 1
    sheet.twice[row] |= is_second << position
    sheet.next[row] = position + int(is_second or closes(layout, row, position))
    return SECOND if is_second else CROSSED


@inlined
def mark(layout: Record, sheet: Record, seat: int, row: int, position: int, log: EventLog) -> None:
    """Cross a cell, and the lock too if the cell closes the row (C7, L2); the lock counts as a cross."""
    kind = CROSSED
    if layout.twice:
        kind = _mark_a_box(layout, sheet, row, position)
    else:
        sheet.next[row] = position + 1
        if layout.small_marks[row] >> position & 1:
            kind = SMALL
    sheet.marks[row] |= 1 << position
    sheet.count[row] += weight(layout, row, position)
    append_event(log, kind, seat, row * POSITIONS + position, 0)
    if closes(layout, row, position):
        sheet.locks |= 1 << row
        sheet.count[row] += 1
        append_event(log, LOCKED, seat, row, 0)


@kernel
def is_crossed(sheet: Record, cell: int) -> bool:
    """Return whether the sheet has a cross on this cell."""
    return bool(sheet.marks[row_of(cell)] >> position_of(cell) & 1)


@inlined
def is_pair(layout: Record, group: int) -> bool:
    """Return whether the cells of a letter are a pair (BB1)."""
    # The second cell of a pair is never the first of a sheet.
    return bool(layout.pair_cells[group, 1] > 0)


@kernel
def is_complete(layout: Record, sheet: Record, pair: int) -> bool:
    """Return whether both cells of a pair are crossed (BB1)."""
    return is_crossed(sheet, layout.pair_cells[pair, 0]) and is_crossed(sheet, layout.pair_cells[pair, 1])


@kernel
def trigger(layout: Record, sheet: Record, row: int, position: int, queue: Ints) -> None:
    """Add a new cross to the queue, if it has an effect now. `queue[0]` is the end of the queue."""
    effect = layout.effect[row, position]
    if effect in (BOXED, AT_EACH) or (effect == PAIRED and is_complete(layout, sheet, layout.pair[row, position])):
        queue[queue[0]] = row * POSITIONS + position
        queue[0] += 1


@kernel
def cross_next(layout: Record, sheet: Record, closed: int, seat: int, row: int, queue: Ints, log: EventLog) -> None:
    """Cross the cell right of the row's last cross as a bonus; if that is not allowed, the bonus is lost."""
    position = sheet.next[row]
    if position >= layout.length[row] or not allows(layout, sheet, closed, row, position):
        append_event(log, LOST, seat, row, 0)  # BA5, BB2, BB3
        return
    mark(layout, sheet, seat, row, position, log)
    trigger(layout, sheet, row, position, queue)


@kernel
def fewest_rows(sheet: Record, among: int) -> int:
    """Return the rows with the fewest crosses among some rows, both as masks (BB2, L4)."""
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
    """Return the leftmost cell of the bar that is neither used nor struck, or -1 (BA2, BA4)."""
    taken = sheet.used | sheet.struck
    for index in range(layout.bar_length):
        if not taken >> index & 1:
            return index
    return -1


@kernel
def row_points(layout: Record, crosses: int) -> int:
    """Return the points of a row by its number of crosses, the lock included (C12, G4, L3)."""
    return int(layout.points[min(crosses, layout.points_crosses)])
