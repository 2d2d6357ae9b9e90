"""What stands below the rows of a printed sheet: bar, pairs, points table, misses and the boxes to add up in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from qwixx.printing.inks import BLACK
from qwixx.printing.look import Look, line
from qwixx.printing.pdf import width_of
from qwixx.printing.rows import WIDTH
from qwixx.printing.words import pair_words
from qwixx.render.ink import row_color
from qwixx.render.palette import QUIET, RULE, TEXT
from qwixx.render.pen import box, el, num, place, words
from qwixx.render.pieces import pair_symbol, pawn
from qwixx.variants.model import COLORS, Variant

_MISSES_A_LINE: Final = 6
_SIGN: Final = 30.0


class Block(NamedTuple):
    """A strip of the sheet: how high it is, and its ink."""

    height: float
    ink: str


def blocks(variant: Variant, look: Look) -> list[Block]:
    """Draw all that stands below the rows of this game."""
    found = [_legend(look)] if variant.is_mixed else []
    if variant.bar:
        found.append(_bar(variant, look))
    if variant.pairs:
        found.append(_pairs(variant, look))
    found.append(_table_and_misses(variant, look))
    found += [_scores(variant, look, seat) for seat in range(variant.most_seats if variant.is_duel else 1)]
    return found


def _legend(look: Look) -> Block:
    """Say which shape stands for which color, where a row has no name of a color."""
    size = 18.0 * look.type
    parts, x = [], 14.0
    for color in COLORS:
        name = look.word(f"color.{color}")
        parts.append(look.ink.mark(x, size / 2, size, color, look.ink.tone(color).number))
        parts.append(words(x + size, size / 2, name, size, fill=_quiet(look), anchor="start"))
        x += width_of(name, size) + 4 * size
    return Block(size, "".join(parts))


def _bar(variant: Variant, look: Look) -> Block:
    """Draw the bonus bar: each boxed cell uses its next one (BA1)."""
    colors = {row.key: (row.lock_color, row_color(row)) for row in variant.rows}
    step, high = WIDTH / len(variant.bar), 62.0
    parts = [box(0, 0, WIDTH, high, 16, fill="#ffffff", stroke=_edge(look), stroke_width=2)]
    for at, key in enumerate(variant.bar):
        color, single = colors[key]
        tone, x = look.ink.tone(color), step * (at + 0.5)
        wide = min(step - 12, 66.0)
        parts.append(look.ink.frame(x - wide / 2, 7, wide, high - 14, 10, color))
        if look.ink.is_gray:
            parts.append(el("circle", cx=x, cy=high / 2, r=17, fill="#ffffff"))
        sign = look.ink.mark(x, high / 2, 24, color, tone.on_band)
        parts.append(sign if single else words(x, high / 2, key, 24, fill=tone.on_band, bold=True))
    return Block(high, "".join(parts))


def _pairs(variant: Variant, look: Look) -> Block:
    """Say what each pair of marked cells brings, in two columns (BB1)."""
    size, down, half = 19.0 * look.type, 32.0 * look.type, WIDTH / 2
    parts = []
    for at, kind in enumerate(variant.pairs.values()):
        under, right = divmod(at, 2)
        symbol = el("g", pair_symbol(kind), transform=f"scale({1.35 * look.type:.3f})")
        text = line(24 * look.type, 0, pair_words(look.language, kind), size, half - 60, fill=TEXT, anchor="start")
        parts.append(place(16 * look.type + right * half, down * (under + 0.5), symbol, text))
    return Block(down * -(-len(variant.pairs) // 2), "".join(parts))


def _table_and_misses(variant: Variant, look: Look) -> Block:
    """Draw the points table on the left and the miss boxes on the right (C12)."""
    high = 34.0 * look.type
    room = _misses_width(variant, look)
    misses = place(WIDTH - room, 0, _misses(variant, look, room))
    table = _table(variant, look, WIDTH - room - 28, high)
    return Block(max(2 * high, _misses_height(variant, look)), table + misses)


def _table(variant: Variant, look: Look, width: float, high: float) -> str:
    points = variant.points[: variant.most_counted]
    size = 18.0 * look.type
    labels = [look.word("pawns" if variant.is_duel else "crosses"), look.word("points")]
    label = min(width * 0.24, max(width_of(text, size) for text in labels) + 14)
    step = (width - label) / len(points)
    parts = [box(0, 0, width, 2 * high, 8, fill="#ffffff", stroke=_edge(look), stroke_width=1.6)]
    parts.append(el("path", d=f"M0 {num(high)}L{num(width)} {num(high)}", stroke=_edge(look), stroke_width=1.2))
    for at, text in enumerate(labels):
        parts.append(line(8, high * (at + 0.5), text, size, label - 12, fill=_quiet(look), anchor="start"))
    for at, value in enumerate(points):
        x = label + step * (at + 0.5)
        parts.append(_stroke(look, x - step / 2, high))
        parts.append(line(x, high * 0.5, str(at + 1), size, step - 4, fill=_quiet(look)))
        parts.append(line(x, high * 1.5, str(value), size * 1.08, step - 4, fill=TEXT, bold=True))
    return "".join(parts)


def _stroke(look: Look, x: float, high: float) -> str:
    return el("path", d=f"M{num(x)} 0L{num(x)} {num(2 * high)}", stroke=_edge(look), stroke_width=1.2)


def _misses_width(variant: Variant, look: Look) -> float:
    label = width_of(_misses_label(variant, look), 18 * look.type) + 4
    return max(label, _miss_box(look) * min(variant.end_misses, _MISSES_A_LINE))


def _misses_label(variant: Variant, look: Look) -> str:
    return f"{look.word('misses')}  −{variant.miss_points}"  # noqa: RUF001 - a minus sign, as on paper


def _miss_box(look: Look) -> float:
    return 46.0 * look.type


def _misses_height(variant: Variant, look: Look) -> float:
    return 24 * look.type + _miss_box(look) * -(-variant.end_misses // _MISSES_A_LINE)


def _misses(variant: Variant, look: Look, room: float) -> str:
    side = _miss_box(look)
    parts = [
        words(room - 2, 10 * look.type, _misses_label(variant, look), 18 * look.type, fill=_quiet(look), anchor="end")
    ]
    columns = min(variant.end_misses, _MISSES_A_LINE)
    for at in range(variant.end_misses):
        down, right = divmod(at, columns)
        x, y = room - side * (columns - right) + 3, 24 * look.type + side * down + 2
        parts.append(box(x, y, side - 6, side - 6, 8, fill="#ffffff", stroke=_edge(look), stroke_width=2.4))
    return "".join(parts)


def _scores(variant: Variant, look: Look, seat: int) -> Block:
    """Draw empty boxes to add a score up in: rows, minus misses, plus pairs, and the total."""
    high, total = 64.0 * look.type, 150.0
    terms: list[tuple[str, str, str]] = [("+", row.key, row_color(row) or "") for row in variant.rows]
    terms.append(("−", look.word("misses"), ""))  # noqa: RUF001 - a minus sign, as on paper
    if variant.pairs:
        terms.append(("+", look.word("pairs"), ""))
    left = 60.0 if variant.is_duel else 0.0
    step = (WIDTH - left - total) / len(terms)
    parts = [place(26, high / 2, el("g", pawn(seat), transform="scale(1.8)"))] if variant.is_duel else []
    for at, (sign, label, color) in enumerate(terms):
        x = left + step * at
        if at:
            parts.append(words(x - _SIGN / 2, high / 2, sign, 28, fill=TEXT))
        parts.append(_score_box(look, (x, step - _SIGN, high), label, color))
    parts.append(words(WIDTH - total - _SIGN / 2, high / 2, "=", 28, fill=TEXT))
    parts.append(_score_box(look, (WIDTH - total, total, high), look.word("total"), ""))
    return Block(high, "".join(parts))


def _score_box(look: Look, where: Sequence[float], label: str, color: str) -> str:
    """Draw a box to write a number in; in its corner stands what is counted there."""
    x, width, high = where
    edge = look.ink.tone(color).band if color and not look.ink.is_gray else BLACK if look.ink.is_gray else TEXT
    parts = [box(x, 0, width, high, 12, fill="#ffffff", stroke=edge, stroke_width=3.6)]
    if color:
        parts.append(look.ink.mark(x + 17, 17, 17, color, look.ink.tone(color).number))
    else:
        size = 15 * look.type
        lines = [label] if width_of(label, size) <= width - 14 else label.rsplit(" ", 1)
        for at, text in enumerate(lines):
            parts.append(
                line(x + 9, size * (0.95 + 1.1 * at), text, size, width - 14, fill=_quiet(look), anchor="start")
            )
    return "".join(parts)


def _edge(look: Look) -> str:
    return BLACK if look.ink.is_gray else RULE


def _quiet(look: Look) -> str:
    return BLACK if look.ink.is_gray or look.type > 1 else QUIET
