"""The four rows of a printed sheet: bands with pale cells to write on, and a lock at the end of each."""

from __future__ import annotations

import math
from itertools import groupby, pairwise
from typing import Final

from qwixx.printing.ink_modes import BLACK, Ink
from qwixx.printing.style import Style, line
from qwixx.render.palette import SLATE, Tone
from qwixx.render.sheet_content import row_color
from qwixx.render.svg_writer import box, el, num, place, words
from qwixx.render.symbols import badge, padlock
from qwixx.variants.model import Cell, Row, Variant

WIDTH: Final = 1000.0
GAP: Final = 10.0
_TAB: Final = 72.0
_LOCK: Final = 88.0
_END: Final = 8.0
_BETWEEN: Final = 7.0
_ROUND: Final = 14.0
_BONUS_HEIGHT: Final = 52.0
PAWN_SHARE: Final = 0.86
"""The width of a pawn as a share of its cell."""


def pitch(variant: Variant) -> float:
    """Return the distance between the centers of two cells of a row."""
    return (WIDTH - _TAB - _LOCK - _END) / max(len(row.cells) for row in variant.rows)


def cell_size(variant: Variant, height: float) -> tuple[float, float]:
    """Return width and height of a cell in rows of this height."""
    return pitch(variant) - _BETWEEN, height - 2 * _BETWEEN


def pawn_width(variant: Variant) -> float:
    """Return the largest width of a pawn: it fits into a cell with a little room."""
    return cell_size(variant, math.inf)[0] * PAWN_SHARE


def rows(variant: Variant, style: Style, height: float) -> str:
    """Draw all rows of this height, below one another."""
    bonus = {each.above: each.key for each in variant.bonus_rows}
    parts, y = [], 0.0
    for at, row in enumerate(variant.rows):
        parts.append(place(0, y, _row(variant, style, row, height)))
        y += height + GAP
        if at in bonus:
            parts.append(place(0, y, _bonus_row(variant, style, row)))
            y += _BONUS_HEIGHT + GAP
    return "".join(parts) + _links(variant, style, height)


def rows_height(variant: Variant, height: float) -> float:
    """Return the height of all rows together."""
    return len(variant.rows) * (height + GAP) - GAP + len(variant.bonus_rows) * (_BONUS_HEIGHT + GAP)


def _places(variant: Variant, row: Row) -> list[float]:
    """Return the middles of the cells of a row; a shorter row ends at the lock too."""
    step = pitch(variant)
    first = WIDTH - _LOCK - _END - step * len(row.cells) + step / 2
    return [first + step * index for index in range(len(row.cells))]


def _bonus_row(variant: Variant, style: Style, row: Row) -> str:
    """Draw a bonus row below a row: round cells with its numbers (BP1)."""
    edge = BLACK if style.ink.is_gray else SLATE
    parts = []
    for x, cell in zip(_places(variant, row), row.cells, strict=True):
        ring = el("circle", r=_BONUS_HEIGHT / 2 - 2, fill="#ffffff", stroke=edge, stroke_width=2.4)
        parts.append(place(x, _BONUS_HEIGHT / 2, ring, words(0, 0, cell.label, 27, fill=BLACK, bold=True)))
    return "".join(parts)


def _links(variant: Variant, style: Style, height: float) -> str:
    """Join the rings of linked cells, which lie below one another in neighboring rows (CB1)."""
    parts = []
    for at, row in enumerate(variant.rows):
        ring = _ring(variant, height)
        for x, cell in zip(_places(variant, row), row.cells, strict=True):
            if cell.frame == "down":
                top = at * (height + GAP) + height / 2 + ring
                parts.append(f"M{num(x)} {num(top)}L{num(x)} {num(top + height + GAP - 2 * ring)}")
    return el("path", d="".join(parts), stroke=BLACK, stroke_width=4) if parts else ""


def _ring(variant: Variant, height: float) -> float:
    return min(cell_size(variant, height)) / 2 - 4


def _row(variant: Variant, style: Style, row: Row, height: float) -> str:
    step, color = pitch(variant), row_color(row)
    at = _places(variant, row)
    lock_x = WIDTH - _END - _LOCK / 2
    parts = [style.ink.frame(0, 0, WIDTH, height, _ROUND, color)]
    if color is None:
        parts.append(_runs(style.ink, row, at, step, height))
    parts += [
        _tab(style, variant.row_number(row.key), color, height),
        _bridge(style.ink, row, at, lock_x, variant, height),
    ]
    for x, cell in zip(at, row.cells, strict=True):
        is_last = cell is row.cells[-1]
        parts.append(place(x, height / 2, _cell(variant, style, cell, height, is_last=is_last)))
    parts.append(place(lock_x, height / 2, _lock(style.ink, row, min(_LOCK, height))))
    return "".join(parts)


