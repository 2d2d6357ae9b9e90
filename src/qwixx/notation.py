"""Cells, cards, rolls and actions as text, and back. The forms are described in docs/formats.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from qwixx.errors import IllegalAction, NotationError, Refusal
from qwixx.kernel.records import (
    CELLS,
    COLORS,
    DISPLAY,
    JOKER,
    NO_CARD,
    PASS,
    PLAYS,
    POSITIONS,
    SUBSETS,
    TAKES,
    TIES,
    TOTALS,
    Ints,
)
from qwixx.variants.model import COLORS as COLOR_LETTERS
from qwixx.variants.model import Variant

_CARD = re.compile(r"([rygbj])(\d{1,2})")
_CELL = re.compile(r"([A-Za-z])(\d{1,2})")
_ROLL = re.compile(r"\s*([1-9])([1-9])/([1-9-])([1-9-])([1-9-])([1-9-])\s*")
_CROSSINGS = 8
_LONGEST = 200
"""No text of an action or roll is longer, but for a deck."""


@dataclass(frozen=True, slots=True, order=True)
class Action:
    """One decision: the kernel's integer and its text."""

    id: int
    text: str

    def __str__(self) -> str:
        return self.text

    def __int__(self) -> int:
        return self.id


# ---- cards


def card_text(card: int) -> str:
    """Write a card: `r4`, a joker `j4`, a back `?4`."""
    return f"{(COLOR_LETTERS + 'j?')[card // TOTALS]}{card % TOTALS}"


def read_card(text: str) -> int:
    """Read a card."""
    found = _CARD.fullmatch(text.strip())
    if not found or not 0 < int(found[2]) < TOTALS:
        raise NotationError(f"{_shown(text)} is no card; cards look like r4, g12 or, for a joker, j7.")
    color = JOKER if found[1] == "j" else COLOR_LETTERS.index(found[1])
    return color * TOTALS + int(found[2])


def read_deck(text: str, whole: Iterable[int], elsewhere: Iterable[int] = ()) -> list[int]:
    """Read a list of cards; a last `*` stands for all cards of the whole deck that lie nowhere else, in order."""
    if len(text) > 6 * _LONGEST:
        raise NotationError("That is too long for a deck of cards.")
    words = [word for word in text.strip().split(",") if word]
    rest = bool(words) and words[-1].strip() == "*"
    cards = [read_card(word) for word in (words[:-1] if rest else words)]
    if rest:
        taken = {*cards, *elsewhere}
        cards += [card for card in whole if card not in taken]
    return cards


def deck_text(cards: Iterable[int]) -> str:
    """Write a list of cards, the first one first."""
    return ",".join("-" if card == NO_CARD else card_text(card) for card in cards)


# ---- dice


def roll_text(dice: Sequence[int] | Ints) -> str:
    """Write the dice: whites, then red, yellow, green, blue; `-` for a die that has left."""
    faces = "".join(str(die) if die else "-" for die in dice)
    return f"{faces[:2]}/{faces[2:]}"


def read_roll(text: str) -> Ints:
    """Read the dice."""
    found = _ROLL.fullmatch(text)
    if not found:
        raise NotationError(f"{_shown(text)} is no roll; a roll looks like 34/2615, with - for a die that has left.")
    return np.array([0 if face == "-" else int(face) for face in found.groups()], np.int32)


# ---- cells and actions


def row_keys(variant: Variant) -> tuple[str, ...]:
    """Give the keys of the rows, top to bottom."""
    return tuple(row.key for row in variant.rows)


