"""
Everything one row can still do, asked of the kernel: its classes, where each cross leads and what it earns.

No rule is stated here. A row is walked through from empty by `paper.refuses` and `paper.mark`, and the points
come from `paper.row_points`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from qwixx.kernel.jit import bulk
from qwixx.kernel.paper import mark, refuses, row_points
from qwixx.kernel.records import POSITIONS, SHEET, Ints, Records
from qwixx.kernel.refusals import ALLOWED
from qwixx.kernel.trail import clear, new_trail

Spot = tuple[int, int]
"""First crossable position and crosses of a row; the position is CLOSED once the row is."""
CLOSED = -1


@dataclass(frozen=True, slots=True)
class Cross:
    """What one cross does to a row."""

    to: Spot
    gain: int


@bulk
def _try_crosses(layouts: Records, sheets: Records, row: int, next_: int, count: int, found: Ints, trail: Ints) -> None:
    """Cross each cell of a row in turn; note next, crosses, whether it closed, and the points, or a refusal as -1."""
    layout = layouts[0]
    sheet = sheets[0]
    for position in range(POSITIONS):
        sheet.locks = 0
        sheet.marks[row] = 0
        sheet.next[row] = next_
        sheet.count[row] = count
        found[position, 0] = -1
        if position < layout.length[row] and refuses(layout, sheet, 0, row, position) == ALLOWED:
            clear(trail)
            mark(layout, sheet, 0, row, position, trail)
            found[position, 0] = sheet.next[row]
            found[position, 1] = sheet.count[row]
            found[position, 2] = sheet.locks >> row & 1
            found[position, 3] = row_points(layout, sheet.count[row]) - row_points(layout, count)


def row_crosses(layouts: Records, row: int) -> dict[Spot, dict[int, Cross]]:
    """Find every spot a row can be at while it is open, with all crosses from there by position."""
    sheets: Records = np.zeros(1, SHEET)
    found = np.zeros((POSITIONS, 4), np.int32)
    trail = new_trail()
    crosses: dict[Spot, dict[int, Cross]] = {}
    waiting: list[Spot] = [(0, 0)]
    while waiting:
        spot = waiting.pop()
        if spot in crosses:
            continue
        _try_crosses(layouts, sheets, row, *spot, found, trail)
        crosses[spot] = {
            position: Cross((CLOSED if closed else next_, count), gain)
            for position, (next_, count, closed, gain) in enumerate(found.tolist())
            if next_ >= 0
        }
        waiting += [cross.to for cross in crosses[spot].values() if cross.to[0] != CLOSED]
    return dict(sorted(crosses.items()))


def crossed_sets(crosses: dict[Spot, dict[int, Cross]], marked: Collection[int]) -> dict[Spot, set[frozenset[int]]]:
    """Find, for every spot of a row, closed ones too, which of its marked cells may have been crossed on the way."""
    sets: dict[Spot, set[frozenset[int]]] = {spot: set() for spot in crosses}
    sets[0, 0].add(frozenset())
    for spot, ways in crosses.items():  # in the order of positions: whatever leads to a spot stands before it
        for position, cross in ways.items():
            more = {position} & set(marked)
            sets.setdefault(cross.to, set()).update(crossed | more for crossed in sets[spot])
    return sets
