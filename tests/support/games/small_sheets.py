"""Sheets that are small enough to be solved quickly; those in TINY even by the naive solver."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_FILE = """
id = "small-{id}"
like = "classic"
name = "{id}"
title = "Small enough to be solved at once."
seats = "{seats}"
sheet = \"\"\"
{sheet}
\"\"\"
{more}
[dice]
sides = {sides}
[closing]
crosses = {need}
[end]
rows = {rows}
misses = {misses}
[score]
rows = [1, 3, 6, 10, 15, 21]
miss = 2
{pairs}
"""
SMALL: dict[str, dict[str, Any]] = {
    "plain": {"sheet": "r 2 3 4 5 | 6 L\ny 2 3 4 5 | 6 L\ng 6 5 4 3 | 2 L\nb 6 5 4 3 | 2 L"},
    "mixed": {"sheet": "A r2 r3 y4 | b5 L\nB y2 b3 r4 | g6 L\nC g5 g4 b2 | r6 L\nD b6 y5 g2 | y3 L"},
    "lucky": {
        "sheet": "r 2 3 4 5 | 6 L\ny 2 3 4 5 | 6 L\ng 6 5 4 3 | 2 L\nb 6 5 4 3 | 2 L",
        "more": 'lucky = ["2/4", "4/6", "3/4"]',  # the first two mirror one another
    },
    "boxed": {
        "sheet": "r 2 [3] 4 5 | 6 L\ny 2 3 [4] 5 | 6 L\ng [6] 5 4 3 | 2 L\nb 6 5 4 [3] | 2 L",
        "more": 'bar = "b g r y g"',
    },
    "paired": {
        "sheet": "r 2 3a 4b 5 | 6 L\ny 2 3c 4 5 | 6 L\ng 6 5c 4 3a | 2 L\nb 6b 5 4 3 | 2 L",
        "pairs": 'a = "two-in-fewest"\nb = "double-fewest"\nc = "free-misses"',
    },
    # many boxes: a row closed by others may have all of them crossed or none
    "boxes": {
        "sheet": "r [2] [3] [4] 5 | 6 L\ny 2 [3] [4] [5] | 6 L\ng [6] [5] 4 3 | 2 L\nb 6 5 [4] [3] | 2 L",
        "more": 'bar = "b g r y g r b y"',
    },
    "crowd": {"sheet": "r 2 3 | 4 L\ny 2 3 | 4 L\ng 4 3 | 2 L\nb 4 3 | 2 L", "sides": 2, "seats": "2-5"},
}
TINY: dict[str, dict[str, Any]] = {
    "plain": {"sheet": "r 2 | 3 L\ny 2 | 3 L\ng 4 | 3 L\nb 4 | 3 L"},
    "mixed": {"sheet": "A y2 b3 | r4 L\nB r2 | y4 L\nC b4 y3 | g2 L\nD g4 | b2 L"},
    "shuffled": {"sheet": "r 3 2 | 4 L\ny 4 2 | 3 L\ng 2 | 3 4 L\nb 4 3 | 2 L", "rows": 1},
    "deadly": {"sheet": "r 2 3 | 4 L\ny 2 3 | 4 L\ng 4 3 | 2 L\nb 4 3 | 2 L", "need": 2, "rows": 1, "misses": 1},
    "lucky": {
        "sheet": "r 2 | 3 4 L\ny 2 | 3 4 L\ng 4 | 3 2 L\nb 4 | 3 2 L",
        "more": 'lucky = ["2/3", "3/4"]',
    },
    # boxes that trigger boxes, a bar whose cells are struck, a box on a closing cell (BA2 to BA5)
    "bar": {
        "sheet": "r [2] 3 | 4 L\ny 2 [3] | 4 L\ng 4 | [3] L\nb [4] | 3 L",
        "more": 'bar = "y b r g r"',
    },
    # a bar that runs out (BA2)
    "short-bar": {"sheet": "r [2] | [3] L\ny [2] | 3 L\ng 4 | 3 L\nb [4] | 3 L", "more": 'bar = "g r"'},
    # ties for the fewest crosses, and closed rows among them (BB2)
    "fewest": {
        "sheet": "r 2a 3 | 4 L\ny 2 | 3 L\ng 4 3a | 2 L\nb 4 | 3 L",
        "misses": 1,
        "pairs": 'a = "two-in-fewest"',
    },
    # an effect that completes another pair (BB3, BB4)
    "each": {
        "sheet": "r 2a 3 | 4 L\ny 2b | 3 L\ng 4a | 3 L\nb 4 | 3b L",
        "misses": 1,
        "pairs": 'a = "one-in-each"\nb = "plus-13"',
    },
    # misses that stop costing, also earlier ones, and the row that counts twice (BB6, BB7)
    "double": {
        "sheet": "r 2a | 3 L\ny 2a 3 | 4 L\ng 4b | 3 L\nb 4b | 3 L",
        "misses": 3,
        "pairs": 'a = "double-fewest"\nb = "free-misses"',
    },
    # both cells of a pair in one row, and a game that ends only after three closed rows (C11)
    "inside": {
        "sheet": "r 2a 3a | 4 L\ny 2 | 3 L\ng 4b | 3 L\nb 4 | 3b L",
        "rows": 3,
        "misses": 1,
        "pairs": 'a = "one-in-each"\nb = "free-misses"',
    },
    # everything together
    "all": {
        "sheet": "A [y2] b3 | r4 L\nB r2a | y4b L\nC b4 y3a | g2 L\nD g4b | [b2] L",
        "more": 'bar = "B A D"',
        "pairs": 'a = "two-in-fewest"\nb = "double-fewest"',
    },
    # lucky numbers (L4) with ties, chains, and mixed colors
    "lucky-fewest": {
        "sheet": "r 2a 3 | 4 L\ny 2b | 3 L\ng 4a | 3 L\nb 4 | 3b L",
        "more": 'lucky = ["2/3", "3/4"]',
        "misses": 1,
        "pairs": 'a = "two-in-fewest"\nb = "one-in-each"',
    },
    "lucky-mixed": {
        "sheet": "A [y2] b3 | r4 L\nB r2a | y4 L\nC b4 y3a | g2 L\nD g4 | [b2] L",
        "more": 'bar = "B A D"\nlucky = ["3/4", "2/4"]',
        "pairs": 'a = "two-in-fewest"',
    },
    "lucky-bar": {
        "sheet": "r [2] | 3 4 L\ny 2a | 3 4 L\ng 4 | 3a 2 L\nb 4 | 3 2 L",
        "more": 'bar = "b r"\nlucky = ["2/3", "3/4"]',
        "pairs": 'a = "double-fewest"',
    },
}


def sheet_file(tmp_path: Path, name: str) -> Path:
    """Write one of the small sheets, for games of one to three seats."""
    return _write(tmp_path, name, {"seats": "1-3", "sides": 3, "need": 2, "misses": 3, **SMALL[name]})


def tiny_sheet(tmp_path: Path, name: str) -> Path:
    """Write one of the tiny sheets."""
    return _write(tmp_path, name, {"seats": "1-2", "sides": 2, "need": 1, "misses": 2, **TINY[name]})


def _write(tmp_path: Path, name: str, facts: dict[str, Any]) -> Path:
    pairs = f"[pairs]\n{facts['pairs']}" if "pairs" in facts else ""
    path = tmp_path / f"{name}.toml"
    path.write_text(_FILE.format(**{"id": name, "more": "", "rows": 2, **facts, "pairs": pairs}))
    return path


SHORT_AND_MIXED = '''
id = "short-and-mixed"
like = "classic"
name = "Short and mixed"
title = "Rows of different lengths, colors and numbers mixed, five-sided dice, a bar and pairs."

sheet = """
A  r2 [y3] g4  r5a b6  | y7 y8 L
m   b8 y5 [r7]  g2 | b4 b3 L
r  8 4 6b [3]  | g5 g7 L
z  b2 [b5] y4 b7b g3 y6a | r9 L
"""
bar = "A z m r A z"

[dice]
sides = 5

[closing]
crosses = 2

[end]
rows = 3
misses = 6

[score]
rows = [2, 4, 8, 16, 32, 64, 128, 256]
miss = 3

[pairs]
a = "two-in-fewest"
b = "plus-7"
'''
SMALL_CARDS = '''
id = "small-cards"
like = "cards-joker"
name = "Small cards"
title = "The card game for two or three with cards from 2 to 7, one of them dealt, on short rows."
seats = "2-3"

sheet = """
r  2 3 4 5  | 6 L
y  2 4 3 7  | 5 6 L
g  7 6 5 4  | 3 L
b  7 6 5 3  | 2 L
"""

[cards]
sheets = ["classic"]
numbers = "2-7"
jokers = true
dealt = 1
left_out = 2

[closing]
crosses = 2

[score]
rows = [1, 3, 6, 10, 15, 21, 28]
miss = 5
'''
