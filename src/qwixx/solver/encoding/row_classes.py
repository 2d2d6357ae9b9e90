"""
All possible states of one row, from the kernel: its classes, the successor of each cross and its points.

There are no rules here. A row is explored from empty by `paper.refuses` and `paper.mark`, and the points come from
`paper.row_points`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from qwixx.jit.decorators import eager_entry
from qwixx.kernel.paper import mark, refuses, row_points
from qwixx.kernel.state.event_log import clear_log, new_log
from qwixx.kernel.state.records import POSITIONS, SHEET, Ints, Records
from qwixx.kernel.state.refusals import ALLOWED

Spot = tuple[int, int]
"""First crossable position and crosses of a row; the position is CLOSED once the row is."""
CLOSED = -1


@dataclass(frozen=True, slots=True)
class Cross:
    """The effect of one cross on a row."""

    to: Spot
    gain: int


@eager_entry
def _try_crosses(layouts: Records, sheets: Records, row: int, next_: int, count: int, found: Ints, log: Ints) -> None:
    """Cross each cell of a row in turn; write next, crosses, whether it closed, and the points, or -1 if refused."""
    layout = layouts[0]
    sheet = sheets[0]
    for position in range(POSITIONS):
        sheet.locks = 0
        sheet.marks[row] = 0
        sheet.next[row] = next_
        sheet.count[row] = count
        found[position, 0] = -1
        if position < layout.length[row] and refuses(layout, sheet, 0, row, position) == ALLOWED:
            clear_log(log)
            mark(layout, sheet, 0, row, position, log)
            found[position, 0] = sheet.next[row]
            found[position, 1] = sheet.count[row]
            found[position, 2] = sheet.locks >> row & 1
            found[position, 3] = row_points(layout, sheet.count[row]) - row_points(layout, count)


def row_crosses(layouts: Records, row: int) -> dict[Spot, dict[int, Cross]]:
    """Return every spot of an open row, with all crosses from there by position."""
    sheets: Records = np.zeros(1, SHEET)
    found = np.zeros((POSITIONS, 4), np.int32)
    log = new_log()
    crosses: dict[Spot, dict[int, Cross]] = {}
    waiting: list[Spot] = [(0, 0)]
    while waiting:
        spot = waiting.pop()
        if spot in crosses:
            continue
        _try_crosses(layouts, sheets, row, *spot, found, log)
        crosses[spot] = {
            position: Cross((CLOSED if closed else next_, count), gain)
            for position, (next_, count, closed, gain) in enumerate(found.tolist())
            if next_ >= 0
        }
        waiting += [cross.to for cross in crosses[spot].values() if cross.to[0] != CLOSED]
    return dict(sorted(crosses.items()))


def crossed_sets(crosses: dict[Spot, dict[int, Cross]], marked: Collection[int]) -> dict[Spot, set[frozenset[int]]]:
    """Return, for every spot of a row, closed ones too, the possible sets of crossed marked cells."""
    sets: dict[Spot, set[frozenset[int]]] = {spot: set() for spot in crosses}
    sets[0, 0].add(frozenset())
    for spot, ways in crosses.items():  # in the order of positions: predecessors come first
        for position, cross in ways.items():
            more = {position} & set(marked)
            sets.setdefault(cross.to, set()).update(crossed | more for crossed in sets[spot])
    return sets
