"""The chart of an analysis as SVG: the value of every seat from moment to moment, and its luck below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qwixx.coach.review.report import Analysis
from qwixx.render.palette import EDGE, PAPER, RULE, TEXT
from qwixx.render.svg_writer import FONT, clean, el, num, words

_WIDE: Final = 900.0
_LEFT: Final = 64.0
_RIGHT: Final = 150.0
_TOP: Final = 54.0
_CURVES: Final = 280.0
_LUCK: Final = 90.0
_GAP: Final = 42.0
_SIZE: Final = 14.0
SEAT_TONES: Final = ("#265cab", "#c22e35", "#25793f", "#8a6400", "#5b4b78")
"""A color for each seat; curves also differ by their labels and dashes."""
_DASHES: Final = (None, "9 5", "2 4", "12 4 2 4", "5 3")


def graph_svg(analysis: Analysis, names: Sequence[str]) -> str:
    """Draw the value of every seat over the game, and the luck of each seat below."""
    height = _TOP + _CURVES + _GAP + _LUCK * analysis.seats + 30
    scale = _Scale(analysis)
    parts = [
        el("rect", x=0, y=0, width=_WIDE, height=height, rx=10, fill=PAPER, stroke=EDGE),
        words(_LEFT, 26, _title(analysis), 18, anchor="start", bold=True),
        *_grid(scale),
    ]
    lines = [(analysis.start, *(swing.values for swing in analysis.swings))][0]
    for seat in range(analysis.seats):
        parts.append(_curve(scale, [values[seat] for values in lines], seat))
    parts += _labels(scale, [values[-1] for values in zip(*lines, strict=True)], names)
    for seat in range(analysis.seats):
        parts += _luck(analysis, scale, seat, _TOP + _CURVES + _GAP + _LUCK * seat, names[seat])
    return el(
        "svg",
        el("title", clean(_title(analysis))),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {num(_WIDE)} {num(height)}",
        font_family=FONT,
        text_anchor="middle",
        role="img",
    )


def _title(analysis: Analysis) -> str:
    what = "chance to win" if analysis.is_win else "expected points"
    return f"{analysis.variant}: {what}, and luck"


class _Scale:
    """Converts moments and values to coordinates."""

    def __init__(self, analysis: Analysis) -> None:
        self.moments = max(len(analysis.swings), 1)
        self.is_win = analysis.is_win
        values = [*analysis.start, *(value for swing in analysis.swings for value in swing.values)]
        self.low = 0.0 if self.is_win else min(0.0, *values)
        self.high = 1.0 if self.is_win else max(10.0, *values)

    def x(self, moment: float) -> float:
        """Return the x coordinate of a moment."""
        return _LEFT + (_WIDE - _LEFT - _RIGHT) * moment / self.moments

    def y(self, value: float) -> float:
        """Return the y coordinate of a value."""
        return _TOP + _CURVES * (self.high - value) / (self.high - self.low)

    def text(self, value: float) -> str:
        """Return a value as text."""
        return f"{100 * value:.0f} %" if self.is_win else f"{value:.0f}"


def _grid(scale: _Scale) -> list[str]:
    parts = []
    for quarter in range(5):
        value = scale.low + (scale.high - scale.low) * quarter / 4
        y = scale.y(value)
        parts.append(el("line", x1=_LEFT, x2=_WIDE - _RIGHT, y1=y, y2=y, stroke=RULE, stroke_width=1))
        parts.append(words(_LEFT - 8, y, scale.text(value), _SIZE, anchor="end"))
    return parts


def _curve(scale: _Scale, values: Sequence[float], seat: int) -> str:
    points = " ".join(f"{num(scale.x(moment))},{num(scale.y(value))}" for moment, value in enumerate(values))
    return el(
        "polyline",
        points=points,
        fill="none",
        stroke=SEAT_TONES[seat],
        stroke_width=2.5,
        stroke_dasharray=_DASHES[seat],
        stroke_linejoin="round",
    )


def _labels(scale: _Scale, ends: Sequence[float], names: Sequence[str]) -> list[str]:
    """Write the names at the ends of the curves, moved down where they would overlap."""
    parts = []
    lowest = _TOP - _SIZE
    for seat in sorted(range(len(ends)), key=lambda each: -ends[each]):
        y = max(scale.y(ends[seat]), lowest + _SIZE + 4)
        lowest = y
        text = f"{names[seat]}, {scale.text(ends[seat])}"
        parts.append(words(_WIDE - _RIGHT + 8, y, text, _SIZE, anchor="start", bold=True, fill=SEAT_TONES[seat]))
    return parts


def _luck(analysis: Analysis, scale: _Scale, seat: int, top: float, name: str) -> list[str]:
    """Draw the luck of a seat: good luck upwards, bad luck downwards."""
    lucks = [abs(value) for swing in analysis.swings for value in swing.luck]
    most = max([*lucks, 1e-9])
    middle = top + _LUCK / 2
    account = analysis.accounts[seat]
    parts = [el("line", x1=_LEFT, x2=_WIDE - _RIGHT, y1=middle, y2=middle, stroke=RULE, stroke_width=1)]
    for moment, swing in enumerate(analysis.swings):
        size = swing.luck[seat] / most * (_LUCK / 2 - 6)
        if abs(size) >= 0.5:
            bar = {"x": scale.x(moment + 0.6), "width": max(scale.x(0.8) - scale.x(0), 1.5)}
            parts.append(el("rect", **bar, y=middle - max(size, 0), height=abs(size), fill=SEAT_TONES[seat]))
    total = f"{100 * account.luck:+.0f} %" if analysis.is_win else f"{account.luck:+.1f}"
    parts.append(words(_WIDE - _RIGHT + 8, middle - 9, name, _SIZE, anchor="start", fill=SEAT_TONES[seat]))
    parts.append(words(_WIDE - _RIGHT + 8, middle + 9, f"luck {total}", _SIZE, anchor="start", fill=TEXT))
    return parts
