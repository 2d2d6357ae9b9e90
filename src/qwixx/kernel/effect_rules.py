"""
The rules of effects: one function for each effect of `effects`, which makes its crosses or returns its points.

A function that makes crosses gets the cell whose cross triggered it, the row for a tie, and the queue of cells whose
effects its own crosses trigger. It returns the tied rows as a mask if it stops at a tie, else 0. A function that scores
gets the group of cells: the place of their letter.
"""

from __future__ import annotations

from qwixx.jit.decorators import kernel
from qwixx.kernel.paper import cross_next, fewest_rows, is_complete, next_bar_cell, row_points
from qwixx.kernel.state.event_log import BONUS, EventLog, append_event
from qwixx.kernel.state.records import ROWS, Ints, Record

# ---- crosses


@kernel
def use_bar(
    layout: Record, sheet: Record, closed: int, seat: int, cell: int, tie: int, queue: Ints, log: EventLog
) -> int:
    """Use the next cell of the bar, and cross the next cell of its row (BA2)."""
    index = next_bar_cell(layout, sheet)
    if index >= 0:
        sheet.used |= 1 << index
        append_event(log, BONUS, seat, index, 0)
        cross_next(layout, sheet, closed, seat, layout.bar[index], queue, log)
    return 0


@kernel
def two_in_fewest(
    layout: Record, sheet: Record, closed: int, seat: int, cell: int, tie: int, queue: Ints, log: EventLog
) -> int:
    """Cross the next two cells of the row with the fewest crosses; on a tie the player has chosen the row (BB2)."""
    rows = fewest_rows(sheet, (1 << ROWS) - 1)
    if rows & (rows - 1):
        if tie < 0:
            return rows
        rows = 1 << tie
    for row in range(ROWS):
        if rows >> row & 1:
            cross_next(layout, sheet, closed, seat, row, queue, log)
            cross_next(layout, sheet, closed, seat, row, queue, log)
    return 0


@kernel
def one_in_each(
    layout: Record, sheet: Record, closed: int, seat: int, cell: int, tie: int, queue: Ints, log: EventLog
) -> int:
    """Cross the next cell of each row, from top to bottom (BB3)."""
    for row in range(ROWS):
        cross_next(layout, sheet, closed, seat, row, queue, log)
    return 0


# ---- points


@kernel
def double_fewest(layout: Record, sheet: Record, group: int) -> int:
    """Return the points of the row with the fewest crosses, which counts twice (BB7)."""
    fewest = sheet.count[0]
    for row in range(1, ROWS):
        fewest = min(fewest, sheet.count[row])
    return row_points(layout, fewest)


@kernel
def plus(layout: Record, sheet: Record, group: int) -> int:
    """Return the points that the sheet file names (BB1)."""
    return int(layout.pair_points[group])


@kernel
def free_misses(layout: Record, sheet: Record, group: int) -> int:
    """Return the points that the misses cost, once for all pairs with this effect (BB6)."""
    for other in range(group):
        if layout.pair_effect[other] == layout.pair_effect[group] and is_complete(layout, sheet, other):
            return 0
    return int(sheet.misses * layout.miss_points)
