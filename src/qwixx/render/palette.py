"""The colors of paper, bands and ink. A color is never the only sign: there is always a letter beside it."""

from __future__ import annotations

from typing import Final, NamedTuple


class Tone(NamedTuple):
    """One color of the game: its band, the letters on the band, the pale cells and the numbers in them."""

    band: str
    on_band: str
    cell: str
    number: str


TONES: Final = {
    "r": Tone("#c22e35", "#ffffff", "#fdf0ee", "#951b23"),
    "y": Tone("#f0b91b", "#3b2c00", "#fffaea", "#6b4e00"),
    "g": Tone("#25793f", "#ffffff", "#eff8f0", "#175a2d"),
    "b": Tone("#265cab", "#ffffff", "#eef4fc", "#17427f"),
    "j": Tone("#5b4b78", "#ffffff", "#f5f2fa", "#43345f"),
    "w": Tone("#ffffff", "#262b36", "#ffffff", "#262b36"),
}
"""By color letter; `j` is a joker, `w` a white die or the back of a card."""

TERMINAL: Final = {
    "r": ("color(231)", "color(160)", "color(224)"),
    "y": ("color(16)", "color(220)", "color(230)"),
    "g": ("color(231)", "color(28)", "color(194)"),
    "b": ("color(231)", "color(26)", "color(189)"),
    "j": ("color(231)", "color(60)", "color(189)"),
    "w": ("color(16)", "color(255)", "color(255)"),
}
"""Letters on a band, the band, and the paler ground of a cross, for terminals with 256 colors."""

PAPER: Final = "#fbf8f1"
EDGE: Final = "#cfc7b4"
"""The edge of the paper, visible on light and on dark ground."""
RULE: Final = "#bdb5a2"
"""Thin lines of boxes and tables."""
TEXT: Final = "#2b2f3a"
QUIET: Final = "#5f6069"
"""Secondary text."""
PENCIL: Final = "#1b2136"
"""Marks of the players."""
SLATE: Final = "#454b59"
"""The tab of a row of mixed colors."""
HALO: Final = "#ffffff"
PAWNS: Final = (("#242a3c", "#ffffff"), ("#efe7d4", "#242a3c"))
"""Body and outline of a pawn, by seat."""
