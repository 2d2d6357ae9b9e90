"""
Subset the page's fonts: `page/fonts/*.woff2`, from the npm package with Archivo (docs/decisions/0032-fonts.md).

`hatch_build.py` runs this file after it has installed the page's packages. The files are made again if the package or
this file is newer.
"""

from __future__ import annotations

import io
from collections.abc import Container
from pathlib import Path
from typing import Final

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

PAGE: Final = Path(__file__).resolve().parent.parent
SOURCES: Final = PAGE / "node_modules" / "@fontsource-variable" / "archivo" / "files"
TARGET: Final = PAGE / "fonts"
SIGNS: Final = (
    0x152,
    0x153,
    0x2013,
    0x2014,
    *range(0x2018, 0x201F),
    0x2022,
    0x2026,
    0x202F,
    0x2032,
    0x2033,
    0x2039,
    0x203A,
    0x20AC,
    0x2212,
)
"""Ligatures of French, dashes, quotes, the narrow space that does not break, primes, the euro and the minus."""
LATIN: Final = frozenset({*range(0x20, 0x7F), *range(0xA0, 0x100), *SIGNS})
"""The letters of our languages, and their signs."""
LATIN_EXTENDED: Final = frozenset(range(0x100, 0x180)) - set(map(ord, "ĲĳĸĿŀŉſ")) - LATIN
"""Letters of names from the rest of Europe. A browser loads these files only if a text has such a letter."""
Axes = dict[str, float | tuple[float, float]]
CUTS: Final[dict[str, Axes]] = {
    "text": {"wdth": 100, "wght": (400, 800)},
    "display": {"wdth": 125, "wght": 900},
}
"""Widths and weights of the two cuts."""


def cut(source: Path, axes: Axes, letters: Container[int], features: list[str]) -> bytes:
    """Return a subset of a variable font as WOFF2."""
    font = instancer.instantiateVariableFont(TTFont(source, recalcTimestamp=False), axes)
    font.flavor = None
    plain = io.BytesIO()
    font.save(plain)  # the subsetter expects tables as they are in a file
    plain.seek(0)
    font = TTFont(plain, recalcTimestamp=False)
    for table in font["cmap"].tables:
        if 0x2009 in table.cmap:  # the font has the narrow space only as one that breaks
            table.cmap[0x202F] = table.cmap[0x2009]
    options = subset.Options()
    options.layout_features = features
    options.hinting = False
    options.name_IDs = [0, 1, 2, 13, 14]  # among them the copyright and the license, as the license demands
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for code in font.getBestCmap() if code in letters])
    subsetter.subset(font)
    if "STAT" in font:
        del font["STAT"]  # names of styles, for menus of programs
    font.flavor = "woff2"
    packed = io.BytesIO()
    font.save(packed)
    return packed.getvalue()


def make_fonts() -> None:
    """Write all files, unless they are newer than their sources."""
    jobs = [
        (TARGET / f"{name}{ending}.woff2", SOURCES / f"archivo-{part}-standard-normal.woff2", axes, letters, features)
        for name, axes in CUTS.items()
        for ending, part, letters, features in (
            ("", "latin", LATIN, ["kern", "tnum"]),
            ("-extended", "latin-ext", LATIN_EXTENDED, []),
        )
    ]
    TARGET.mkdir(exist_ok=True)
    for target, source, axes, letters, features in jobs:
        newest = max(path.stat().st_mtime for path in (source, Path(__file__)))
        if not target.is_file() or target.stat().st_mtime < newest:
            target.write_bytes(cut(source, axes, letters, features))


if __name__ == "__main__":
    make_fonts()
