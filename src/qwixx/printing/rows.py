"""The four rows of a printed sheet: bands with pale cells to write on, and a lock at the end of each."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Final

from qwixx.printing.inks import BLACK, Ink
from qwixx.printing.look import Look, line
from qwixx.render.ink import row_color
from qwixx.render.palette import Tone
from qwixx.render.pen import box, el, num, place, words
from qwixx.render.pieces import padlock, pair_symbol
from qwixx.variants.model import Cell, Row, Variant

WIDTH: Final = 1000.0
GAP: Final = 10.0
_TAB: Final = 72.0
_LOCK: Final = 88.0
_END: Final = 8.0
_BETWEEN: Final = 7.0
_ROUND: Final = 14.0


def pitch(variant: Variant) -> float:
    """Say how far the cells of a row stand apart."""
    return (WIDTH - _TAB - _LOCK - _END) / max(len(row.cells) for row in variant.rows)


def cell_size(variant: Variant, height: float) -> tuple[float, float]:
    """Give width and height of a cell in rows of this height."""
    return pitch(variant) - _BETWEEN, height - 2 * _BETWEEN


def rows(variant: Variant, look: Look, height: float) -> str:
    """Draw all rows, each so high, below one another."""
    drawn = [_row(variant, look, row, height) for row in variant.rows]
    return "".join(place(0, at * (height + GAP), ink) for at, ink in enumerate(drawn))


def rows_height(variant: Variant, height: float) -> float:
    """Say how high all rows are together."""
    return len(variant.rows) * (height + GAP) - GAP


def _row(variant: Variant, look: Look, row: Row, height: float) -> str:
    step, color = pitch(variant), row_color(row)
    first = WIDTH - _LOCK - _END - step * len(row.cells) + step / 2  # a shorter row ends at the lock, as the others do
    at = [first + step * index for index in range(len(row.cells))]
    lock_x = WIDTH - _END - _LOCK / 2
    parts = [look.ink.frame(0, 0, WIDTH, height, _ROUND, color)]
    if color is None:
        parts.append(_runs(look.ink, row, at, step, height))
    parts += [_tab(look, row, color, height), _bridge(look.ink, row, at, lock_x, variant, height)]
    parts += [place(x, height / 2, _cell(variant, look, cell, height)) for x, cell in zip(at, row.cells, strict=True)]
    parts.append(place(lock_x, height / 2, _lock(look.ink, row, min(_LOCK, height))))
    return "".join(parts)


def _runs(ink: Ink, row: Row, at: list[float], step: float, height: float) -> str:
    """Lay the grounds of a row of many colors, one for each run of a color; the last one reaches below the lock."""
    parts = []
    for color, run in groupby(range(len(at)), lambda index: row.cells[index].color):
        places = list(run)
        left = at[places[0]] - step / 2
        right = WIDTH if places[-1] == len(at) - 1 else at[places[-1]] + step / 2
        parts.append(ink.ground(left, 0, right - left, height, color))
        if ink.is_gray:
            parts.append(el("path", d=f"M{num(left)} 0L{num(left)} {num(height)}", stroke=BLACK, stroke_width=2))
    return "".join(parts)


def _tab(look: Look, row: Row, color: str | None, height: float) -> str:
    """Head a row: with the mark and the name of its color, or with its letter."""
    middle, x = height / 2, _TAB / 2 + 2
    if color is None:
        tone = look.ink.mixed()
        return _plate(look.ink, height) + words(x, middle, row.key, 34, fill=tone.on_band, bold=True)
    tone, name = look.ink.tone(color), look.word(f"color.{color}")
    size = 17.0 * min(look.type, 1.2)
    parts = [_plate(look.ink, height), look.ink.mark(x, height * 0.37, min(34.0, height * 0.42), color, tone.on_band)]
    parts.append(line(x, height * 0.76, name, size, _TAB - 8, fill=tone.on_band, bold=True))
    return "".join(parts)


def _plate(ink: Ink, height: float) -> str:
    """Keep the pattern away from words."""
    return box(2, 2, _TAB - 2, height - 4, 0, fill="#ffffff") if ink.is_gray else ""


def _cell(variant: Variant, look: Look, cell: Cell, height: float) -> str:
    """Draw a cell around its middle: its number, pale enough to be crossed, and the signs that it bears."""
    tone = look.ink.tone(cell.color)
    wide, high = cell_size(variant, height)
    is_mixed = variant.is_mixed
    number = min(high * (0.5 if is_mixed else 0.62) * min(look.type, 1.2), wide / (1.62 if look.type == 1 else 1.5))
    parts = [_box(-wide / 2, -high / 2, wide, high, tone, is_gray=look.ink.is_gray)]
    if cell.boxed:
        parts.append(box(6 - wide / 2, 6 - high / 2, wide - 12, high - 12, 6, stroke=tone.number, stroke_width=4.5))
        number = min(number, (wide - 20) / 1.55)
    is_paired = cell.pair in variant.pairs
    x, y = (-wide * 0.06, high * 0.08) if is_paired else (0.0, -high * 0.13 if is_mixed else 0.0)
    parts.append(words(x, y, str(cell.value), number * (0.9 if is_paired else 1), fill=tone.number, bold=True))
    if is_mixed:
        parts.append(look.ink.mark(0, high * 0.3, high * 0.24, cell.color, tone.number))
    if is_paired:
        symbol = pair_symbol(variant.pairs[cell.pair])
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
