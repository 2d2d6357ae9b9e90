"""
The index of a sheet: the record of tables that the solver, the chooser and the lookup share.

The future of a row depends only on its first crossable position and its number of crosses, or on whether it is
closed. Such a *row class* has a number; two rows make a *couple* of classes with a number, and two couples, the
upper and the lower half of the sheet, make the position. Couples are numbered by how far right their crosses are,
so positions of equal reach, which never lead to one another, are in ranges.

Symmetries of the sheet (`encoding.symmetry`) fold the numbering: rows that can be exchanged make an unordered couple,
halves that can be exchanged make an unordered position.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from qwixx.jit.decorators import kernel
from qwixx.kernel.state.records import PAIRS, POSITIONS, ROWS, Ints, Record

CLASSES: Final = 121
"""At most: 106 open spots of a row of 15 cells that closes with its last one, and closed with 2 to 16 crosses."""
COUPLES: Final = CLASSES * CLASSES
FLAGS: Final = 1 << PAIRS
"""Sets of pairs (BB1)."""
REACHES: Final = 2 * POSITIONS + 4
"""The number of possible reaches of two rows."""

Kind = type | np.dtype[np.record]
Field = tuple[str, Kind] | tuple[str, Kind, tuple[int, ...]]


def aligned_record(fields: list[Field]) -> np.dtype[np.record]:
    """
    Return a record type whose 64-bit fields are aligned.

    Compiled code assumes that arrays inside a record are aligned. The kernel's own records need no alignment: all their
    fields but one have 32 bits.
    """
    return np.dtype((np.record, np.dtype(fields, align=True)))  # type: ignore[return-value]  # the stubs miss this form


FOLD: Final = aligned_record(
    [
        ("order", np.int32, (ROWS,)),  # the row of the sheet in each slot of the folded sheet
        ("slot_of", np.int32, (ROWS,)),  # the other way round
        ("lucky", np.int32, (2,)),  # as seen by the folded sheet, 0 for none
        ("is_mirrored", np.int32),  # 1: the folded sheet is the image of the player's, its faces counted back
        ("is_swapped", np.int32),  # 1: the upper and the lower half can be exchanged
        ("sides", np.int32),
        ("end_rows", np.int32),
        ("miss_points", np.int32),
        ("total", np.int32, (ROWS, POSITIONS)),  # the number of a cell, by slot
        ("color", np.int32, (ROWS, POSITIONS)),
        ("lock_color", np.int32, (ROWS,)),
        ("end_misses", np.int32),  # this many end the game; the table has values for fewer
        ("classes", np.int32, (ROWS,)),  # how many there are per slot
        ("shut", np.int32, (ROWS,)),  # the first class of a closed row; all from here on are closed
        ("shut_of", np.int32, (ROWS, POSITIONS + 2)),  # the class of a closed row by its crosses
        ("class_of", np.int32, (ROWS, POSITIONS + 1, POSITIONS + 2)),  # by first crossable position and crosses
        ("next", np.int32, (ROWS, CLASSES)),
        ("count", np.int32, (ROWS, CLASSES)),
        ("to", np.int32, (ROWS, CLASSES, POSITIONS)),  # the class after crossing a cell, -1 if it is refused
        ("gain", np.int32, (ROWS, CLASSES, POSITIONS)),  # the points that cross is worth
        ("couples", np.int64, (2,)),  # how many per half
        ("couple_of", np.int32, (2, COUPLES)),  # by class * CLASSES + class
        ("upper", np.int32, (2, COUPLES)),  # the classes of a couple
        ("lower", np.int32, (2, COUPLES)),
        ("reach_from", np.int32, (2, REACHES + 1)),  # the first couple of a reach
        # sheets with marked cells only: their state besides the rows (`encoding.marked_state`)
        ("remembers", np.int32),  # 1: the sheet has marked cells
        ("mark_bit", np.int32, (ROWS, POSITIONS)),  # bit p for the first cell of pair p, bit 8 + p for the second
        ("facts", np.int64, (ROWS, CLASSES)),  # what a class implies about marked cells
        ("lasting", np.int32),  # bits of the pairs that count at the end
        ("rank", np.int32, (FLAGS, FLAGS)),  # by remembered pairs and those of them that are crossed
        ("least_boxed", np.int32, (ROWS, CLASSES)),  # boxed cells that must have been crossed
        ("most_boxed", np.int32, (ROWS, CLASSES)),  # boxed cells that may have been crossed
        ("bar_cells", np.int32, (ROWS,)),  # cells of the bar that cross in a row
        ("bar_length", np.int32),
    ]
)

Values = npt.NDArray[np.float64]
"""By position and misses: the points still to come, on average, with best play."""

Policy = npt.NDArray[np.float32]
"""The same by misses and position, in half the size: the lookups of many games stay in the CPU cache."""


@kernel
def place(fold: Record, first: int, second: int, third: int, fourth: int) -> int:
    """Return the number of a position by the classes of its four rows."""
    upper = fold.couple_of[0, first * CLASSES + second]
    lower = fold.couple_of[1, third * CLASSES + fourth]
    if fold.is_swapped == 0:
        return int(upper * fold.couples[1] + lower)
    high = np.int64(max(upper, lower))
    return int(high * (high + 1) // 2 + min(upper, lower))


@kernel
def read_rows(fold: Record, sheet: Record, rows: Ints) -> None:
    """Write the class of each slot of a sheet."""
    for slot in range(ROWS):
        row = fold.order[slot]
        if sheet.locks >> row & 1:
            rows[slot] = fold.shut_of[slot, sheet.count[row]]
        else:
            rows[slot] = fold.class_of[slot, sheet.next[row], sheet.count[row]]


def positions(fold: Record) -> int:
    """Count the places of the table, those of finished games included."""
    upper, lower = int(fold.couples[0]), int(fold.couples[1])
    return upper * (upper + 1) // 2 if fold.is_swapped else upper * lower
