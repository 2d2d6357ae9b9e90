"""Two inks: color, and gray, where a pattern replaces each color and saves ink."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from qwixx.render.palette import SLATE, TONES, Tone
from qwixx.render.svg_writer import box, el, num, place

INKS: Final = ("color", "gray")
BLACK: Final = "#111111"
_GRAYS: Final = Tone("#ffffff", BLACK, "#ffffff", BLACK)
_THIN: Final = "#8a8a8a"
_MARKS: Final = {
    "r": el("circle", r=4.4),
    "y": el("path", d="M0 -4.8L5 4.2L-5 4.2Z"),
    "g": el("rect", x=-4.1, y=-4.1, width=8.2, height=8.2, rx=0.8),
    "b": el("path", d="M0 -5.2L5.2 0L0 5.2L-5.2 0Z"),
    "j": el("path", d="M0 -5.4L1.5 -1.9L5.3 -1.6L2.4 0.9L3.3 4.7L0 2.7L-3.3 4.7L-2.4 0.9L-5.3 -1.6L-1.5 -1.9Z"),
}
"""A shape for each color, the same as on the web page: a color is never the only sign."""


class Ink:
    """How things of a color are drawn."""

    def __init__(self, name: str) -> None:
        """Draw in color or in gray."""
        self.is_gray = name == "gray"

    def tone(self, color: str) -> Tone:
        """Return the tone of a color."""
        return _GRAYS if self.is_gray else TONES[color]

    def mixed(self) -> Tone:
        """Return the tone of the heading of a row of many colors."""
        return _GRAYS if self.is_gray else Tone(SLATE, "#ffffff", "#ffffff", SLATE)

    def mark(self, x: float, y: float, size: float, color: str, fill: str) -> str:
        """Draw the shape of a color."""
        shape = _MARKS[color].replace("<path", f'<path fill="{fill}"', 1)
        shape = shape.replace("<circle", f'<circle fill="{fill}"', 1).replace("<rect", f'<rect fill="{fill}"', 1)
        return place(x, y, el("g", shape, transform=f"scale({size / 10:.3f})"))

    def ground(self, x: float, y: float, width: float, height: float, color: str) -> str:
        """Fill a box with a color, or with its pattern."""
        if not self.is_gray:
            return el("rect", x=x, y=y, width=width, height=height, fill=TONES[color].band)
        inside = _PATTERNS[color](width, height)
        return place(x, y, el("path", d=inside, stroke=_THIN, stroke_width=1.1)) if inside else ""

    def frame(self, x: float, y: float, width: float, height: float, radius: float, color: str | None) -> str:
        """Draw a box filled with one color; slate for a row of many colors."""
        if self.is_gray:
            lines = self.ground(x, y, width, height, color) if color else ""
            return lines + box(x, y, width, height, 0, stroke=BLACK, stroke_width=2)
        return box(x, y, width, height, radius, fill=TONES[color].band if color else SLATE)


# ---- patterns: lines in a box of a width and a height


def _slanted(width: float, height: float, step: float) -> str:
    """Draw lines that rise to the right, cut off at the sides."""
    strokes, at = [], step
    while at < width + height:
        left, bottom = (at - height, height) if at > height else (0.0, at)
        right, top = (at, 0.0) if at < width else (width, at - width)
        strokes.append(f"M{num(left)} {num(bottom)}L{num(right)} {num(top)}")
        at += step
    return "".join(strokes)


def _level(width: float, height: float, step: float) -> str:
    count = int((height - 1) / step)
    return "".join(f"M0 {num(step * at)}L{num(width)} {num(step * at)}" for at in range(1, count + 1))


def _upright(width: float, height: float, step: float) -> str:
    count = int((width - 1) / step)
    return "".join(f"M{num(step * at)} 0L{num(step * at)} {num(height)}" for at in range(1, count + 1))


_PATTERNS: Final[dict[str, Callable[[float, float], str]]] = {
    "r": lambda width, height: _slanted(width, height, 12),
    "y": lambda width, height: "",
    "g": lambda width, height: _level(width, height, 9),
    "b": lambda width, height: _level(width, height, 13) + _upright(width, height, 13),
}
"""Yellow, the lightest, stays white."""
