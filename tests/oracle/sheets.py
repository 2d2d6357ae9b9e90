"""The printed sheets, copied by hand from the rule book."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

COLORS = "rygb"
DICE_GAMES = (
    "classic",
    "gemixxt-a",
    "gemixxt-b",
    "bonus-a",
    "bonus-b",
    "longo",
    "big-points",
    "connected-a",
    "connected-b",
    "double-a",
    "double-b",
    "x-change",
    "lucky-15",
    "connect-15",
)

# C12, L3, BP5 and DA4: points for 0, 1, 2, ... crosses in a row.
POINTS = [0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120, 136]

# L5: our pads, in the order in which seats get them here by default.
PADS = [(5, 10), (6, 11), (7, 12), (8, 13), (4, 9)]

UP = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
DOWN = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
LONG_UP = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
LONG_DOWN = [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]

# BA1: the bar, left to right, and the boxed cells.
BAR = ["r", "y", "g", "b", "g", "r", "b", "y", "r", "y", "b", "g"]
BOXED = ["r3", "r6", "r9", "y5", "y8", "y11", "g11", "g7", "g4", "b10", "b8", "b5"]

# BB1: two cells of each kind.
PAIRS = {
    "two-in-fewest": ["y11", "g9"],
    "one-in-each": ["y7", "b7"],
    "double-fewest": ["r8", "b10"],
    "plus-13": ["r6", "b4"],
    "free-misses": ["y3", "g5"],
}


@dataclass
class Sheet:
    """A printed sheet: rows of cells, each a number and a color, and the requirements to close a row."""

    rows: dict[str, list[tuple[int, str]]]
    closers: int = 1  # number of closing cells at the end of a row (C7, L2)
    need: int = 5  # crosses that the row must already have to be closed (C7, L2)
    sides: int = 6
    most: int = 15  # crosses of a row that score (BP5, DA4, F5); other games never have more

    def __deepcopy__(self, memo: dict[int, Any]) -> Sheet:
        return self  # printed sheets are constant

    def name(self, row: str, place: int) -> str:
        """Text of a cell."""
        return f"{row}{self.rows[row][place][0]}"

    def find(self, text: str) -> tuple[str, int]:
        """Row and place of a cell given as text."""
        row, value = text[0], int(text[1:])
        return row, [number for number, _ in self.rows[row]].index(value)

    def spots(self, value: int, color: str | None) -> list[tuple[str, int]]:
        """Cells with this number, of any color or of this one, in the order of the sheet (C3, C4, G2)."""
        return [
            (row, place)
            for row, cells in self.rows.items()
            for place, (number, tint) in enumerate(cells)
            if number == value and color in (None, tint)
        ]

    def closes(self, row: str, place: int) -> bool:
        """Whether crossing this cell closes its row (C7, L2)."""
        return place >= len(self.rows[row]) - self.closers

    def die(self, row: str) -> str:
        """Color of the die that is removed when this row closes: that of its last cell (C8, G3)."""
        return self.rows[row][-1][1]


def _plain(red: list[int], yellow: list[int], green: list[int], blue: list[int]) -> dict[str, list[tuple[int, str]]]:
    rows = {"r": red, "y": yellow, "g": green, "b": blue}
    return {color: [(value, color) for value in values] for color, values in rows.items()}


CLASSIC = Sheet(_plain(UP, UP, DOWN, DOWN))

# G1
GEMIXXT_A = Sheet(
    {
        "A": list(zip(UP, "yyybbbgggrr", strict=True)),
        "B": list(zip(UP, "rrggggbbyyy", strict=True)),
        "C": list(zip(DOWN, "bbbyyyrrrgg", strict=True)),
        "D": list(zip(DOWN, "ggrrrryybbb", strict=True)),
    }
)

# G5
GEMIXXT_B = Sheet(
    _plain(
        [10, 6, 2, 8, 3, 4, 12, 5, 9, 7, 11],
        [9, 12, 4, 6, 7, 2, 5, 8, 11, 3, 10],
        [8, 2, 10, 12, 6, 9, 7, 4, 5, 11, 3],
        [5, 7, 11, 9, 12, 3, 8, 10, 2, 6, 4],
    )
)

# L1, L2
LONGO = Sheet(_plain(LONG_UP, LONG_UP, LONG_DOWN, LONG_DOWN), closers=2, need=6, sides=8)

# DA3, DA4, DB3
DOUBLE = Sheet(_plain(UP, UP, DOWN, DOWN), need=7, most=16)

# DB1: the double cells.
DOUBLE_CELLS = ["r3", "r5", "r9", "r11", "y3", "y5", "y9", "y11", "g10", "g8", "g6", "g4", "b10", "b8", "b6", "b4"]

# BP1: the two rows that each bonus row lies between.
BONUS_ROWS = {"ry": ("r", "y"), "gb": ("g", "b")}

# CA1: the framed cells of each pad.
STAIRS = {
    "A": "y2 g11 b10 g9 y6 r7 y8 g5 b4 g3 y12",
    "B": "b12 g11 y4 r5 y6 g7 b6 g5 y10 r11 y12",
    "C": "g12 b11 g10 y5 r6 y7 g6 b5 g4 y11 r12",
    "D": "y2 r3 y4 g9 b8 g7 y8 r9 y10 g3 b2",
    "E": "r2 y3 g10 b9 g8 y7 r8 y9 g4 b3 g2",
    "F": "g12 y3 r4 y5 g8 b7 g6 y9 r10 y11 g2",
}

# CB1: the pairs of ringed cells of each pad.
CHAINS = {
    "A": "r6-y6 r11-y11 y3-g11 y8-g6 g9-b9 g4-b4",
    "B": "r4-y4 r9-y9 y6-g8 y11-g3 g11-b11 g6-b6",
    "C": "r3-y3 r8-y8 y6-g8 y11-g3 g10-b10 g5-b5",
    "D": "r5-y5 r10-y10 y3-g11 y8-g6 g8-b8 g3-b3",
    "E": "r6-y6 r9-y9 y3-g11 y11-g3 g9-b9 g6-b6",
}

# XC1: the fields of the bar, left to right.
FIELDS = [(8, 5), (9, 7), (11, 3), (7, 4), (10, 3), (8, 6), (10, 5), (11, 9), (6, 4)]

# F1: points of the track's fields, the best one counts.
TRACK = [5, 11, 18, 25]

# F3: small fields of a row lie behind these numbers.
SMALL = {"r": [3, 6, 10], "y": [5, 7, 9], "g": [10, 6, 4], "b": [11, 8, 5]}

SHEETS = {
    "classic": CLASSIC,
    "gemixxt-a": GEMIXXT_A,
    "gemixxt-b": GEMIXXT_B,
    "bonus-a": CLASSIC,
    "bonus-b": CLASSIC,
    "longo": LONGO,
    "big-points": CLASSIC,
    "connected-a": CLASSIC,
    "connected-b": CLASSIC,
    "double-a": DOUBLE,
    "double-b": DOUBLE,
    "x-change": CLASSIC,
    "lucky-15": CLASSIC,
    "connect-15": CLASSIC,
}
