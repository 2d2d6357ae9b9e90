"""
The one door through which a state leaves for a seat.

`View` is what somebody sees: a seat its own hand and what lies open, a spectator only what lies open. It is made
from a copy that the kernel has redacted, so that nothing hidden is there to be leaked. The server sends these very
structs to the page, their names in camelCase.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from qwixx.kernel import door
from qwixx.kernel.records import (
    COLOR,
    DISPLAY,
    ENDINGS,
    HAND,
    NO_CARD,
    NO_CHOICE,
    OVER,
    PHASES,
    PLAY,
    POSITIONS,
    ROWS,
    SEATS,
    SHEET,
    STATE,
    TOTALS,
    WHITE,
    Record,
    Records,
)
from qwixx.notation import action_text, card_text, roll_text
from qwixx.variants.model import COLORS, Variant

# Where each field of a state begins when the whole state is read as one list of 32-bit words: one reading of
# everything takes less time than two attributes of a record.


def _at(record: np.dtype[np.record], name: str) -> int:
    assert record.fields is not None
    return int(record.fields[name][1]) // 4


_SEATS, _ACTIVE, _TURN, _PHASE, _ENDING = (_at(STATE, n) for n in ("seats", "active", "turn", "phase", "ending"))
_WAITING, _CROSSED, _CLOSED, _DICE = (_at(STATE, n) for n in ("waiting", "crossed", "closed", "dice"))
_GONE = _at(STATE, "gone")
_CHOICES, _SHEETS, _BOARD, _HELD, _HANDS = (_at(STATE, n) for n in ("choices", "sheets", "board", "held", "hands"))
_DISPLAY, _PILE_SIZE, _PILE = (_at(STATE, n) for n in ("display", "pile_size", "pile"))
_DISCARDED, _DISCARDS = (_at(STATE, n) for n in ("discarded", "discards"))
_MARKS, _COUNT, _LOCKS, _MISSES = (_at(SHEET, n) for n in ("marks", "count", "locks", "misses"))
_USED, _STRUCK, _LUCKY = (_at(SHEET, n) for n in ("used", "struck", "lucky"))
_SHEET_SIZE = SHEET.itemsize // 4
_DICE_COUNT = _CHOICES - _DICE
_MOST_DRAWN = 64


class RowView(Struct, frozen=True, rename="camel"):
    """One row of one seat."""

    key: str
    crosses: tuple[int, ...]
    """Numbers crossed, left to right; in the duel, numbers with own pawns."""
    heights: tuple[int, ...]
    """Duel: how many pawns stand on each of them; elsewhere all 1."""
    locked: bool
    count: int
    """Crosses, or pawns, the lock included."""
    points: int


class SheetView(Struct, frozen=True, rename="camel"):
    """One seat's paper, or its pawns in the duel."""

    seat: int
    rows: tuple[RowView, ...]
    misses: int
    score: int
    used: tuple[int, ...] = ()
    struck: tuple[int, ...] = ()
    lucky: tuple[int, ...] = ()
    pawns_left: int | None = None
    hand: tuple[str, ...] | None = None
    """Cards held, None if they cannot be seen."""
    hand_size: int = 0


