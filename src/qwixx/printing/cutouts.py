"""Pieces to cut out: the deck of the card game, with backs, and the pawns of the duel."""

from __future__ import annotations

from typing import Final

from qwixx.printing.ink_modes import BLACK
from qwixx.printing.page_layout import MM
from qwixx.printing.style import Style, line
from qwixx.render.palette import PAWNS, RULE
from qwixx.render.svg_writer import box, el, place, words
from qwixx.render.symbols import pawn
from qwixx.text.notation import card_text
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant

CARD: Final = (63 * MM, 88 * MM)
"""The standard size of cards, so that sleeves fit."""
_WIDE: Final = 63.0
_HIGH: Final = 88.0


def deck(variant: Variant) -> list[str]:
    """Return the cards of a game in the order of its deck: `r2`, a joker `j7` (K1, K9)."""
    layout = compile_layout(variant)[0]
    return [card_text(int(card)) for card in layout.deck[: layout.deck_size]]


def front(style: Style, card: str) -> str:
    """Draw the front of a card: number and color, in the corners too, so that a held hand is readable."""
    color, number = card[0], card[1:]
    name = style.word("joker" if color == "j" else f"color.{color}")
    tone = style.ink.tone(color)
    parts = [_edge(), _ground(style, color)]
    parts.append(box(12, 20, _WIDE - 24, 42, 5, fill="#ffffff", stroke=BLACK if style.ink.is_gray else None))
    parts.append(_number(_WIDE / 2, 41, number, 25, tone.number))
    for x, y in ((11.5, 11.8), (_WIDE - 11.5, 11.8)):
        parts.append(_spot(style, x, y))
        parts.append(_number(x, y, number, 6.6, tone.number))
    foot = _HIGH - 14
    if style.ink.is_gray:
        parts.append(box(8, foot - 7.5, _WIDE - 16, 15, 3, fill="#ffffff", stroke=BLACK, stroke_width=0.5))
    parts.append(style.ink.mark(16, foot, 8, color, tone.on_band))
    parts.append(line(22.5, foot, name, 7.5, 33, fill=tone.on_band, anchor="start", bold=True))
    return "".join(parts)


def back(number: str) -> str:
    """Draw the back of a card: the same number, and no color (K1)."""
    parts = [_edge(), box(4, 4, _WIDE - 8, _HIGH - 8, 4, stroke=BLACK, stroke_width=0.8)]
    parts.append(box(6, 6, _WIDE - 12, _HIGH - 12, 3, stroke=RULE, stroke_width=0.6))
    parts.append(_number(_WIDE / 2, _HIGH / 2, number, 26, BLACK))
    return "".join(parts)


_TURNED: Final = ("6", "9")
"""Numbers that would be each other upside down: a line below says which way is up."""


def _number(x: float, y: float, number: str, size: float, fill: str) -> str:
    drawn = words(x, y, number, size, fill=fill, bold=True)
    if number not in _TURNED:
        return drawn
    return drawn + box(x - size * 0.3, y + size * 0.42, size * 0.6, size * 0.08, 0, fill=fill)


def _edge() -> str:
    return box(0, 0, _WIDE, _HIGH, 0, stroke="#bbbbbb", stroke_width=0.25)


def _ground(style: Style, color: str) -> str:
    if color == "j":
        fill = "#ffffff" if style.ink.is_gray else style.ink.tone("j").band
        return box(4, 4, _WIDE - 8, _HIGH - 8, 4, fill=fill, stroke=BLACK, stroke_width=0.8)
    return place(
        4, 4, el("g", style.ink.frame(0, 0, (_WIDE - 8) * 4, (_HIGH - 8) * 4, 16, color), transform="scale(0.25)")
    )


def _spot(style: Style, x: float, y: float) -> str:
    edge = BLACK if style.ink.is_gray else None
    return el("circle", cx=x, cy=y, r=5.2, fill="#ffffff", stroke=edge, stroke_width=0.5)


PAWN_STEP: Final = 1.12
"""The distance of paper pawns, in widths of a pawn."""


def paper_pawn(seat: int) -> str:
    """Draw a pawn to cut out, 100 units wide: round and dark for seat 0, square and light for seat 1 (D1)."""
    dark = PAWNS[0][0]
    if seat % 2:
        ground = el("rect", x=2, y=2, width=96, height=96, rx=16, fill="#ffffff", stroke=dark, stroke_width=2)
    else:
        ground = el("circle", cx=50, cy=50, r=44, fill="#ffffff", stroke=dark, stroke_width=10)
    return ground + place(50, 47, el("g", pawn(seat), transform="scale(2.1)"))
