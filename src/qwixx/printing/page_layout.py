"""Page layout: paper sizes, slots on a page, and cut marks. Lengths are points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from qwixx.render.svg_writer import el, num

MM: Final = 72 / 25.4
MARGIN: Final = 9 * MM
"""A little more than the unprintable margin of home printers."""
_TICK: Final = 5 * MM
_AWAY: Final = 2.5 * MM
"""How long a cut mark is, and how far it stays from the edge of the page."""

SIZES: Final = {"a4": (210 * MM, 297 * MM), "letter": (8.5 * 72, 11.0 * 72), "a5": (148 * MM, 210 * MM)}
"""Width and height of each paper, in portrait format."""
COLUMNS: Final = {1: (1, 1), 2: (1, 2), 4: (2, 2)}
"""Columns and rows, by the number of sheets on a page."""


class Slot(NamedTuple):
    """A place on a page."""

    x: float
    y: float
    width: float
    height: float


class Page(NamedTuple):
    """A page with equal places on it, in reading order."""

    width: float
    height: float
    slots: tuple[Slot, ...]

    def cut_marks(self) -> str:
        """Draw cut marks: short strokes at the edges of the paper, in line with the sides of all slots."""
        across = sorted({side for slot in self.slots for side in (slot.x, slot.x + slot.width)})
        down = sorted({side for slot in self.slots for side in (slot.y, slot.y + slot.height)})
        across = [x for x in _merged(across) if _AWAY < x < self.width - _AWAY]  # the paper's own edge is cut already
        down = [y for y in _merged(down) if _AWAY < y < self.height - _AWAY]
        strokes = [_stroke(x, y, 0, _TICK) for x in across for y in (_AWAY, self.height - _AWAY - _TICK)]
        strokes += [_stroke(x, y, _TICK, 0) for y in down for x in (_AWAY, self.width - _AWAY - _TICK)]
        return el("path", d="".join(strokes), stroke="#555555", stroke_width=0.6)


def _stroke(x: float, y: float, right: float, down: float) -> str:
    return f"M{num(x)} {num(y)}L{num(x + right)} {num(y + down)}"


def _merged(sides: Iterable[float]) -> Iterator[float]:
    """Yield each side once if several coincide."""
    last = -1.0
    for side in sides:
        if side - last > 0.5:
            yield side
        last = side


def sheets_page(paper: str, per_page: int) -> Page:
    """Divide a page among sheets: sheets are wide, so two need portrait format and one or four landscape."""
    short, long = SIZES[paper]
    width, height = (short, long) if per_page == 2 else (long, short)
    columns, rows = COLUMNS[per_page]
    return Page(width, height, tuple(_grid(width, height, columns, rows)))


def _grid(width: float, height: float, columns: int, rows: int) -> Iterator[Slot]:
    """Cut a whole page into equal parts."""
    for at in range(columns * rows):
        down, right = divmod(at, columns)
        yield Slot(right * width / columns, down * height / rows, width / columns, height / rows)


def pieces_page(paper: str, width: float, height: float) -> Page:
    """Fill a page with centered pieces of this size, in the format in which more of them fit."""
    short, long = SIZES[paper]
    return max((_filled(short, long, width, height), _filled(long, short, width, height)), key=lambda p: len(p.slots))


def _filled(page: float, high: float, width: float, height: float) -> Page:
    columns, rows = (int((side - 2 * MARGIN) / size) for side, size in ((page, width), (high, height)))
    left, top = (page - columns * width) / 2, (high - rows * height) / 2
    slots = [Slot(left + x * width, top + y * height, width, height) for y in range(rows) for x in range(columns)]
    return Page(page, high, tuple(slots))
