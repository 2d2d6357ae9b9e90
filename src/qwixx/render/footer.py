"""The footer of a sheet, below the rows: bonus bar, pairs, hand, points table, misses and the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qwixx.game.view import SheetView, View
from qwixx.render.palette import PENCIL, QUIET, RULE, SLATE, TONES
from qwixx.render.sheet_content import RowInk, bar_marks, pair_words, read_marked, read_sum
from qwixx.render.svg_writer import box, cross, el, place, strike, words
from qwixx.render.symbols import badge, card, pawn
from qwixx.variants.model import Variant

_COLUMN = 29
_LABEL = 52
_MISS = 34
_MISSES_A_LINE = 5
_PAIRS_A_LINE = 5
_TOTAL = 74
_SIGN = 18


class Block(NamedTuple):
    """A strip of the sheet: its height, and its ink."""

    height: float
    ink: str


def least_width(variant: Variant) -> float:
    """Return the width that a sheet needs for its points table and its misses."""
    return _LABEL + _COLUMN * len(_points(variant)) + 24 + _MISS * min(variant.end_misses, _MISSES_A_LINE) + 4


def _points(variant: Variant) -> tuple[int, ...]:
    return variant.points[: variant.most_counted]


def bar(variant: Variant, sheet: SheetView, width: float) -> Block:
    """Draw the bonus bar: used cells are crossed, struck ones struck through."""
    step = min(46.0, (width - 20) / len(variant.bar))
    left = (width - step * len(variant.bar)) / 2
    parts = [box(left - 8, 0, step * len(variant.bar) + 16, 50, 14, fill="#ffffff", stroke=RULE, stroke_width=1.5)]
    for at, (key, color, mark) in enumerate(bar_marks(variant, sheet)):
        tone = TONES[color]
        inside = [el("circle", r=17, fill=tone.band), words(0, 0, key, 17, fill=tone.on_band, bold=True)]
        if mark != "open":
            inside = [el("g", *inside, opacity=0.45)]
            inside.append(
                cross(f"bar {at}", 13, "bar-cross") if mark == "used" else strike(f"bar {at}", 17, "bar-strike")
            )
        parts.append(place(left + step * (at + 0.5), 25, *inside, class_=f"bar {mark}"))
    return Block(50, "".join(parts))


def fields(marks: Sequence[tuple[str, str]], width: float) -> Block:
    """Draw the fields of a bar that exchanges numbers, or of a track: used ones are crossed, skipped ones struck."""
    step = min(74.0, (width - 20) / len(marks))
    left = (width - step * len(marks)) / 2
    parts = []
    for at, (text, mark) in enumerate(marks):
        inside = [box(4 - step / 2, -18, step - 8, 36, 9, fill="#ffffff", stroke=RULE, stroke_width=1.5)]
        inside.append(words(0, 0, text, 17, bold=True))
        if mark != "open":
            inside = [el("g", *inside, opacity=0.45)]
            inside.append(
                cross(f"field {at}", 13, "bar-cross") if mark == "used" else strike(f"field {at}", 17, "bar-strike")
            )
        parts.append(place(left + step * (at + 0.5), 20, *inside, class_=f"bar {mark}"))
    return Block(40, "".join(parts))


def pairs(variant: Variant, rows: tuple[RowInk, ...], width: float) -> Block:
    """List the pairs: symbol and name, in bold once both its cells are crossed."""
    marks = read_marked(variant, rows)
    lines = [marks[at : at + _PAIRS_A_LINE] for at in range(0, len(marks), _PAIRS_A_LINE)]
    parts = []
    for down, line in enumerate(lines):
        widths = [26 + 6.9 * len(pair_words(marked.word)) for marked in line]
        gap = (width - sum(widths)) / max(1, len(line) - 1)
        x = 12.0
        for wide, marked in zip(widths, line, strict=True):
            done = marked.crossed == marked.cells
            text = words(15, 0, pair_words(marked.word), 12.5, anchor="start", bold=done)
            parts.append(place(x, 12 + 26 * down, badge(marked.word, done=done), text))
            x += wide + gap
    return Block(26 * len(lines) - 2, "".join(parts))


def hand(sheet: SheetView) -> Block:
    """Draw a hand: its cards if they are visible, else their backs (K11)."""
    cards = sheet.hand if sheet.hand is not None else tuple(map(str, sheet.backs))
    parts = [words(2, 22, "Hand", 14, fill=QUIET, anchor="start")]
    parts += [place(_LABEL + 18 + 38 * at, 22, card(text)) for at, text in enumerate(cards)]
    return Block(44, "".join(parts))


def table_and_misses(variant: Variant, view: View, seat: int, width: float) -> Block:
    """Draw the points table on the left and the miss boxes on the right."""
    points = _points(variant)
    right = _LABEL + _COLUMN * len(points)
    parts = [
        words(2, 13, "crosses" if not variant.is_duel else "pawns", 12, fill=QUIET, anchor="start"),
        words(2, 39, "points", 12, fill=QUIET, anchor="start"),
        box(_LABEL, 0, right - _LABEL, 52, 8, fill="#ffffff", stroke=RULE),
        el("path", d=f"M{_LABEL} 26H{right}", stroke=RULE),
    ]
    for at, value in enumerate(points):
        x = _LABEL + _COLUMN * (at + 0.5)
        if at:
            parts.append(el("path", d=f"M{x - _COLUMN / 2} 0V52", stroke=RULE))
        parts += [words(x, 13, str(at + 1), 12.5, fill=QUIET), words(x, 39, str(value), 13.5, bold=True)]
    return Block(max(52, _misses_height(variant)), "".join(parts) + _misses(variant, view, seat, width))


def _misses_height(variant: Variant) -> float:
    return 18 + _MISS * -(-variant.end_misses // _MISSES_A_LINE)


def _misses(variant: Variant, view: View, seat: int, width: float) -> str:
    """Draw the miss boxes; the duel's are shared and hold pawns."""
    if variant.is_duel:
        owners = [sheet.seat for sheet in view.sheets for _ in range(sheet.misses)]
    else:
        owners = [seat] * view.sheets[seat].misses
    columns = min(_MISSES_A_LINE, variant.end_misses)
    left = width - _MISS * columns
    parts = [words(width - 2, 6, f"misses, −{variant.miss_points} each", 12, fill=QUIET, anchor="end")]  # noqa: RUF001
    for at in range(variant.end_misses):
        down, right = divmod(at, columns)
        inside = [box(-14, -14, 28, 28, 6, fill="#ffffff", stroke=RULE, stroke_width=1.8)]
        if at < len(owners):
            mark = place(0, 1, pawn(owners[at])) if variant.is_duel else cross(f"miss {at}", 10.5, "miss-cross")
            inside.append(mark)
        parts.append(place(left + _MISS * (right + 0.5) + 2, 34 + _MISS * down, *inside, class_="miss"))
    return "".join(parts)