def _runs(ink: Ink, row: Row, at: list[float], step: float, height: float) -> str:
    """Draw the grounds of a row of many colors, one for each run of a color; the last one extends below the lock."""
    parts = []
    for color, run in groupby(range(len(at)), lambda index: row.cells[index].color):
        places = list(run)
        left = at[places[0]] - step / 2
        right = WIDTH if places[-1] == len(at) - 1 else at[places[-1]] + step / 2
        parts.append(ink.ground(left, 0, right - left, height, color))
        if ink.is_gray:
            parts.append(el("path", d=f"M{num(left)} 0L{num(left)} {num(height)}", stroke=BLACK, stroke_width=2))
    return "".join(parts)


def _tab(style: Style, number: int, color: str | None, height: float) -> str:
    """Draw the heading of a row: the mark and the name of its color, or its number."""
    middle, x = height / 2, _TAB / 2 + 2
    if color is None:
        tone = style.ink.mixed()
        return _plate(style.ink, height) + words(x, middle, str(number), 34, fill=tone.on_band, bold=True)
    tone, name = style.ink.tone(color), style.word(f"color.{color}")
    size = 17.0 * min(style.type, 1.2)
    parts = [_plate(style.ink, height), style.ink.mark(x, height * 0.37, min(34.0, height * 0.42), color, tone.on_band)]
    parts.append(line(x, height * 0.76, name, size, _TAB - 8, fill=tone.on_band, bold=True))
    return "".join(parts)


def _plate(ink: Ink, height: float) -> str:
    """Draw a plain ground, so that text is not on a pattern."""
    return box(2, 2, _TAB - 2, height - 4, 0, fill="#ffffff") if ink.is_gray else ""


def _cell(variant: Variant, style: Style, cell: Cell, height: float, *, is_last: bool) -> str:
    """Draw a cell around its center: its number, pale enough to be crossed, and its symbols."""
    tone = style.ink.tone(cell.color)
    wide, high = cell_size(variant, height)
    is_mixed = variant.is_mixed
    number = min(high * (0.5 if is_mixed else 0.62) * min(style.type, 1.2), wide / (1.62 if style.type == 1 else 1.5))
    if cell.after:  # a small field has no number (F3)
        edge = BLACK if style.ink.is_gray else None
        return el("circle", r=min(wide, high) * 0.36, fill=tone.cell, stroke=edge, stroke_width=1.8 if edge else None)
    parts = [_box(-wide / 2, -high / 2, wide, high, tone, is_gray=style.ink.is_gray)]
    if cell.frame in ("down", "up"):
        ring = _ring(variant, height)
        parts.append(el("circle", r=ring, fill="none", stroke=BLACK, stroke_width=4))
        number = min(number, ring * 1.1)
    if variant.twice and not is_last:
        parts.append(box(wide / 2 - 22, high / 2 - 22, 16, 16, 3, stroke=tone.number, stroke_width=2.4))  # DA1
    if cell.boxed or cell.frame == "stairs":
        parts.append(box(6 - wide / 2, 6 - high / 2, wide - 12, high - 12, 6, stroke=tone.number, stroke_width=4.5))
        number = min(number, (wide - 20) / 1.55)
    is_paired = cell.pair in variant.pairs
    x, y = (-wide * 0.06, high * 0.08) if is_paired else (0.0, -high * 0.13 if is_mixed else 0.0)
    parts.append(words(x, y, str(cell.value), number * (0.9 if is_paired else 1), fill=tone.number, bold=True))
    if is_mixed:
        parts.append(style.ink.mark(0, high * 0.3, high * 0.24, cell.color, tone.number))
    if is_paired:
        symbol = badge(variant.pairs[cell.pair])
        parts.append(place(wide / 2 - 9, 7 - high / 2, el("g", symbol, transform="scale(1.55)")))
    return "".join(parts)


def _box(x: float, y: float, width: float, height: float, tone: Tone, *, is_gray: bool) -> str:
    edge = BLACK if is_gray else None
    return box(x, y, width, height, 10, fill=tone.cell, stroke=edge, stroke_width=1.8 if is_gray else None)


def _bridge(ink: Ink, row: Row, at: list[float], lock_x: float, variant: Variant, height: float) -> str:
    """Join the cells that close the row to its lock."""
    reach = cell_size(variant, height)[0] / 2
    ends = [*at[row.closes_from :], lock_x]
    steps = "".join(
        f"M{num(left + reach - 4)} {num(height / 2)}L{num(right)} {num(height / 2)}" for left, right in pairwise(ends)
    )
    tone = ink.tone(row.lock_color)
    under = el("path", d=steps, stroke=BLACK, stroke_width=23) if ink.is_gray else ""
    return under + el("path", d=steps, stroke=tone.cell, stroke_width=19)


def _lock(ink: Ink, row: Row, room: float) -> str:
    tone = ink.tone(row.lock_color)
    radius = room / 2 - 6
    edge = BLACK if ink.is_gray else None
    ground = el("circle", r=radius, fill=tone.cell, stroke=edge, stroke_width=1.8 if ink.is_gray else None)
    return ground + el("g", padlock(tone.number, shut=False), transform=f"scale({radius / 17:.3f})")
