"""
What a game looks like in memory: three flat NumPy records and the numbers that name things in them.

`LAYOUT` is a compiled variant and never changes during a game, `SHEET` is one seat's paper, `STATE` is a whole
game. All fields are 32-bit integers: small ones would overflow when the kernel runs interpreted, where
NumPy keeps the narrow type that numba widens.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

type_int = np.int32
Record = np.record
"""One layout, sheet or state: a view into an array of them, passed around as a pointer."""
Ints = npt.NDArray[np.int32]
Records = npt.NDArray[np.record]

# ---- sizes: the largest any variant needs; one size for all means one compiled kernel for all
ROWS: Final = 4
POSITIONS: Final = 15
"""Cells in the longest row (Longo)."""
CELLS: Final = ROWS * POSITIONS
COLORS: Final = 4
TOTALS: Final = 17
"""Sums run up to 16."""
SEATS: Final = 5
TRACK: Final = 16
PAIRS: Final = 8
LUCKY: Final = 8
POINTS: Final = POSITIONS + 2
HAND: Final = 5
DISPLAY: Final = 4
DECK: Final = 85
"""Card codes are color * TOTALS + number, so this is also one more than the largest code."""
JOKER: Final = 4
"""The color of a joker."""
BACK: Final = 5
"""The color of a card that is seen from behind."""

# ---- phases
ROLL, WHITE, COLOR, OVER, DEAL, DRAW, SHUFFLE, NUMBER, PLAY = range(9)
PHASES: Final = ("roll", "white", "color", "over", "deal", "draw", "shuffle", "number", "play")

# ---- flows
DICE: Final = 0
CARDS: Final = 1

# ---- effects of a cell
NOTHING: Final = 0
BOXED: Final = 1
"""Bonus A: uses the next cell of the bar."""
PAIRED: Final = 2
"""Bonus B: does something once its partner is crossed too."""

# ---- effects of a completed pair (BB1)
TWO_IN_FEWEST, ONE_IN_EACH, DOUBLE_FEWEST, PLUS_POINTS, FREE_MISSES = range(5)
PAIR_EFFECTS: Final = ("two-in-fewest", "one-in-each", "double-fewest", "plus-points", "free-misses")
COUNTING_PAIRS: Final = (TWO_IN_FEWEST, DOUBLE_FEWEST)
"""Pairs that look at how many crosses rows hold, also at rows in which nothing can be crossed any more (BB2, BB7)."""
LASTING_PAIRS: Final = (DOUBLE_FEWEST, FREE_MISSES)
"""Pairs that change what later crosses and misses are worth, once both cells are crossed."""

# ---- ties (BB2)
NO_TIE: Final = -1
TIE_ALONE: Final = -2
"""In `tie_partner`: a cell that can lead to a tie by itself."""
TIES_BY_BAR: Final = 2
"""In `has_ties`: a tie can come while all pairs are blank."""

# ---- endings (C11, K8, D8), in the order in which they are named if several come together
ENDINGS: Final = ("", "rows", "misses", "pawns")
BY_ROWS, BY_MISSES, BY_PAWNS = 1, 2, 3

# ---- actions: one integer each, in one fixed order for every variant
PASS: Final = CELLS
TIES: Final = PASS + 1
"""TIES + row * CELLS + cell: cross the cell and take this row where its bonus meets a tie."""
TAKES: Final = TIES + ROWS * CELLS
"""TAKES + mask of places of the display."""
PLAYS: Final = TAKES + (1 << DISPLAY)
"""PLAYS + (cards * COLORS + color) * 8 + mask of the cards whose number is crossed."""
SUBSETS: Final = tuple(sorted((m for m in range(1, 1 << HAND) if m.bit_count() <= 3), key=lambda m: (m.bit_count(), m)))
"""The ways to choose one to three cards of a hand, as masks of its places."""
ACTIONS: Final = PLAYS + len(SUBSETS) * COLORS * 8
NO_CHOICE: Final = -1


def record_type(fields: list[tuple[str, object] | tuple[str, object, tuple[int, ...]]]) -> np.dtype[np.record]:
    """Make a record type whose fields can be read as attributes, compiled and interpreted."""
    return np.dtype((np.record, fields))  # type: ignore[return-value]  # the stubs miss this form


LAYOUT: Final = record_type(
    [
        ("flow", type_int),
        ("shared", type_int),  # 1: one board for all, and only the active seat acts (duel)
        ("personal", type_int),  # 1: a row closes only for whoever closed it (K7)
        ("sides", type_int),
        ("most_seats", type_int),
        ("length", type_int, (ROWS,)),
        ("value", type_int, (ROWS, POSITIONS)),
        ("color", type_int, (ROWS, POSITIONS)),
        ("effect", type_int, (ROWS, POSITIONS)),
        ("pair", type_int, (ROWS, POSITIONS)),
        ("closes_from", type_int, (ROWS,)),  # the first position that closes the row
        ("closes_need", type_int, (ROWS,)),  # crosses needed before that
        ("lock_color", type_int, (ROWS,)),  # the die that leaves when the row closes
        ("white_spots", type_int, (TOTALS, ROWS)),  # position of a number in a row, or -1
        ("color_spots", type_int, (COLORS, TOTALS)),  # the cell with a color and number, or -1
        ("in_order", type_int),  # 1: each row has its own color in the order of the dice, so color sums come sorted
        ("points", type_int, (POINTS,)),  # by number of crosses
        ("points_crosses", type_int),  # crosses beyond this many count no more (D9)
        ("miss_points", type_int),
        ("end_rows", type_int),
        ("end_misses", type_int),
        ("has_effects", type_int),
        ("has_ties", type_int),  # 1: some cells can lead to a tie, 2: boxed ones too
        ("tie_marks", type_int, (ROWS,)),  # bits of the cells whose pair makes crosses, and so can lead to a tie
        ("tie_partner", type_int, (ROWS, POSITIONS)),  # the other cell of such a pair, or NO_TIE
        ("track_length", type_int),
        ("track", type_int, (TRACK,)),  # the row each cell of the bar crosses in
        ("pairs", type_int),
        ("pair_effect", type_int, (PAIRS,)),
        ("pair_points", type_int, (PAIRS,)),
        ("pair_cells", type_int, (PAIRS, 2)),
        ("lucky_pads", type_int),
        ("lucky", type_int, (LUCKY, 2)),
        ("pawns", type_int),
        ("deck_size", type_int),
        ("deck", type_int, (DECK,)),
        ("dealt", type_int),  # cards dealt to each seat (K2)
        ("left_out", type_int),  # cells that may be left out between played crosses, -1 for any (K5, K10)
    ]
)

SHEET: Final = record_type(
    [
        ("marks", type_int, (ROWS,)),  # bit p: the cell at position p is crossed
        ("next", type_int, (ROWS,)),  # the first position still crossable
        ("count", type_int, (ROWS,)),  # crosses, the lock included
        ("locks", type_int),  # bit r: this seat crossed the lock of row r
        ("misses", type_int),
        ("used", type_int),  # bits of the bar
        ("struck", type_int),
        ("lucky", type_int, (2,)),
    ]
)

STATE: Final = record_type(
    [
        ("rng", np.uint64),
        ("seats", type_int),
        ("active", type_int),
        ("turn", type_int),
        ("phase", type_int),
        ("ending", type_int),
        ("waiting", type_int),  # bit s: seat s owes a decision
        ("crossed", type_int),  # the active seat has crossed something this turn
        ("first_cell", type_int),  # duel: the cell of action 1, or -1
        ("closed", type_int),  # bit r: row r is closed for all
        ("gone", type_int),  # bit c: the die of color c has left
        ("dice", type_int, (2 + COLORS,)),
        ("choices", type_int, (SEATS,)),
        ("sheets", SHEET, (SEATS,)),
        ("board", type_int, (2, ROWS, POSITIONS)),  # duel: pawns of a seat on a cell
        ("held", type_int, (SEATS,)),
        ("hands", type_int, (SEATS, HAND)),
        ("display", type_int, (DISPLAY,)),
        ("pile_size", type_int),
        ("pile", type_int, (DECK,)),  # the top card stands last
        ("discarded", type_int),
        ("discards", type_int, (DECK,)),
    ]
)

MENU: Final = record_type([("actions", type_int, (ACTIONS,))])
"""Room for the longest list of actions. As a record it is one pointer, which costs nothing to hand on."""

NO_CARD: Final = -1
