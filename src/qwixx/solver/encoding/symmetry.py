"""
The symmetries of a sheet, found by trial: rows exchanged, colors exchanged, numbers mirrored.

All faces of a die are equally likely: a roll of 3 is as likely as a roll of 4, so a sheet whose numbers n are
replaced by `2 * sides + 2 - n` plays the same, and so does one with the colors exchanged. Wherever such an
exchange turns the sheet into itself with its rows in another order, two positions are one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np

from qwixx.kernel.state.records import COLORS, LAYOUT, ROWS, Record
from qwixx.variants.model import Pad

Order = tuple[int, ...]
"""Row `order[r]` takes the place of row r."""
IDENTITY: Order = tuple(range(ROWS))


@dataclass(frozen=True, slots=True)
class Symmetry:
    """The sheet looks the same with row `rows[r]` in the place of row r, `mirrored` if numbers are counted back."""

    rows: Order
    mirrored: bool


def _colors_match(layout: Record, rows: Order) -> bool:
    """Whether one exchange of colors takes every cell of row r to the cell at the same place of row `rows[r]`."""
    there: dict[int, int] = {}
    for row in range(ROWS):
        for position in range(layout.length[row]):
            color = int(layout.color[row, position])
            other = int(layout.color[rows[row], position])
            if there.setdefault(color, other) != other:
                return False
    return len(set(there.values())) == len(there) <= COLORS


def _rows_match(layout: Record, rows: Order, mirrored: bool) -> bool:
    """Whether lengths, closing cells and numbers of row r are those of row `rows[r]`."""
    for row, other in enumerate(rows):
        for field in ("length", "closes_from", "closes_need"):
            if layout[field][row] != layout[field][other]:
                return False
        for position in range(layout.length[row]):
            value = layout.value[row, position]
            expected = 2 * layout.sides + 2 - value if mirrored else value
            if layout.value[other, position] != expected:
                return False
    return True


def symmetries(layout: Record) -> list[Symmetry]:
    """
    Find every symmetry of a sheet, the identity first.

    Bars and pairs name particular rows, so a sheet with effects has the identity only. Lucky numbers are the
    player's, not the sheet's: see `keeps_lucky`.
    """
    return list(_symmetries(layout.tobytes()))


@lru_cache(maxsize=64)  # each bot that sits down needs them
def _symmetries(written: bytes) -> tuple[Symmetry, ...]:
    layout = np.frombuffer(written, LAYOUT)[0]
    if layout.has_effects:
        return (Symmetry(IDENTITY, mirrored=False),)
    return tuple(
        Symmetry(rows, mirrored)
        for mirrored in (False, True)
        for rows in permutations(range(ROWS))
        if _rows_match(layout, rows, mirrored) and _colors_match(layout, rows)
    )


def mirror(layout: Record, lucky: Pad) -> Pad:
    """Return the mirror image of lucky numbers."""
    small, large = sorted(2 * int(layout.sides) + 2 - number for number in lucky)
    return small, large


def keeps_lucky(layout: Record, symmetry: Symmetry, lucky: Pad | None) -> bool:
    """Whether a symmetry leaves a player's lucky numbers as they are (L4)."""
    return lucky is None or not symmetry.mirrored or mirror(layout, lucky) == tuple(sorted(lucky))
