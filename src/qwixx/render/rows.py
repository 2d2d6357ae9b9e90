"""The four rows of a sheet: colored bands with pale cells and a lock at the end."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Final

from qwixx.render.palette import HALO, PENCIL, SLATE, TONES
from qwixx.render.sheet_content import BonusInk, CellInk, RowInk
from qwixx.render.svg_writer import box, cross, el, num, place, words
from qwixx.render.symbols import badge, padlock, pawn
from qwixx.variants.model import Variant

TAB: Final = 30
PITCH: Final = 46
LOCK: Final = 56
HEIGHT: Final = 56
GAP: Final = 6
_CELL: Final = 40
_ROUND: Final = 12
_BONUS_HEIGHT: Final = 36
_RING: Final = 17.5
"""The radius of the ring around a linked cell (CB1)."""


def bands_width(variant: Variant) -> float:
    """Return the width of the longest row."""
    return TAB + LOCK + PITCH * max(len(row.cells) for row in variant.rows)


def bands(variant: Variant, seat: int, rows: tuple[RowInk, ...], width: float, bonus: tuple[BonusInk, ...] = ()) -> str:
    """Draw all rows below one another, each bonus row below the one above it (BP1)."""
    between = {each.above: each for each in bonus}
    drawn, y = [], 0.0
    for index, row in enumerate(rows):
        drawn.append(place(0, y, _band(variant, seat, row, width), class_="row"))
        y += HEIGHT + GAP
        if index in between:
            drawn.append(place(0, y, _bonus_band(seat, between[index], width), class_="row"))
            y += _BONUS_HEIGHT + GAP
    drawn.append(_links(rows, width))
    return "".join(drawn)


def bands_height(variant: Variant) -> float:
    """Return the height of all rows together."""
    return len(variant.rows) * (HEIGHT + GAP) - GAP + len(variant.bonus_rows) * (_BONUS_HEIGHT + GAP)


def _places(count: int, width: float) -> list[float]:
    """Return where the middles of cells are; a shorter row ends at the lock too."""
    first = width - LOCK - PITCH * count + PITCH / 2
    return [first + PITCH * index for index in range(count)]


def _bonus_band(seat: int, row: BonusInk, width: float) -> str:
    """Draw a bonus row: round cells, no lock (BP1)."""
    parts = [words(TAB / 2 + 1, _BONUS_HEIGHT / 2, row.key, 14, bold=True)]
    for x, cell in zip(_places(len(row.cells), width), row.cells, strict=True):
        ring = el("circle", r=15, fill="#ffffff", stroke=SLATE, stroke_width=2, opacity=0.42 if cell.lost else None)
        inside = [ring, words(0, 0, cell.printed.label, 15, bold=True)]
        if cell.crossed:
            inside.append(cross(f"{seat} {cell.name}", 11, "cross", name=cell.name))
        if cell.legal:
            halo = {"class_": "halo", "data-cell": cell.name}
            inside.append(el("circle", r=17.5, fill="none", stroke=PENCIL, stroke_width=2.4, **halo))
        parts.append(place(x, _BONUS_HEIGHT / 2, *inside, class_=_class(cell), **{"data-cell": cell.name}))
    return "".join(parts)


def _links(rows: tuple[RowInk, ...], width: float) -> str:
    """Join linked cells, which lie below one another in neighboring rows (CB1)."""
    parts = []
    for index, row in enumerate(rows):
        for x, cell in zip(_places(len(row.cells), width), row.cells, strict=True):
            if cell.printed.frame == "down":
                top = index * (HEIGHT + GAP) + HEIGHT / 2 + _RING
                parts.append(f"M{num(x)} {num(top)}V{num(top + HEIGHT + GAP - 2 * _RING)}")
    return el("path", d="".join(parts), stroke=PENCIL, stroke_width=2.6) if parts else ""


def _band(variant: Variant, seat: int, row: RowInk, width: float) -> str:
    lock_x, middle = width - LOCK / 2, HEIGHT / 2
    at = _places(len(row.cells), width)
    tab = TONES[row.color].on_band if row.color else HALO
    parts = [
        _ground(row, at, width),
        words(TAB / 2 + 1, middle, row.key, 18, fill=tab, bold=True),
        _bridge(row, at, lock_x),
        place(lock_x, middle, _lock(row, is_duel=variant.is_duel), class_="lock"),
    ]
    for x, cell in zip(at, row.cells, strict=True):
        is_last = cell is row.cells[-1]
        parts.append(
            place(
                x,
                middle,
                _cell(variant, seat, row, cell, is_last=is_last),
                class_=_class(cell),
                **{"data-cell": cell.name},
            )
        )
    parts += [place(x, middle, _halo(cell)) for x, cell in zip(at, row.cells, strict=True) if cell.legal]
    marked = [(x, cell) for x, cell in zip(at, row.cells, strict=True) if cell.printed.pair in variant.pairs]
    parts += [place(x, middle, _badge(variant, cell)) for x, cell in marked]  # last, so that no ring hides them
    return "".join(parts)


def _ground(row: RowInk, at: list[float], width: float) -> str:
    """Draw the colored ground: one band, or on mixed sheets a piece for each run of a color."""
    if row.color:
        return box(0, 0, width, HEIGHT, _ROUND, fill=TONES[row.color].band)
    parts = [box(0, 0, width, HEIGHT, _ROUND, fill=SLATE)]
    runs = [(color, list(run)) for color, run in groupby(range(len(at)), lambda i: row.cells[i].printed.color)]
    for color, run in runs:
        left = at[run[0]] - PITCH / 2
        is_last = run[-1] == len(at) - 1
        right = width if is_last else at[run[-1]] + PITCH / 2
        parts.append(el("path", d=_piece(left, right, _ROUND if is_last else 0), fill=TONES[color].band))
    return "".join(parts)


def _bridge(row: RowInk, at: list[float], lock_x: float) -> str:
    """Join the cells that close the row to its lock."""
    ends = [*at[row.closes_from :], lock_x]
    steps = [f"M{num(left + _CELL / 2)} {HEIGHT / 2:g}H{num(right - _CELL / 2)}" for left, right in pairwise(ends)]
    faded = 0.3 if row.closed and not row.lock_by else 0.75
    return el("path", d="".join(steps), stroke=TONES[row.lock_color].cell, stroke_width=12, opacity=faded)


def _piece(left: float, right: float, radius: float) -> str:
    """Outline a piece of a band whose right corners may be round."""
    corners = f"a{radius} {radius} 0 0 1 {radius} {radius}V{HEIGHT - radius}a{radius} {radius} 0 0 1 {-radius} {radius}"
    side = corners if radius else f"V{HEIGHT}"
    return f"M{num(left)} 0H{num(right - radius)}{side}H{num(left)}Z"


def _class(cell: CellInk) -> str:
    states = [("crossed", cell.crossed), ("lost", cell.lost), ("legal", cell.legal), ("boxed", cell.printed.boxed)]
    return " ".join(["cell", *(word for word, is_so in states if is_so)])


def _cell(variant: Variant, seat: int, row: RowInk, cell: CellInk, *, is_last: bool) -> str:
    tone = TONES[cell.printed.color]
    edge = _CELL / 2
    faded = 0.42 if cell.lost else None
    ground = el("rect", x=-edge, y=-edge, width=_CELL, height=_CELL, rx=9, fill=tone.cell, opacity=faded)
    if cell.printed.after:  # a small field has no number (F3)
        return el("circle", r=13, fill=tone.cell, opacity=faded) + _crosses(seat, cell)
    parts = [ground]
    if cell.printed.frame in ("down", "up"):
        parts.append(el("circle", r=_RING, fill="none", stroke=PENCIL, stroke_width=2.6))
    if cell.printed.boxed or cell.printed.frame == "stairs":
        parts.append(box(-16.5, -16.5, 33, 33, 6, stroke=tone.number, stroke_width=2.8))
    pawns = cell.owner is not None
    mixed = row.color is None
    ink = 0.5 if cell.lost else 0.72 if cell.crossed else None
    if pawns:
        corner = words(-edge + 3, -edge + 9, str(cell.printed.value), 11, fill=tone.number, anchor="start", bold=True)
        parts.append(corner)
    else:
        number = words(0, -4 if mixed else 0, str(cell.printed.value), 20 if mixed else 22, fill=tone.number, bold=True)
        parts.append(el("g", number, opacity=ink) if ink else number)
    if mixed:
        parts.append(words(0, edge - 7, cell.printed.color, 11, fill=tone.number, bold=True))
    if cell.owner is not None:
        parts.append(place(3, 4, pawn(cell.owner, cell.height, name=cell.name)))
    else:
        if variant.twice and not cell.crossed and not is_last:
            parts.append(box(edge - 11, edge - 11, 8, 8, 2, stroke=tone.number, stroke_width=1.4))  # DA1
        parts.append(_crosses(seat, cell))
    return "".join(parts)


def _crosses(seat: int, cell: CellInk) -> str:
    """Draw the cross of a cell, or two beside each other (DA2, DB2)."""
    if cell.height < 2:
        return cross(f"{seat} {cell.name}", 14.5, "cross", name=cell.name) if cell.crossed else ""
    reach = 10.5
    one, other = (cross(f"{seat} {cell.name} {at}", reach, "cross", name=cell.name) for at in range(2))
    return place(-8, 0, one) + place(8, 0, other)


def _badge(variant: Variant, cell: CellInk) -> str:
    """Draw the symbol of a pair in the corner of its cell."""
    symbol = badge(variant.pairs[cell.printed.pair], done=cell.crossed)
    return place(_CELL / 2 - 6, 4 - _CELL / 2, symbol, class_="pair", **{"data-cell": cell.name})


def _halo(cell: CellInk) -> str:
    """Ring a cell that may be crossed now: a dark ring on a light one, and a small pointer below."""
    edge = _CELL / 2 + 2.5
    size = 2 * edge
    return (
        el("rect", x=-edge, y=-edge, width=size, height=size, rx=11, fill="none", stroke=HALO, stroke_width=5.5)
        + el(
            "rect",
            class_="halo",
            x=-edge,
            y=-edge,
            width=size,
            height=size,
            rx=11,
            fill="none",
            stroke=PENCIL,
            stroke_width=2.4,
            **{"data-cell": cell.name},
        )
        + el("path", d=f"M-6 {edge + 5.5}H6L0 {edge - 3}Z", fill=PENCIL, stroke=HALO, stroke_width=1.4)
    )


def _lock(row: RowInk, *, is_duel: bool) -> str:
    tone = TONES[row.lock_color]
    parts = [
        el("circle", r=20, fill=tone.cell, opacity=0.55 if row.closed and not row.lock_by else None),
    ]
    if is_duel and row.lock_by:
        return "".join([*parts, place(0, 0, pawn(row.lock_by[0]))])
    parts.append(padlock(tone.number, shut=row.closed))
    parts += [cross(f"{seat} lock {row.key}", 14.5, "lock-cross") for seat in row.lock_by]
    return "".join(parts)
