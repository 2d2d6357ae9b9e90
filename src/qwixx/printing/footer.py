"""The footer of a printed sheet, below the rows: bar, pairs, points table, misses and the boxes to add up in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from qwixx.printing.ink_modes import BLACK
from qwixx.printing.pdf_writer import width_of
from qwixx.printing.rows import WIDTH, pawn_width
from qwixx.printing.style import Style, line
from qwixx.render.palette import QUIET, RULE, TEXT
from qwixx.render.sheet_content import row_color
from qwixx.render.svg_writer import box, el, num, place, words
from qwixx.render.symbols import badge, pawn
from qwixx.text.effect_texts import effect_text
from qwixx.variants.model import COLORS, Variant

_MISSES_A_LINE: Final = 6
_SIGN: Final = 30.0


class Block(NamedTuple):
    """A strip of the sheet: its height, and its ink."""

    height: float
    ink: str


def blocks(variant: Variant, style: Style) -> list[Block]:
    """Draw all parts below the rows of this game."""
    found = [_legend(style)] if variant.is_mixed else []
    if variant.bar:
        found.append(_bar(variant, style))
    if variant.exchange:
        found.append(_fields([f"{one}/{other}" for one, other in variant.exchange], style))
    if variant.track:
        found.append(_fields([str(points) for points in variant.track], style))
    if variant.pairs:
        found.append(_pairs(variant, style))
    found.append(_table_and_misses(variant, style))
    found += [_scores(variant, style, seat) for seat in range(variant.most_seats if variant.is_duel else 1)]
    return found


def _legend(style: Style) -> Block:
    """Draw the legend of shapes and colors, for rows without the name of a color."""
    size = 18.0 * style.type
    parts, x = [], 14.0
    for color in COLORS:
        name = style.word(f"color.{color}")
        parts.append(style.ink.mark(x, size / 2, size, color, style.ink.tone(color).number))
        parts.append(words(x + size, size / 2, name, size, fill=_quiet(style), anchor="start"))
        x += width_of(name, size) + 4 * size
    return Block(size, "".join(parts))


def _bar(variant: Variant, style: Style) -> Block:
    """Draw the bonus bar: each boxed cell uses its next one (BA1)."""
    colors = {row.key: (row.lock_color, row_color(row)) for row in variant.rows}
    step, high = WIDTH / len(variant.bar), 62.0
    parts = [box(0, 0, WIDTH, high, 16, fill="#ffffff", stroke=_edge(style), stroke_width=2)]
    for at, key in enumerate(variant.bar):
        color, single = colors[key]
        tone, x = style.ink.tone(color), step * (at + 0.5)
        wide = min(step - 12, 66.0)
        parts.append(style.ink.frame(x - wide / 2, 7, wide, high - 14, 10, color))
        if style.ink.is_gray:
            parts.append(el("circle", cx=x, cy=high / 2, r=17, fill="#ffffff"))
        sign = style.ink.mark(x, high / 2, 24, color, tone.on_band)
        parts.append(
            sign if single else words(x, high / 2, str(variant.row_number(key)), 24, fill=tone.on_band, bold=True)
        )
    return Block(high, "".join(parts))


def _fields(texts: Sequence[str], style: Style) -> Block:
    """Draw the fields of a bar that exchanges numbers (XC1), or of a track (F1)."""
    high = 56.0
    step = min(WIDTH / len(texts), 150.0)
    left = (WIDTH - step * len(texts)) / 2
    parts = []
    for at, text in enumerate(texts):
        x = left + step * at
        parts.append(box(x + 5, 0, step - 10, high, 12, fill="#ffffff", stroke=_edge(style), stroke_width=2.4))
        parts.append(words(x + step / 2, high / 2, text, 28, fill=TEXT, bold=True))
    return Block(high, "".join(parts))


def _pairs(variant: Variant, style: Style) -> Block:
    """List the effect of each pair of marked cells, in two columns (BB1)."""
    size, down, half = 19.0 * style.type, 32.0 * style.type, WIDTH / 2
    parts = []
    for at, kind in enumerate(variant.pairs.values()):
        under, right = divmod(at, 2)
        symbol = el("g", badge(kind), transform=f"scale({1.35 * style.type:.3f})")
        text = line(24 * style.type, 0, effect_text(kind, style.language), size, half - 60, fill=TEXT, anchor="start")
        parts.append(place(16 * style.type + right * half, down * (under + 0.5), symbol, text))
    return Block(down * -(-len(variant.pairs) // 2), "".join(parts))


def _table_and_misses(variant: Variant, style: Style) -> Block:
    """Draw the points table on the left and the miss boxes on the right (C12)."""
    high = 34.0 * style.type
    room = _misses_width(variant, style)
    misses = place(WIDTH - room, 0, _misses(variant, style, room))
    table = _table(variant, style, WIDTH - room - 28, high)
    return Block(max(2 * high, _misses_height(variant, style)), table + misses)


def _table(variant: Variant, style: Style, width: float, high: float) -> str:
    points = variant.points[: variant.most_counted]
    size = 18.0 * style.type
    labels = [style.word("pawns" if variant.is_duel else "crosses"), style.word("points")]
    label = min(width * 0.24, max(width_of(text, size) for text in labels) + 14)
    step = (width - label) / len(points)
    parts = [box(0, 0, width, 2 * high, 8, fill="#ffffff", stroke=_edge(style), stroke_width=1.6)]
    parts.append(el("path", d=f"M0 {num(high)}L{num(width)} {num(high)}", stroke=_edge(style), stroke_width=1.2))
    for at, text in enumerate(labels):
        parts.append(line(8, high * (at + 0.5), text, size, label - 12, fill=_quiet(style), anchor="start"))
    for at, value in enumerate(points):
        x = label + step * (at + 0.5)
        parts.append(_stroke(style, x - step / 2, high))
        parts.append(line(x, high * 0.5, str(at + 1), size, step - 4, fill=_quiet(style)))
        parts.append(line(x, high * 1.5, str(value), size * 1.08, step - 4, fill=TEXT, bold=True))
    return "".join(parts)


def _stroke(style: Style, x: float, high: float) -> str:
    return el("path", d=f"M{num(x)} 0L{num(x)} {num(2 * high)}", stroke=_edge(style), stroke_width=1.2)


def _misses_width(variant: Variant, style: Style) -> float:
    label = width_of(_misses_label(variant, style), 18 * style.type) + 4
    return max(label, _miss_box(variant, style) * min(variant.end_misses, _MISSES_A_LINE))


def _misses_label(variant: Variant, style: Style) -> str:
    return f"{style.word('misses')}  −{variant.miss_points}"  # noqa: RUF001 - a minus sign, as on paper


def _miss_box(variant: Variant, style: Style) -> float:
    """Return the distance of two boxes for misses; a pawn fits into a box (D6)."""
    return max(46.0 * style.type, pawn_width(variant) + 12 if variant.is_duel else 0.0)


def _misses_height(variant: Variant, style: Style) -> float:
    return 24 * style.type + _miss_box(variant, style) * -(-variant.end_misses // _MISSES_A_LINE)


def _misses(variant: Variant, style: Style, room: float) -> str:
    side = _miss_box(variant, style)
    parts = [
        words(
            room - 2, 10 * style.type, _misses_label(variant, style), 18 * style.type, fill=_quiet(style), anchor="end"
        )
    ]
    columns = min(variant.end_misses, _MISSES_A_LINE)
    for at in range(variant.end_misses):
        down, right = divmod(at, columns)
        x, y = room - side * (columns - right) + 3, 24 * style.type + side * down + 2
        parts.append(box(x, y, side - 6, side - 6, 8, fill="#ffffff", stroke=_edge(style), stroke_width=2.4))
    return "".join(parts)


def _scores(variant: Variant, style: Style, seat: int) -> Block:
    """Draw empty boxes to add a score up in: rows, minus misses, plus pairs, and the total."""
    high, total = 64.0 * style.type, 150.0
    terms: list[tuple[str, str, str]] = [
        ("+", str(number), row_color(row) or "") for number, row in enumerate(variant.rows, 1)
    ]
    terms.append(("−", style.word("misses"), ""))  # noqa: RUF001 - a minus sign, as on paper
    if variant.pays_for:
        terms.append(("+", style.word(variant.pays_for), ""))
    left = 60.0 if variant.is_duel else 0.0
    step = (WIDTH - left - total) / len(terms)
    parts = [place(26, high / 2, el("g", pawn(seat), transform="scale(1.8)"))] if variant.is_duel else []
    for at, (sign, label, color) in enumerate(terms):
        x = left + step * at
        if at:
            parts.append(words(x - _SIGN / 2, high / 2, sign, 28, fill=TEXT))
        parts.append(_score_box(style, (x, step - _SIGN, high), label, color))
    parts.append(words(WIDTH - total - _SIGN / 2, high / 2, "=", 28, fill=TEXT))
    parts.append(_score_box(style, (WIDTH - total, total, high), style.word("total"), ""))
    return Block(high, "".join(parts))


def _score_box(style: Style, where: Sequence[float], label: str, color: str) -> str:
    """Draw a box to write a number in, with a label in its corner."""
    x, width, high = where
    edge = style.ink.tone(color).band if color and not style.ink.is_gray else BLACK if style.ink.is_gray else TEXT
    parts = [box(x, 0, width, high, 12, fill="#ffffff", stroke=edge, stroke_width=3.6)]
    if color:
        parts.append(style.ink.mark(x + 17, 17, 17, color, style.ink.tone(color).number))
    else:
        size = 15 * style.type
        lines = [label] if width_of(label, size) <= width - 14 else label.rsplit(" ", 1)
        for at, text in enumerate(lines):
            parts.append(
                line(x + 9, size * (0.95 + 1.1 * at), text, size, width - 14, fill=_quiet(style), anchor="start")
            )
    return "".join(parts)


def _edge(style: Style) -> str:
    return BLACK if style.ink.is_gray else RULE


def _quiet(style: Style) -> str:
    return BLACK if style.ink.is_gray or style.type > 1 else QUIET
