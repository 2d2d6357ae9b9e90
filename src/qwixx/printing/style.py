"""The style of a print: its language, its ink, the size of its type."""

from __future__ import annotations

from typing import NamedTuple

from qwixx.printing.ink_modes import Ink
from qwixx.printing.labels import word
from qwixx.printing.pdf_writer import fitted
from qwixx.render.svg_writer import words


class Style(NamedTuple):
    """The settings that all parts of a sheet share."""

    language: str
    ink: Ink
    type: float = 1.0
    """The scale of everything except cells."""

    def word(self, key: str) -> str:
        """Return a word in the language of the sheet."""
        return word(self.language, key)


def line(
    x: float, y: float, text: str, size: float, room: float, *, fill: str, anchor: str = "middle", bold: bool = False
) -> str:
    """Draw text that fits into its room."""
    return words(x, y, text, fitted(text, size, room, bold=bold), fill=fill, anchor=anchor, bold=bold)
