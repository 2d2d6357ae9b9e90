"""
The state of a sheet with marked cells besides its rows, as one small number.

**The bar** (BA2 to BA4). All bar cells left of the first cell that is neither used nor struck are used or struck, and
right of it only cells of closed rows are struck. So one *pointer* and the closed rows are enough, and the rows allow
only a few pointers: it moves with every boxed cell crossed and skips struck cells.

**Pairs** (BB1). Whether a marked cell is crossed matters only while its partner can still be crossed; for pairs that
count at the end, whether both cells are crossed matters until the end. That is at most one bit for each pair, and none
where the rows determine it.

The classes of the rows determine which cells lie ahead, are surely crossed or may be crossed: bit masks, combined for
the whole sheet by three ors. `firsts` holds where the numbers of each position begin, and at its end the one place of
all finished games.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from qwixx.jit.decorators import eager_entry, kernel
from qwixx.kernel.flow import strike
from qwixx.kernel.game_end import ends_by_rows
from qwixx.kernel.paper import is_crossed, next_bar_cell
from qwixx.kernel.state.bitmasks import count_bits
from qwixx.kernel.state.records import PAIRS, POSITIONS, ROWS, Ints, Record, Records
from qwixx.solver.encoding.sheet_index import FLAGS, place

Firsts = npt.NDArray[np.int64]
"""By position: the first of its numbers; one more than there are positions. Empty for sheets without marked cells."""

SECOND: Final = PAIRS
"""Masks of cells hold the first cells of all pairs and, this many bits further, the second ones."""
AHEAD: Final = 0
UNSURE: Final = 2 * SECOND
SURE: Final = 4 * SECOND
_ALL: Final = FLAGS - 1


@kernel
def _facts(fold: Record, rows: Ints) -> int:
    """Combine what four rows imply about marked cells."""
    found = fold.facts[0, rows[0]]
    for slot in range(1, ROWS):
        found |= fold.facts[slot, rows[slot]]
    return int(found)


@kernel
def _remembered(fold: Record, facts: int) -> int:
    """Return the pairs whose state is part of the position."""
    ahead = facts >> AHEAD
    unsure = facts >> UNSURE
    sure = facts >> SURE
    half = unsure & ahead >> SECOND | unsure >> SECOND & ahead
    possible = unsure | sure
    whole = possible & possible >> SECOND & ~(sure & sure >> SECOND) & fold.lasting
    return int((half | whole) & _ALL)


@kernel
def _first_pointer(fold: Record, rows: Ints) -> int:
    """Return the leftmost place of the bar's pointer."""
    least = 0
    for slot in range(ROWS):
        least += fold.least_boxed[slot, rows[slot]]
    return int(min(least, fold.bar_length))


@kernel
def _pointers(fold: Record, rows: Ints) -> int:
    """Count the possible places of the bar's pointer."""
    most = 0
    for slot in range(ROWS):
        most += fold.most_boxed[slot, rows[slot]]
        if rows[slot] >= fold.shut[slot]:
            most += fold.bar_cells[slot]
    return int(min(most, fold.bar_length) - _first_pointer(fold, rows) + 1)


@kernel
def locate(fold: Record, firsts: Firsts, rows: Ints, crossed: int, pointer: int) -> int:
    """Return the number of a position with these crossed cells of pairs and this pointer."""
    at = firsts[place(fold, rows[0], rows[1], rows[2], rows[3])]
    facts = _facts(fold, rows)
    remembered = _remembered(fold, facts)
    if remembered:
        ahead = facts >> AHEAD
        other = crossed >> SECOND
        both = crossed & ahead >> SECOND | other & ahead | crossed & other
        at += fold.rank[remembered, both & remembered]
    if fold.bar_length:
        at += pointer - _first_pointer(fold, rows) << count_bits(remembered)
    return int(at)


@kernel
def read_crossed(layout: Record, sheet: Record) -> int:
    """Return the crossed cells of pairs as a mask."""
    crossed = 0
    for pair in range(layout.pairs):
        crossed |= int(is_crossed(sheet, layout.pair_cells[pair, 0])) << pair
        crossed |= int(is_crossed(sheet, layout.pair_cells[pair, 1])) << pair + SECOND
    return crossed


@kernel
def read_pointer(layout: Record, sheet: Record) -> int:
    """Return the place of the first bar cell that is neither used nor struck; the bar's length if there is none."""
    index = next_bar_cell(layout, sheet)
    return int(index if index >= 0 else layout.bar_length)


@kernel
def write_sheet(layout: Record, fold: Record, rows: Ints, number: int, sheet: Record) -> bool:
    """
    Set up a sheet that represents all with these classes and this number among those of its position.

    False if there is none: the pointer would be on a struck cell.
    """
    sheet.locks = 0
    sheet.misses = 0
    sheet.struck = 0
    facts = _facts(fold, rows)
    remembered = _remembered(fold, facts)
    pointer = _first_pointer(fold, rows) + (number >> count_bits(remembered))
    sheet.used = (1 << pointer) - 1
    for row in range(ROWS):
        sheet.next[row] = fold.next[row, rows[row]]
        sheet.count[row] = fold.count[row, rows[row]]
        sheet.marks[row] = 0
        if rows[row] >= fold.shut[row]:
            sheet.locks |= 1 << row
            strike(layout, sheet, 0, row, None)
    number &= (1 << count_bits(remembered)) - 1
    for pair in range(layout.pairs):
        is_set = remembered >> pair & number & 1
        number >>= remembered >> pair & 1
        for which in range(2):
            bit = pair + SECOND * which
            if facts >> SURE + bit & 1 or (is_set and facts >> UNSURE + bit & 1):
                cell = layout.pair_cells[pair, which]
                sheet.marks[cell // POSITIONS] |= 1 << cell % POSITIONS
    return bool(read_pointer(layout, sheet) == pointer)


@eager_entry
def _fill_firsts(folds: Records, firsts: Firsts) -> None:
    """Count the numbers of each position, none where the game is over, and add them up."""
    fold = folds[0]
    rows = np.empty(ROWS, np.int32)
    at = 0
    for upper in range(fold.couples[0]):
        for lower in range(fold.couples[1]):
            rows[0] = fold.upper[0, upper]
            rows[1] = fold.lower[0, upper]
            rows[2] = fold.upper[1, lower]
            rows[3] = fold.lower[1, lower]
            firsts[upper * fold.couples[1] + lower] = at
            closed = 0
            for slot in range(ROWS):
                closed |= int(rows[slot] >= fold.shut[slot]) << slot
            if not ends_by_rows(fold, closed):
                at += _pointers(fold, rows) << count_bits(_remembered(fold, _facts(fold, rows)))
    firsts[fold.couples[0] * fold.couples[1]] = at


def number_memories(folds: Records) -> Firsts:
    """Find where the numbers of each position begin; an empty array for a sheet without marked cells."""
    fold = folds[0]
    if not fold.remembers:
        return np.zeros(0, np.int64)
    firsts = np.zeros(int(fold.couples[0] * fold.couples[1]) + 1, np.int64)
    _fill_firsts(folds, firsts)
    return firsts