def cell_text(variant: Variant, cell: int) -> str:
    """Write a cell: its row's key and its number."""
    row = variant.rows[cell // POSITIONS]
    return f"{row.key}{row.cells[cell % POSITIONS].value}"


def read_cell(variant: Variant, text: str) -> int:
    """Read a cell."""
    found = _CELL.fullmatch(text.strip())
    for index, row in enumerate(variant.rows if found else ()):
        for position, cell in enumerate(row.cells):
            if found and row.key == found[1] and cell.value == int(found[2]):
                return index * POSITIONS + position
    example = cell_text(variant, 5)
    keys = ", ".join(row_keys(variant))
    raise NotationError(f"{_shown(text)} is no cell of this sheet; cells look like {example}, rows are {keys}.")


def action_text(variant: Variant, hand: Sequence[int], action: int) -> str:
    """Write an action; `hand` are the cards the seat holds, for card actions."""
    if action < PASS:
        return cell_text(variant, action)
    if action == PASS:
        return "pass"
    if action < TAKES:
        row, cell = divmod(action - TIES, CELLS)
        return f"{cell_text(variant, cell)}>{variant.rows[row].key}"
    if action < PLAYS:
        return "take:" + ",".join(str(place + 1) for place in range(DISPLAY) if action - TAKES >> place & 1)
    subset, rest = divmod(action - PLAYS, COLORS * _CROSSINGS)
    color, crosses = divmod(rest, _CROSSINGS)
    cards = [hand[place] for place in range(len(hand)) if SUBSETS[subset] >> place & 1]
    text = "play:" + ",".join(card_text(card) for card in cards)
    cells = sorted(_cell_of(variant, color, card % TOTALS) for index, card in enumerate(cards) if crosses >> index & 1)
    return text + ("=" + ",".join(cell_text(variant, cell) for cell in cells) if cells else "")


def read_action(variant: Variant, hand: Sequence[int], text: str) -> int:
    """Read an action; `hand` are the cards the seat holds, for card actions."""
    if len(text) > _LONGEST:
        raise NotationError("That is too long for an action.")
    word = "".join(text.split())
    if word == "pass":
        return PASS
    if word.startswith("take:"):
        return _read_take(word)
    if word.startswith("play:"):
        return _read_play(variant, hand, word)
    cell, tie, key = word.partition(">")
    if not tie:
        return read_cell(variant, cell)
    if key not in row_keys(variant):
        raise NotationError(f"{_shown(key)} is no row; rows are {', '.join(row_keys(variant))}.")
    return TIES + row_keys(variant).index(key) * CELLS + read_cell(variant, cell)


def _read_take(word: str) -> int:
    places = 0
    for place in word.removeprefix("take:").split(","):
        if place not in [str(n + 1) for n in range(DISPLAY)] or places >> int(place) - 1 & 1:
            raise NotationError(f"{_shown(word)}: name different places of the display, such as take:2 or take:1,3.")
        places |= 1 << int(place) - 1
    return TAKES + places


def _read_play(variant: Variant, hand: Sequence[int], word: str) -> int:
    played, equals, crossed = word.removeprefix("play:").partition("=")
    cards = sorted(read_card(card) for card in played.split(","))
    cells = sorted(read_cell(variant, cell) for cell in crossed.split(",")) if equals else []
    if len(set(cards)) != len(cards) or len(set(cells)) != len(cells):
        raise NotationError(f"{_shown(word)}: name each card and each cell once.")
    if len(cards) > 3:
        raise IllegalAction(Refusal("not-played", "K5", "At most three cards are played at once."))
    missing = [card_text(card) for card in cards if card not in hand]
    if missing:
        raise IllegalAction(Refusal("not-played", "K5", f"{missing[0]} is not in hand."))
    subset = SUBSETS.index(sum(1 << place for place, card in enumerate(hand) if card in cards))
    colors = {card // TOTALS for card in cards} - {JOKER}
    printed = {_printed(variant, cell)[0] for cell in cells}
    color = min(colors or printed or {0})
    crosses = 0
    for cell in cells:
        at = next((i for i, card in enumerate(cards) if card % TOTALS == _printed(variant, cell)[1]), -1)
        if at < 0 or _printed(variant, cell)[0] != color:
            sentence = f"{cell_text(variant, cell)} is not among the numbers and the color played."
            raise IllegalAction(Refusal("not-played", "K5", sentence))
        crosses |= 1 << at
    return PLAYS + (subset * COLORS + color) * _CROSSINGS + crosses


def _printed(variant: Variant, cell: int) -> tuple[int, int]:
    """Give the color and the number printed on a cell."""
    printed = variant.rows[cell // POSITIONS].cells[cell % POSITIONS]
    return COLOR_LETTERS.index(printed.color), printed.value


def _cell_of(variant: Variant, color: int, number: int) -> int:
    """Find the cell with a color and number (K10)."""
    for index, row in enumerate(variant.rows):
        for position in range(len(row.cells)):
            if _printed(variant, index * POSITIONS + position) == (color, number):
                return index * POSITIONS + position
    raise NotationError(f"No cell of the sheet is {COLOR_LETTERS[color]}{number}.")


def _shown(text: str) -> str:
    """Quote a text for an error, not more of it than a person wants to read."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
