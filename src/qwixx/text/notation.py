"""Cells, cards, rolls and actions as text, and back. docs/formats.md describes the notation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from qwixx.errors import NotationError
from qwixx.kernel.state.records import (
    BONUS_CELLS,
    CELLS,
    COLORS,
    CROSSINGS,
    DISPLAY,
    JOKER,
    MORE,
    NO_CARD,
    PASS,
    PLAYS,
    POSITIONS,
    SUBSETS,
    TAKES,
    TIES,
    TOTALS,
    TRACK,
    WITH_SMALL,
    Ints,
)
from qwixx.variants.model import COLORS as COLOR_LETTERS
from qwixx.variants.model import Pad, Variant

_CARD = re.compile(r"([rygbj])([0-9]{1,2})")
_ROLL = re.compile(r"\s*([1-9])([1-9])/([1-9-])([1-9-])([1-9-])([1-9-])\s*")
_LUCKY = re.compile(r"([0-9]{1,2})/([0-9]{1,2})")
CARD_LETTERS = f"{COLOR_LETTERS}j?"
"""The colors of cards: those of the dice, a joker, and a card seen from behind."""
FACES = "-123456789"
"""The faces of a die by number; first the sign for a die that has left."""
TRACK_WORD = "track"
"""The action that crosses the next field of the track (F2)."""
MAX_CHARS = 200
"""The longest text of an action or a roll; a deck may be longer."""
MAX_DECK_CHARS = 6 * MAX_CHARS


@dataclass(frozen=True, slots=True, order=True)
class Action:
    """
    One decision: the kernel's integer and its text.

    An action equals its text, so `"r7" in game.legal(0)` works. The order of actions is that of their integers.
    """

    id: int
    text: str

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return self.text == other
        return isinstance(other, Action) and self.id == other.id and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def __int__(self) -> int:
        return self.id


# ---- cards


def card_text(card: int) -> str:
    """Write a card: `r4`, a joker `j4`, a back `?4`."""
    return f"{CARD_LETTERS[card // TOTALS]}{card % TOTALS}"


def read_card(text: str) -> int:
    """Read a card."""
    found = _CARD.fullmatch(text.strip())
    if not found or not 0 < int(found[2]) < TOTALS:
        raise NotationError(f"{quote(text)} is no card; cards look like r4, g12 or, for a joker, j7.")
    color = JOKER if found[1] == "j" else COLOR_LETTERS.index(found[1])
    return color * TOTALS + int(found[2])


def read_deck(text: str, whole: Iterable[int], elsewhere: Iterable[int] = ()) -> list[int]:
    """Read a list of cards; a final `*` means all other cards of the `whole` deck that are not `elsewhere`."""
    if len(text) > MAX_DECK_CHARS:
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
    faces = "".join([FACES[die] for die in dice])
    return f"{faces[:2]}/{faces[2:]}"


def read_roll(text: str) -> Ints:
    """Read the dice."""
    found = _ROLL.fullmatch(text)
    if not found:
        raise NotationError(f"{quote(text)} is no roll; a roll looks like 34/2615, with - for a die that has left.")
    return np.array([0 if face == "-" else int(face) for face in found.groups()], np.int32)


# ---- lucky numbers


def lucky_text(pad: Sequence[int] | Ints) -> str:
    """Write the lucky numbers of a pad: `6/11`."""
    return f"{pad[0]}/{pad[1]}"


def read_lucky(variant: Variant, text: str) -> Pad:
    """Read the lucky numbers of a pad that this game can have (L4, L5)."""
    found = _LUCKY.fullmatch(text)
    if not found:
        raise NotationError(f"Lucky numbers look like 6/11, not {quote(text)}.")
    pad = int(found[1]), int(found[2])
    variant.check_lucky(pad)
    return pad


# ---- cells and actions


def row_keys(variant: Variant) -> tuple[str, ...]:
    """Return the keys of the rows, top to bottom."""
    return tuple(row.key for row in variant.rows)


def cell_text(variant: Variant, cell: int) -> str:
    """Write a cell: its row's key and its number, a small field `r3+`, a bonus cell `ry10`; or `track`."""
    if cell == TRACK:
        return TRACK_WORD
    if cell >= MORE:
        beside, position = divmod(cell - BONUS_CELLS, POSITIONS)
        bonus = variant.bonus_rows[beside]
        return bonus.key + variant.rows[bonus.above].cells[position].label
    row = variant.rows[cell // POSITIONS]
    return row.key + row.cells[cell % POSITIONS].label


def read_cell(variant: Variant, text: str) -> int:
    """Read a cell of a row."""
    cell = _find(variant, text)
    if cell is None or cell >= MORE:
        raise _no_cell(variant, text)
    return cell


def read_mark(variant: Variant, text: str) -> int:
    """Read what one action crosses: a cell of a row, a bonus cell, `track`, or a cell and a small field `r7,y5+`."""
    one, comma, other = text.partition(",")
    cell = _find(variant, one)
    if not comma and cell is not None:
        return cell
    small = _small_fields(variant).index(other.strip()) if other.strip() in _small_fields(variant) else -1
    if cell is None or cell >= MORE or small < 0 or one.strip() in _small_fields(variant):
        raise _no_cell(variant, text)
    return WITH_SMALL + small * CELLS + cell


def _find(variant: Variant, text: str) -> int | None:
    """Return the number of a cell of any kind, None for any other text; a number may begin with a zero."""
    return variant.derived(_cells_by_text).get(_ZERO.sub(r"\1\2", text.strip()))


_ZERO = re.compile(r"^([A-Za-z]+)0([0-9])(?=\+?$)")


def _cells_by_text(variant: Variant) -> dict[str, int]:
    """Return all cells of a sheet by their texts."""
    cells = [row * POSITIONS + at for row, each in enumerate(variant.rows) for at in range(len(each.cells))]
    for beside, bonus in enumerate(variant.bonus_rows):
        cells += [BONUS_CELLS + beside * POSITIONS + at for at in range(len(variant.rows[bonus.above].cells))]
    found = {cell_text(variant, cell): cell for cell in cells}
    return {**found, TRACK_WORD: TRACK} if variant.track else found


def _small_fields(variant: Variant) -> list[str]:
    """Return the texts of the small fields, in the order of the sheet (F3)."""
    return [row.key + cell.label for row in variant.rows for cell in row.cells if cell.after]


def _no_cell(variant: Variant, text: str) -> NotationError:
    example = cell_text(variant, 5)
    keys = ", ".join(row_keys(variant))
    return NotationError(f"{quote(text)} is no cell of this sheet; cells look like {example}, rows are {keys}.")


def action_text(variant: Variant, hand: Sequence[int], action: int) -> str:
    """Write an action; `hand` are the cards of the seat, for card actions."""
    if action < PASS:
        return cell_text(variant, action)
    if action == PASS:
        return "pass"
    if action < TAKES:
        row, cell = divmod(action - TIES, CELLS)
        return f"{cell_text(variant, cell)}>{variant.rows[row].key}"
    if action >= WITH_SMALL:
        small, cell = divmod(action - WITH_SMALL, CELLS)
        return f"{cell_text(variant, cell)},{_small_fields(variant)[small]}"
    if action >= MORE:
        return cell_text(variant, action)
    if action < PLAYS:
        return "take:" + ",".join(str(place + 1) for place in range(DISPLAY) if action - TAKES >> place & 1)
    subset, rest = divmod(action - PLAYS, COLORS * CROSSINGS)
    color, crosses = divmod(rest, CROSSINGS)
    cards = [hand[place] for place in range(len(hand)) if SUBSETS[subset] >> place & 1]
    text = "play:" + ",".join(card_text(card) for card in cards)
    cells = sorted(_cell_of(variant, color, card % TOTALS) for index, card in enumerate(cards) if crosses >> index & 1)
    return text + ("=" + ",".join(cell_text(variant, cell) for cell in cells) if cells else "")


def _cell_of(variant: Variant, color: int, number: int) -> int:
    """Return the cell with a color and number (K10)."""
    found = variant.derived(_cells_by_name).get((COLOR_LETTERS[color], number))
    if found is None:
        raise NotationError(f"No cell of the sheet is {COLOR_LETTERS[color]}{number}.")
    return found


def _cells_by_name(variant: Variant) -> dict[tuple[str, int], int]:
    """Return the cells of a sheet by their color and number."""
    return {
        (cell.color, cell.value): index * POSITIONS + position
        for index, row in enumerate(variant.rows)
        for position, cell in enumerate(row.cells)
    }


def quote(text: str) -> str:
    """Quote a text for an error message; long texts are cut."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
