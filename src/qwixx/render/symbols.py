"""Symbols, each drawn around its center: locks, pawns, dice, cards, badges of pairs."""

from __future__ import annotations

import math
import tomllib
from functools import cache
from importlib import resources
from typing import Final

from qwixx.kernel.effects import find_effect
from qwixx.render.palette import PAWNS, PENCIL, QUIET, RULE, TONES
from qwixx.render.svg_writer import box, el, place, words
from qwixx.text.effect_texts import effect_sign

_PIPS: Final = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}


def padlock(fill: str, *, shut: bool) -> str:
    """Draw a padlock; its shackle is open until the row is closed."""
    shackle = "M-5.5 -1V-5.5A5.5 5.5 0 0 1 5.5 -5.5V-1" if shut else "M-5.5 -1V-7.5A5.5 5.5 0 0 1 5.5 -7.5V-6"
    return (
        el("path", d=shackle, fill="none", stroke=fill, stroke_width=3, stroke_linecap="round")
        + box(-9, -2, 18, 13, 3, fill=fill)
        + el("circle", cx=0, cy=3.2, r=2, fill="#ffffff")
        + el("path", d="M0 3.5V7", stroke="#ffffff", stroke_width=1.8, stroke_linecap="round")
    )


def pawn(seat: int, height: int = 1, *, name: str | None = None) -> str:
    """Draw a player's pawn, dark for seat 0 and light with a belt for seat 1; a stack shows its height."""
    body, line = PAWNS[seat % len(PAWNS)]
    outline: dict[str, str | float] = {"fill": body, "stroke": line, "stroke_width": 1.6}
    parts = [
        el("path", d="M-10 12.5C-10 5.5 -5 5 -4 -2H4C5 5 10 5.5 10 12.5Z", stroke_linejoin="round", **outline),
        el("circle", cx=0, cy=-6.5, r=6.2, **outline),
    ]
    if seat % 2:
        parts.append(el("path", d="M-8.4 7.6H8.4", stroke=line, stroke_width=2))
    if height > 1:
        parts.append(place(9.5, -9.5, el("circle", r=7.6, fill="#ffffff", stroke=PENCIL, stroke_width=1.6)))
        parts.append(words(9.5, -9.5, str(height), 11, fill=PENCIL, bold=True))
    return el("g", *parts, class_=f"pawn seat-{seat}", **{"data-cell": name, "data-height": str(height)})


def die(color: str, face: str, sides: int) -> str:
    """Draw a die: with pips if it is a cube, with its number if it has more sides; a pale outline once it has left."""
    tone = TONES[color]
    letter = words(0, 27, color, 11, fill=QUIET, bold=True) if color != "w" else ""
    if face == "-":
        gone = el("rect", x=-16, y=-16, width=32, height=32, rx=7, fill="none", stroke=RULE, stroke_dasharray="4 3")
        return gone + letter
    edge = RULE if color == "w" else tone.band
    if sides <= len(_PIPS):
        pips = [el("circle", cx=8.5 * x, cy=8.5 * y, r=3, fill=tone.on_band) for x, y in _PIPS[int(face)]]
        return box(-16, -16, 32, 32, 7, fill=tone.band, stroke=edge) + "".join(pips) + letter
    corners = [(17 * math.cos(math.pi * (k / 4 + 1 / 8)), 17 * math.sin(math.pi * (k / 4 + 1 / 8))) for k in range(8)]
    shape = el("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in corners), fill=tone.band, stroke=edge)
    return shape + words(0, 0, face, 18, fill=tone.on_band, bold=True) + letter


def card(text: str) -> str:
    """Draw a card: `r4` its front, `j4` a joker, `4` its back with the number only; an empty text is an empty place."""
    if not text:
        return el("rect", x=-15, y=-21, width=30, height=42, rx=5, fill="none", stroke=RULE, stroke_dasharray="4 3")
    color, number = (text[0], text[1:]) if text[0] in TONES else ("w", text)
    tone = TONES[color]
    parts = [box(-15, -21, 30, 42, 5, fill=tone.band, stroke=RULE if color == "w" else tone.band)]
    if color == "w":
        parts.append(box(-11.5, -17.5, 23, 35, 3, stroke=RULE))
        parts.append(words(0, 0, number, 16, fill=tone.number, bold=True))
    else:
        parts.append(box(-11.5, -17.5, 23, 24, 3, fill=tone.cell))
        parts.append(words(0, -5.5, number, 16, fill=tone.number, bold=True))
        parts.append(words(0, 13.5, "joker" if color == "j" else color, 9 if color == "j" else 12, fill=tone.on_band))
    return el("g", *parts, class_="card")


def clover() -> str:
    """Draw a four-leaf clover, for lucky numbers."""
    stem = el("path", d="M1 2Q3 8 8 11", fill="none", stroke="#25793f", stroke_width=2, stroke_linecap="round")
    leaf = "M0 0C-2 -3 -7 -4 -6 -8C-5 -11 -1 -10 0 -7.5C1 -10 5 -11 6 -8C7 -4 2 -3 0 0Z"
    leaves = [el("path", d=leaf, fill="#25793f", transform=f"rotate({turn})") for turn in (0, 90, 180, 270)]
    return stem + "".join(leaves)


# ---- the badges of effects


@cache
def _badges() -> dict[str, str]:
    return tomllib.loads(resources.files("qwixx.render").joinpath("badges.toml").read_text("utf-8"))


def badge_path(word: str) -> str:
    """Return the strokes of an effect's badge, for an effect by its word in a sheet file; empty if it shows a sign."""
    return _badges().get(find_effect(word)[0].name, "")


def badge(word: str, *, done: bool = False) -> str:
    """Draw the badge of an effect; it is filled once the cells are crossed."""
    ground, ink = (PENCIL, "#ffffff") if done else ("#ffffff", PENCIL)
    circle = el("circle", r=9.5, fill=ground, stroke=PENCIL, stroke_width=1.2)
    if path := badge_path(word):
        return circle + el("path", d=path, fill="none", stroke=ink, stroke_width=1.7, stroke_linecap="round")
    sign = effect_sign(word)
    return circle + words(0, 0, sign, 11 if len(sign) < 3 else 7, fill=ink, bold=True)
