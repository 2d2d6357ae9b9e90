"""Score sheets as pictures: SVG that scales, needs no fonts or scripts, and never changes for the same position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

from msgspec import structs

from qwixx.game.view import SheetView, View
from qwixx.render import footer
from qwixx.render.palette import EDGE, PAPER, QUIET, TEXT
from qwixx.render.rows import bands, bands_height, bands_width
from qwixx.render.sheet_content import (
    dice_faces,
    exchange_marks,
    read_bonus_rows,
    read_rows,
    seat_name,
    status,
    track_marks,
)
from qwixx.render.svg_writer import FONT, box, clean, el, num, place, words
from qwixx.render.symbols import card, clover, die
from qwixx.text.notation import Action
from qwixx.variants.model import Variant

_PAD = 16
_HEAD = 46
_GAP = 14
_STRIP = 72


class _Drawing(NamedTuple):
    width: float
    height: float
    ink: str


def sheet_svg(
    variant: Variant, view: View, seat: int, legal: Iterable[str | Action] = (), title: str | None = None
) -> str:
    """
    Draw the sheet of one seat; in the duel, the board as this seat scores on it.

    `legal` are the cells, or the actions, to highlight. `title` is the heading, for example a player's name.
    """
    default = _duellists(()) if variant.is_duel else f"seat {seat}"
    heading = f"{variant.name}, {default}" if title is None else title
    return _document(_sheet(variant, view, seat, legal, heading), heading, _description(variant, view, [seat], ()))


def excerpt_svg(
    variant: Variant,
    view: View,
    seat: int,
    rows: Sequence[str],
    parts: Sequence[str] = (),
    legal: Iterable[str | Action] = (),
) -> str:
    """
    Draw some rows of a seat's sheet and the named parts of the rest: `dice`, `bar`, `hand`, `misses`, `sum`.

    For examples, which show only the parts that they explain.
    """
    kept = [row.key in rows for row in variant.rows]
    small = replace(variant, rows=tuple(compress(variant.rows, kept)))
    sheets = tuple(structs.replace(sheet, rows=tuple(compress(sheet.rows, kept))) for sheet in view.sheets)
    cut = structs.replace(view, sheets=sheets)
    width = max(bands_width(small), footer.least_width(small) if "misses" in parts else 0)
    inks = read_rows(small, cut, seat, legal)
    blocks = [footer.Block(bands_height(small), bands(small, seat, inks, width))]
    if "dice" in parts:
        blocks.insert(0, footer.Block(40, _dice(variant, view)))
    if "bar" in parts and variant.bar:
        blocks.append(footer.bar(variant, view.sheets[seat], width))
    if "hand" in parts and view.sheets[seat].hand:
        blocks.append(footer.hand(view.sheets[seat]))
    if "misses" in parts:
        blocks.append(footer.table_and_misses(variant, view, seat, width))
    if "sum" in parts:
        blocks += [
            footer.scores(variant, each, width) for each in (view.sheets if variant.is_duel else [view.sheets[seat]])
        ]
    ink, height = _stacked(blocks)
    whole, y = width + 2 * _PAD, height + 2 * _PAD
    paper = box(0, 0, whole, y, 18, fill=PAPER, stroke=EDGE, stroke_width=1.5)
    drawing = _Drawing(whole, y, paper + place(_PAD, _PAD, ink, class_="sheet"))
    return _document(drawing, variant.name, _description(small, cut, [seat], ()))


def _dice(variant: Variant, view: View) -> str:
    faces = enumerate(dice_faces(view))
    return "".join(
        place(20 + 42 * at, 18, die(color, face, variant.sides), class_="die") for at, (color, face) in faces
    )


def _stacked(blocks: Sequence[footer.Block]) -> tuple[str, float]:
    """Stack blocks; return the ink and the height."""
    y, parts = 0.0, []
    for block in blocks:
        parts.append(place(0, y, block.ink))
        y += block.height + _GAP
    return "".join(parts), y - _GAP


def table_svg(variant: Variant, view: View, names: Sequence[str] = ()) -> str:
    """Draw the whole table: dice or cards, then every seat's sheet, two side by side; in the duel one board."""
    seats = range(1) if variant.is_duel else range(view.seats)
    headings = [_duellists(names)] if variant.is_duel else [seat_name(seat, names) for seat in seats]
    sheets = [_sheet(variant, view, seat, (), heading) for seat, heading in zip(seats, headings, strict=True)]
    columns = min(2, len(sheets))
    wide, high = sheets[0].width, sheets[0].height
    parts = [_strip(variant, view, names, columns * (wide + _GAP) - _GAP)]
    for index, sheet in enumerate(sheets):
        down, right = divmod(index, columns)
        alone = index == len(sheets) - 1 and right == 0 and columns == 2
        x = (wide + _GAP) / 2 if alone else right * (wide + _GAP)  # an odd sheet is centered
        parts.append(place(x, _STRIP + _GAP + down * (high + _GAP), sheet.ink))
    rows = -(-len(sheets) // columns)
    size = _Drawing(columns * (wide + _GAP) - _GAP, _STRIP + rows * (high + _GAP), "".join(parts))
    return _document(size, f"{variant.name}: {status(view, names)}", _description(variant, view, seats, names))


def _document(drawing: _Drawing, title: str, description: str) -> str:
    """Wrap a drawing in an SVG document: sized by its viewBox, with a title and a description for screen readers."""
    return el(
        "svg",
        el("title", clean(title) or "Qwixx"),
        el("desc", clean(description)),
        drawing.ink,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"-1 -1 {num(drawing.width + 2)} {num(drawing.height + 2)}",
        role="img",
        font_family=FONT,
        text_anchor="middle",
    )


def _description(variant: Variant, view: View, seats: Iterable[int], names: Sequence[str]) -> str:
    """Return a description of a picture in words."""
    description = []
    for sheet in view.sheets if variant.is_duel else [view.sheets[seat] for seat in seats]:
        rows = "; ".join(
            f"{row.key} {', '.join(map(str, row.crosses)) or 'empty'}{' and the lock' if row.locked else ''}"
            for row in sheet.rows
        )
        description.append(f"{seat_name(sheet.seat, names)}: {rows}; misses {sheet.misses}; score {sheet.score}.")
    closed = f" Closed rows: {', '.join(view.closed)}." if view.closed else ""
    return " ".join(description) + closed


def _duellists(names: Sequence[str]) -> str:
    """Return a text that names the owner of each color of pawns."""
    return f"dark {seat_name(0, names)}, light {seat_name(1, names)}"


def _fitted(text: str, width: float, size: float) -> str:
    """Shorten a text that does not fit; the width is estimated from an average letter."""
    most = int(width / (size * 0.55))
    return text if len(text) <= most else text[: max(0, most - 1)] + "…"


def _sheet(variant: Variant, view: View, seat: int, legal: Iterable[str | Action], heading: str) -> _Drawing:
    """Draw one sheet: heading, rows, the parts that this variant has below them, and the boxes at its foot."""
    sheet = view.sheets[seat]
    rows = read_rows(variant, view, seat, legal)
    width = max(bands_width(variant), footer.least_width(variant))
    bonus = read_bonus_rows(variant, view, seat, legal)
    blocks = [footer.Block(bands_height(variant), bands(variant, seat, rows, width, bonus))]
    if variant.bar:
        blocks.append(footer.bar(variant, sheet, width))
    if marks := (*exchange_marks(variant, sheet), *track_marks(variant, sheet)):
        blocks.append(footer.fields(marks, width))
    if variant.pairs:
        blocks.append(footer.pairs(variant, rows, width))
    if variant.is_cards:
        blocks.append(footer.hand(sheet))
    blocks.append(footer.table_and_misses(variant, view, seat, width))
    scored = view.sheets if variant.is_duel else (sheet,)
    blocks += [footer.scores(variant, each, width) for each in scored]
    parts = [_head(variant, view, sheet, heading, width)]
    y = float(_HEAD)
    for block in blocks:
        parts.append(place(0, y, block.ink))
        y += block.height + _GAP
    whole = width + 2 * _PAD
    paper = box(0, 0, whole, y + _PAD - _GAP, 18, fill=PAPER, stroke=EDGE, stroke_width=1.5)
    return _Drawing(whole, y + _PAD - _GAP, paper + place(_PAD, 0, "".join(parts), class_="sheet"))


def _head(variant: Variant, view: View, sheet: SheetView, heading: str, width: float) -> str:
    """Draw the heading, and on the right the parts that belong to this seat only."""
    parts, right = [], width
    if sheet.pad:
        parts.append(words(right, 24, f"pad {sheet.pad}", 18, anchor="end", bold=True))
        right -= 66
    if sheet.lucky:
        text = " / ".join(map(str, sheet.lucky))
        parts.append(words(right, 24, text, 18, anchor="end", bold=True))
        right -= 9 * len(text) + 18
        parts.append(place(right, 23, clover(), class_="lucky"))
        right -= 28
    if not variant.is_duel and view.active == sheet.seat and not view.ending:
        parts.append(words(right, 24, "active", 14, fill=QUIET, anchor="end"))
        right -= 60
    parts.append(words(2, 24, _fitted(heading, right - 2, 19), 19, fill=TEXT, anchor="start", bold=True))
    return "".join(parts)


def _strip(variant: Variant, view: View, names: Sequence[str], width: float) -> str:
    """Draw the middle of the table: the dice, or the display and the pile."""
    parts = [box(0, 0, width, _STRIP, 18, fill=PAPER, stroke=EDGE, stroke_width=1.5)]
    x = 34.0
    for at, (color, face) in enumerate(dice_faces(view)):
        x += 14 if at == 2 else 0
        parts.append(place(x, 30, die(color, face, variant.sides), class_="die"))
        x += 42
    if variant.is_cards:
        for number in view.display:
            parts.append(place(x, 36, card("" if number is None else str(number))))
            x += 38
        x += 24
        parts.append(place(x + 4, 36, card("?" if view.number is None else str(view.number))))
        parts.append(words(x + 28, 36, f"{view.pile_size} in the pile", 13, fill=QUIET, anchor="start"))
        x += 140
    room = width - x - 8
    parts.append(words(width - 20, 25, _fitted(variant.name, room, 16), 16, anchor="end", bold=True))
    parts.append(words(width - 20, 48, _fitted(status(view, names), room, 14), 14, fill=QUIET, anchor="end"))
    return "".join(parts)