class View(Struct, frozen=True, rename="camel"):
    """A game as somebody sees it. `seat` is None for a spectator."""

    variant: str
    seat: int | None
    seats: int
    active: int
    turn: int
    phase: str
    deciders: tuple[int, ...]
    choice: str | None
    """What this seat has chosen in the open window."""
    dice: str | None
    crossed: bool
    """Whether the active seat has crossed something in an earlier action of this turn."""
    closed: tuple[str, ...]
    gone: tuple[str, ...]
    """The colors of the dice that have left, in the order of the dice (C8)."""
    sheets: tuple[SheetView, ...]
    ending: str | None = None
    number: int | None = None
    """Card games: the number on top of the pile."""
    display: tuple[int | None, ...] = ()
    """Card games: the numbers of the display."""
    pile_size: int = 0
    discards: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Give the view as plain data."""
        data: dict[str, Any] = _plain(self)
        return data


def _plain(value: Any) -> Any:
    """Take structs apart into dictionaries, with the names that Python uses."""
    if isinstance(value, Struct):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def bits(mask: int, size: int) -> tuple[int, ...]:
    """List the places set in a mask."""
    return tuple([place for place in range(size) if mask >> place & 1]) if mask else ()


def redacted(layouts: Records, states: Records, seat: int | None) -> Records:
    """Give a copy of the state with everything hidden from a seat blanked out."""
    copies: Records = np.zeros(1, STATE)
    door.redact(layouts, states, 0, copies, -1 if seat is None else seat)
    return copies


Drawn = dict[tuple[int, ...], SheetView]
"""Sheets seen before, by the words they were read from: most of them have not changed since the last look."""


def make_view(
    variant: Variant, layouts: Records, states: Records, seat: int | None, drawn: Drawn | None = None
) -> View:
    """Show the game to a seat, or to a spectator; `drawn` remembers sheets from one look to the next."""
    return read_view(variant, layouts, redacted(layouts, states, seat), seat, drawn)


def read_view(
    variant: Variant, layouts: Records, states: Records, seat: int | None, drawn: Drawn | None = None
) -> View:
    """Read a state as it is; hidden things must have been blanked out before."""
    words: list[int] = states.view(np.int32).tolist()
    drawn = {} if drawn is None else drawn
    if len(drawn) >= _MOST_DRAWN:
        drawn.clear()
    phase = words[_PHASE]
    cards = variant.is_cards
    choice = None
    if seat is not None and words[_CHOICES + seat] != NO_CHOICE:
        choice = action_text(variant, _hand(words, seat) or (), words[_CHOICES + seat])
    on_table = phase in (WHITE, COLOR) or (phase == OVER and words[_DICE])
    discards = sorted(words[_DISCARDS : _DISCARDS + words[_DISCARDED]])
    return View(
        variant=variant.id,
        seat=seat,
        seats=words[_SEATS],
        active=words[_ACTIVE],
        turn=words[_TURN],
        phase=PHASES[phase],
        deciders=bits(words[_WAITING], SEATS),
        choice=choice,
        dice=roll_text(words[_DICE : _DICE + _DICE_COUNT]) if on_table else None,
        crossed=bool(words[_CROSSED]) and phase in (COLOR, PLAY),
        closed=tuple(variant.rows[row].key for row in bits(words[_CLOSED], len(variant.rows))),
        gone=tuple([COLORS[color] for color in bits(words[_GONE], len(COLORS))]),
        sheets=tuple(_sheet(variant, layouts, states, words, s, drawn) for s in range(words[_SEATS])),
        ending=ENDINGS[words[_ENDING]] or None,
        number=words[_PILE + words[_PILE_SIZE] - 1] % TOTALS if cards and words[_PILE_SIZE] else None,
        display=tuple(None if c == NO_CARD else c % TOTALS for c in words[_DISPLAY : _DISPLAY + DISPLAY])
        if cards
        else (),
        pile_size=words[_PILE_SIZE],
        discards=tuple(card_text(card) for card in discards),
    )


def dice_text(state: Record) -> str | None:
    """Write the dice that lie on the table, None if none do."""
    on_table = state.phase in (WHITE, COLOR) or (state.phase == OVER and state.dice[0])
    return roll_text(state.dice) if on_table else None


def _hand(words: list[int], seat: int) -> list[int] | None:
    """Give the cards of a hand, None if they are hidden."""
    first = _HANDS + seat * HAND
    hand = words[first : first + words[_HELD + seat]]
    return None if NO_CARD in hand else hand


def _sheet(variant: Variant, layouts: Records, states: Records, words: list[int], seat: int, drawn: Drawn) -> SheetView:
    """Read a seat's sheet, unless one from the very same words has been read before."""
    key = (seat, *_words_of(variant, words, seat))
    found = drawn.get(key)
    if found is None:
        found = drawn[key] = _read_sheet(variant, layouts, states, words, seat)
    return found


def _words_of(variant: Variant, words: list[int], seat: int) -> list[int]:
    """Give all words of a state that say something about one seat's sheet."""
    at = _SHEETS + seat * _SHEET_SIZE
    own = words[at : at + _SHEET_SIZE]
    if variant.is_cards:
        own += [words[_HELD + seat], *words[_HANDS + seat * HAND : _HANDS + (seat + 1) * HAND]]
    if variant.is_duel:
        own += words[_BOARD + seat * ROWS * POSITIONS : _BOARD + (seat + 1) * ROWS * POSITIONS]
    return own


def _read_sheet(variant: Variant, layouts: Records, states: Records, words: list[int], seat: int) -> SheetView:
    at = _SHEETS + seat * _SHEET_SIZE
    locks = words[at + _LOCKS]
    hand = _hand(words, seat) if variant.is_cards else None
    rows = []
    for r, row in enumerate(variant.rows):
        places = bits(words[at + _MARKS + r], len(row.cells))
        count = words[at + _COUNT + r]
        rows.append(
            RowView(
                key=row.key,
                crosses=tuple([row.cells[p].value for p in places]),
                heights=_heights(words, seat, r, places) if variant.is_duel else (1,) * len(places),
                locked=bool(locks >> r & 1),
                count=count,
                points=door.row_points(layouts, count),
            )
        )
    return SheetView(
        seat=seat,
        rows=tuple(rows),
        misses=words[at + _MISSES],
        score=door.score(layouts, states, 0, seat),
        used=tuple([i + 1 for i in bits(words[at + _USED], len(variant.bar))]),
        struck=tuple([i + 1 for i in bits(words[at + _STRUCK], len(variant.bar))]),
        lucky=tuple(words[at + _LUCKY : at + _LUCKY + 2]) if variant.lucky else (),
        pawns_left=door.supply(layouts, states, 0, seat) if variant.is_duel else None,
        hand=None if hand is None else tuple([card_text(card) for card in hand]),
        hand_size=words[_HELD + seat],
    )


def _heights(words: list[int], seat: int, row: int, places: tuple[int, ...]) -> tuple[int, ...]:
    """Duel: how many pawns stand on each of these places."""
    first = _BOARD + (seat * ROWS + row) * POSITIONS
    return tuple([words[first + place] for place in places])
