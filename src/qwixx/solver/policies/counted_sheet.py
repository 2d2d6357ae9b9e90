"""
Sheets whose positions determine the score: no classes of rows are merged.

The points of a row depend on its number of crosses, and misses are counted in the position. So the final score is a
function of the final position, and neither a distribution nor a target needs the points so far.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from qwixx.errors import QwixxError
from qwixx.jit.decorators import eager_entry, kernel
from qwixx.kernel.game_end import ends_by_rows
from qwixx.kernel.paper import row_points
from qwixx.kernel.state.records import ROWS, Ints, Record, Records
from qwixx.solver.build.plan import Plan, check_memory, plan
from qwixx.solver.build.sweep import set_rows
from qwixx.solver.encoding.marked_state import Firsts
from qwixx.solver.encoding.sheet_index import CLASSES, Values, place
from qwixx.solver.lookahead.leaves import place_sheet
from qwixx.variants.model import Pad, Variant

Points = npt.NDArray[np.int32]
"""By slot and class: the points of a row."""


def counted_plan(variant: Variant, lucky: Pad | None) -> Plan:
    """Plan a sheet whose positions determine the score; raises `QwixxError` for a sheet with marked cells."""
    work = plan(variant, lucky, keep_counts=True)
    refuse_marked(work)
    check_memory(work)
    return work


def refuse_marked(work: Plan) -> None:
    """Refuse a sheet where the score depends on more than its rows and misses."""
    if work.folds[0].remembers:
        raise QwixxError(
            f"{work.variant.id!r} has marked cells; exact distributions, targets and policies are known for sheets"
            " without them."
        )


def class_points(work: Plan) -> Points:
    """Return the points of every class of every slot."""
    fold = work.folds[0]
    found = np.zeros((ROWS, CLASSES), np.int32)
    for slot in range(ROWS):
        for this in range(fold.classes[slot]):
            found[slot, this] = row_points(work.layouts[0], int(fold.count[slot, this]))
    return found


def score_range(work: Plan) -> tuple[int, int]:
    """Return bounds of the final score: only misses, and full rows."""
    misses = int(work.folds[0].end_misses) * int(work.layouts[0].miss_points)
    return -misses, int(class_points(work).max(axis=1).sum())


@kernel
def points_of(points: Points, rows: Ints) -> int:
    """Add the points of four rows."""
    return int(points[0, rows[0]] + points[1, rows[1]] + points[2, rows[2]] + points[3, rows[3]])


@kernel
def is_finished(fold: Record, rows: Ints) -> bool:
    """Return whether enough rows are closed to end the game (C11)."""
    closed = 0
    for slot in range(ROWS):
        closed |= int(rows[slot] >= fold.shut[slot]) << slot
    return bool(ends_by_rows(fold, closed))


@kernel
def lower_end(fold: Record, upper: int) -> int:
    """Return the end of the range of lower couples; of two halves that can be exchanged, the larger number is first."""
    return int(upper + 1 if fold.is_swapped else fold.couples[1])


@eager_entry
def place_start(layouts: Records, folds: Records, firsts: Firsts, states: Records) -> int:
    """Return the place of a position before its roll."""
    return place_sheet(layouts[0], folds[0], firsts, states[0].sheets[0], np.empty(ROWS, np.int32))


def merged_classes(counted: Plan, merged: Plan) -> Ints:
    """Return, by slot and class of a counted sheet, the class of the sheet with merged classes."""
    fold, other = counted.folds[0], merged.folds[0]
    found = np.zeros((ROWS, CLASSES), np.int32)
    for slot in range(ROWS):
        for this in range(fold.classes[slot]):
            count = int(fold.count[slot, this])
            if this >= fold.shut[slot]:
                found[slot, this] = other.shut_of[slot, count]
            else:
                found[slot, this] = other.class_of[slot, fold.next[slot, this], count]
    return found


@eager_entry
def spread_values(
    folds: Records, turns: Records, others: Records, classes: Ints, values: Values, found: Values
) -> None:
    """Copy the values of a table with merged classes to one without."""
    fold = folds[0]
    rows = turns[0].rows
    for upper in range(fold.couples[0]):
        for lower in range(lower_end(fold, upper)):
            set_rows(fold, turns[0], upper, lower)
            here = place(fold, rows[0], rows[1], rows[2], rows[3])
            there = place(others[0], classes[0, rows[0]], classes[1, rows[1]], classes[2, rows[2]], classes[3, rows[3]])
            for miss in range(fold.end_misses):
                found[here, miss] = values[there, miss]
