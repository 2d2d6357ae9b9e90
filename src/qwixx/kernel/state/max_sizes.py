"""
The sizes of arrays: the maximum over all variants. One size for all means one compiled kernel for all.

`records` exports these numbers again; import them from there, with the other numbers of the kernel.
"""

from __future__ import annotations

from typing import Final

ROWS: Final = 4
POSITIONS: Final = 15
"""Cells in the longest row (Longo)."""
CELLS: Final = ROWS * POSITIONS
COLORS: Final = 4
TOTALS: Final = 17
"""Sums go up to 16."""
SEATS: Final = 5
BAR: Final = 16
PAIRS: Final = 8
LUCKY: Final = 8
POINTS: Final = POSITIONS + 2
HAND: Final = 5
DISPLAY: Final = 4
PADS: Final = 6
"""Pads of a game whose seats have different ones (CA1, CB1)."""
LINKS: Final = 6
"""Pairs of linked cells on a pad (CB1)."""
BONUS_ROWS: Final = 2
TRACK_FIELDS: Final = 8
SMALLS: Final = 16
"""Small fields of a sheet (F3)."""
DECK: Final = 85
"""Card codes are color * TOTALS + number, so this is also one more than the largest code."""
TURNS: Final = 100_000
"""The highest turn number of a position that is set up by hand."""

NO_CARD: Final = -1
NO_CHOICE: Final = -1
NO_CELL: Final = -1
