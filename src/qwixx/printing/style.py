"""How a piece of paper shall look: its language, its ink, the size of its type."""

from __future__ import annotations

from typing import NamedTuple

from qwixx.printing.inks import Ink
from qwixx.printing.pdf import fitted
from qwixx.printing.words import word
from qwixx.render.pen import words


class Look(NamedTuple):
    """What all parts of a sheet have to know."""

    language: str
    ink: Ink
    type: float = 1.0
    """How much larger than usual everything is that is not a cell."""

    def word(self, key: str) -> str:
        """Give a word in the language of the sheet."""
        return word(self.language, key)


def line(
    x: float, y: float, text: str, size: float, room: float, *, fill: str, anchor: str = "middle", bold: bool = False
) -> str:
    """Write words that stay within their room."""
    return words(x, y, text, fitted(text, size, room, bold=bold), fill=fill, anchor=anchor, bold=bold)
