"""A printed sheet: heading, rows and footer, scaled to fit a slot on a page."""

from __future__ import annotations

from itertools import groupby
from typing import Final, NamedTuple

import segno

from qwixx.printing.footer import Block, blocks
from qwixx.printing.ink_modes import BLACK
from qwixx.printing.labels import game_name
from qwixx.printing.page_layout import MM, Slot
from qwixx.printing.rows import PAWN_SHARE, WIDTH, cell_size, rows, rows_height
from qwixx.printing.style import Style, line
from qwixx.render.palette import QUIET, TEXT
from qwixx.render.svg_writer import box, el, num, place, words
from qwixx.render.symbols import clover, pawn
from qwixx.variants.model import Pad, Variant

PAD: Final = 8 * MM
"""The margin around a sheet."""
_GAP: Final = 17.0
_LOWEST: Final = 62.0
_HIGHEST: Final = 150.0
_CODE: Final = 16 * MM
"""The size that a QR code needs so that a phone can read it."""


class Sheet(NamedTuple):
    """A sheet that fits a slot: its ink, scale, position and height of rows."""

    ink: str
    scale: float
    x: float
    y: float
    row: float
    code: str
    """The QR code of a link, at the right end of the heading; separate because all sheets share it."""
    code_x: float


def fit_sheet(
    variant: Variant, style: Style, slot: Slot, lucky: Pad | None = None, link: str = "", pad: str = ""
) -> Sheet:
    """Draw the sheet of a game as large as its slot on the page allows; `pad` names one of different pads (CA1)."""
    variant = variant.on_pad(pad)
    wide, high = slot.width - 2 * PAD, slot.height - 2 * PAD
    scale = wide / WIDTH
    below = blocks(variant, style)
    side = _CODE / scale if link else 0.0
    head = _head(variant, style, lucky, side, pad)
    fixed = head.height + _GAP + sum(block.height + _GAP for block in below)
    gaps = rows_height(variant, 0)
    count = len(variant.rows)
    row = min(_HIGHEST, (high / scale - fixed - gaps) / count)
    if row < _LOWEST:
        row = _LOWEST
        scale = high / (fixed + gaps + count * row)
    code = _code(link, side) if link else ""
    ink = _stacked([head, Block(rows_height(variant, row), rows(variant, style, row)), *below])
    left = (wide - WIDTH * scale) / 2
    top = (high - (fixed + gaps + count * row - _GAP) * scale) / 2
    return Sheet(ink, scale, slot.x + PAD + left, slot.y + PAD + max(0.0, top), row, code, (WIDTH - side) * scale)


def pawn_size(variant: Variant, sheet: Sheet) -> float:
    """Return the largest width of a pawn that fits a cell of this sheet, in points."""
    return min(cell_size(variant, sheet.row)) * sheet.scale * PAWN_SHARE


def _stacked(strips: list[Block]) -> str:
    parts, y = [], 0.0
    for strip in strips:
        parts.append(place(0, y, strip.ink))
        y += strip.height + _GAP
    return "".join(parts)


# ---- the heading


def _head(variant: Variant, style: Style, lucky: Pad | None, code: float, pad: str) -> Block:
    """Draw the heading: the game, a line for the player's name, and on the right the parts of this sheet only."""
    high = max(60.0 * style.type, code)
    middle, right = high / 2, WIDTH
    parts = []
    if code:
        right -= code + 24
    if pad:
        parts.append(words(right - 4, middle, pad, 44 * style.type, fill=BLACK, anchor="end", bold=True))
        right -= 60 * style.type
    if lucky:
        drawn, wide = _lucky(style, lucky)
        parts.append(place(right - wide, middle, drawn))
        right -= wide + 24
    name = game_name(variant, style.language)
    size = 34 * min(style.type, 1.25)
    parts.append(line(2, middle - 0.3 * size, name, size, right * 0.52, fill=TEXT, anchor="start", bold=True))
    closing = style.word("closing.pawns" if variant.is_duel else "closing").format(n=variant.closing_crosses)
    quiet = BLACK if style.ink.is_gray or style.type > 1 else QUIET
    parts.append(line(2, middle + 0.62 * size, closing, 0.5 * size, right * 0.52, fill=quiet, anchor="start"))
    lines = _name_lines(variant, style, right * 0.56, right, middle)
    return Block(high, "".join(parts) + lines)


def _name_lines(variant: Variant, style: Style, left: float, right: float, middle: float) -> str:
    """Draw a line for each player's name: two on a board for two, beside their pawns."""
    if not variant.is_duel:
        return _name_line(style, left, right, middle)
    half = (right - left - 20) / 2
    parts = []
    for seat in range(variant.most_seats):
        begin = left + seat * (half + 20)
        parts.append(place(begin + 16, middle, el("g", pawn(seat), transform="scale(1.5)")))
        parts.append(_name_line(style, begin + 40, begin + half, middle))
    return "".join(parts)


def _name_line(style: Style, left: float, right: float, middle: float) -> str:
    size = 17.0 * style.type
    stroke = f"M{num(left)} {num(middle + 16)}L{num(right)} {num(middle + 16)}"
    under = el("path", d=stroke, stroke=BLACK if style.ink.is_gray else TEXT, stroke_width=1.6)
    return under + words(
        left, middle - 12, style.word("name"), size, fill=BLACK if style.type > 1 else QUIET, anchor="start"
    )


def _lucky(style: Style, lucky: Pad) -> tuple[str, float]:
    """Draw the two lucky numbers of a sheet beside a clover (L4)."""
    side = 52.0 * style.type
    leaf = el("g", clover().replace("#25793f", BLACK if style.ink.is_gray else "#25793f"), transform="scale(2)")
    parts = [place(22, 0, leaf)]
    for at, number in enumerate(lucky):
        x = 54 + at * (side + 10)
        parts.append(box(x, -side / 2, side, side, 12, fill="#ffffff", stroke=BLACK, stroke_width=3))
        parts.append(words(x + side / 2, 0, str(number), side * 0.58, fill=BLACK, bold=True))
    return "".join(parts), 54 + 2 * side + 10


def _code(link: str, side: float) -> str:
    """Draw a link as a QR code, run by run."""
    lines = [list(line) for line in segno.make(link, error="m", micro=False).matrix]
    step = side / len(lines)
    dark = []
    for down, cells in enumerate(lines):
        for is_dark, run in groupby(range(len(cells)), lambda at, cells=cells: cells[at]):  # type: ignore[misc]
            places = list(run)
            if is_dark:
                dark.append(_dark(places[0] * step, down * step, len(places) * step, step))
    return el("path", d="".join(dark), fill=BLACK)


def _dark(x: float, y: float, width: float, height: float) -> str:
    left, right, top, bottom = (f"{value:.2f}" for value in (x, x + width, y, y + height))
    return f"M{left} {top}H{right}V{bottom}H{left}Z"