def scores(variant: Variant, sheet: SheetView, width: float) -> Block:
    """Draw the score as a sum, as on paper: a box for each row, minus misses, plus extras, and the total."""
    added = read_sum(variant, sheet)
    terms = [("+", key, TONES[color].band if color else SLATE, points) for key, color, points in added.rows]
    terms.append(("−", "misses", QUIET, added.misses))  # noqa: RUF001 - a minus sign, as on paper
    if variant.pays_for:
        terms.append(("+", variant.pays_for, QUIET, added.extra))
    left = 62.0 if variant.is_duel else 0.0
    step = (width - left - _TOTAL) / len(terms)
    parts = []
    for at, (sign, label, edge, value) in enumerate(terms):
        x = left + step * at
        if at:
            parts.append(words(x - _SIGN / 2, 21, sign, 18))
        parts.append(_score_box(x, step - _SIGN, label, edge, value))
    parts.append(words(width - _TOTAL - _SIGN / 2, 21, "=", 18))
    parts.append(_score_box(width - _TOTAL, _TOTAL, "", PENCIL, added.total))
    if variant.is_duel:
        parts.append(place(12, 22, pawn(sheet.seat)))
        parts.append(words(40, 16, str(sheet.pawns_left), 15, bold=True))
        parts.append(words(40, 31, "left", 11, fill=QUIET))
    return Block(42, "".join(parts))


def _score_box(x: float, width: float, label: str, edge: str, value: int) -> str:
    """Draw a box with a number and a label above it; the total has no label and is emphasized."""
    frame = box(x, 0, width, 42, 9, fill="#ffffff", stroke=edge, stroke_width=2.4)
    middle = x + width / 2
    if not label:
        return el("g", frame, words(middle, 21.5, str(value), 23, fill=PENCIL, bold=True), class_="total")
    number = words(middle, 25.5, str(value), 19, bold=True)
    return el("g", frame, number, words(middle, 9, label, 11, fill=QUIET, bold=True), class_="points")
