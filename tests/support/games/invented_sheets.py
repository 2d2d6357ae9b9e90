"""Sheets of full size that combine features of several printed sheets, to test the features together."""

from __future__ import annotations

from pathlib import Path

from qwixx.variants import Variant, load

_LONGO_BOXED = """
r  [2]  3   4  [5]  6   7   8   9 [10] 11  12  13  14 | 15 [16] L
y   2   3  [4]  5   6  [7]  8   9  10  11 [12] 13  14 | 15  16  L
g [16] 15  14  13 [12] 11  10   9   8  [7]  6   5   4 |  3   2  L
b  16 [15] 14  13  12  11 [10]  9   8   7   6  [5]  4 | [3]  2  L
"""
_LONGO_PAIRED = """
r   2a  3   4   5   6d  7   8c  9  10  11  12  13  14 | 15  16  L
y   2   3e  4   5   6   7b  8   9  10  11  12  13  14 | 15  16  L
g  16b 15  14  13  12  11  10   9a  8   7   6   5e  4 |  3   2  L
b  16  15  14  13  12  11  10c  9   8   7   6   5   4d |  3   2  L
"""
_LONGO_BOTH = """
r   2a [3]  4   5   6d  7   8c  9 [10] 11  12  13  14 | 15  16  L
y   2   3e [4]  5   6   7b [8]  9  10  11  12  13  14 | 15  16  L
g  16b [15] 14  13  12  11 [10] 9a  8   7   6   5e  4 |  3   2  L
b [16] 15  14  13  12  11  10c  9   8   7  [6]  5   4d |  3   2  L
"""
_CLASSIC_BOTH = """
r   2  [3]  4   5  [6]  7   8c [9] 10  11  | 12  L
y   2   3e  4  [5]  6   7b [8]  9  10  11a | 12  L
g  12 [11] 10   9a  8  [7]  6   5e [4]  3  |  2  L
b  12  11 [10]  9  [8]  7b  6  [5]  4c  3  |  2  L
"""
_MIXED_BOXED = """
A  y2 [y3] y4  b5  b6 [b7] g8  g9 [g10] r11 | r12 L
B  r2  r3 [g4] g5  g6  g7 [b8] b9  y10 y11 | y12 L
C [b12] b11 b10 y9 [y8] y7 r6  r5 [r4]  g3 | g2  L
D  g12 [g11] r10 r9 r8 [r7] y6 y5  b4  [b3] | b2  L
"""
_MIXED_PAIRED = """
A  y2a y3  y4  b5  b6b b7  g8c g9  g10  r11 | r12 L
B  r2  r3a g4  g5b g6  g7  b8  b9  y10d y11 | y12 L
C  b12 b11 b10c y9 y8  y7  r6  r5e r4   g3  | g2  L
D  g12 g11 r10 r9d r8  r7e y6  y5  b4   b3  | b2  L
"""
_MIXED_BOTH = """
A  y2a [y3] y4  b5  b6b b7  g8c [g9] g10  r11 | r12 L
B  r2  r3a [g4] g5b g6  g7  b8  [b9] y10d y11 | y12 L
C  b12 [b11] b10c y9 y8 y7  [r6] r5e r4   g3  | g2  L
D  [g12] g11 r10 r9d r8 r7e y6  [y5] b4   b3  | b2  L
"""
_PAIRS = """
[pairs]
a = "two-in-fewest"
b = "one-in-each"
c = "double-fewest"
d = "plus-13"
e = "free-misses"
"""
_BAR = 'bar = "r y g b g r b y r y b g"'
_MIXED_BAR = 'bar = "A B C D C A D B A B D C"'
_LUCKY = 'lucky = ["4/9", "5/10", "6/8", "3/7", "2/11"]'
INVENTED: dict[str, tuple[str, str, str, str]] = {
    "lucky-boxed": ("longo", _LONGO_BOXED, _BAR, ""),
    "lucky-paired": ("longo", _LONGO_PAIRED, "", _PAIRS),
    "lucky-both": ("longo", _LONGO_BOTH, _BAR, _PAIRS),
    "both": ("classic", _CLASSIC_BOTH, _BAR, _PAIRS.replace('d = "plus-13"\n', "")),
    "mixed-boxed": ("gemixxt-a", _MIXED_BOXED, _MIXED_BAR, ""),
    "mixed-paired": ("gemixxt-a", _MIXED_PAIRED, "", _PAIRS),
    "mixed-lucky": ("gemixxt-a", _MIXED_BOXED.replace("[", "").replace("]", ""), _LUCKY, ""),
    "mixed-lucky-both": ("gemixxt-a", _MIXED_BOTH, f"{_MIXED_BAR}\n{_LUCKY}", _PAIRS),
}
"""By name: the base game, the sheet, other settings, and its pairs."""


def invented(tmp_path: Path, name: str) -> Variant:
    """Read one of these sheets."""
    like, sheet, more, pairs = INVENTED[name]
    path = tmp_path / f"{name}.toml"
    path.write_text(
        f'id = "{name}"\nlike = "{like}"\nname = "{name}"\ntitle = "Invented."\nsheet = """{sheet}"""\n{more}\n{pairs}'
    )
    return load(path)
