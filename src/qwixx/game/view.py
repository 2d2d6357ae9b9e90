"""
The one door through which a state leaves for a seat.

`View` is what somebody sees: a seat its own hand and what lies open, a spectator only what lies open. It is made
from a copy that the kernel has redacted, so that nothing hidden is there to be leaked. The server sends these very
structs to the page, their names in camelCase.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any, ClassVar, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from qwixx.kernel import door
from qwixx.kernel.fields import SHEET_FIELDS, STATE_FIELDS, Field, Places
from qwixx.kernel.records import (
    COLOR,
    COLORS,
    DISPLAY,
    ENDINGS,
    HAND,
    LAST_ACTIONS,
    NO_CARD,
    NO_CHOICE,
    OVER,
    PHASES,
    POSITIONS,
    ROWS,
    SEATS,
    SHEET,
    SHEET_WORDS,
    STATE,
    TOTALS,
    WHITE,
    WORD,
    Record,
    Records,
    word_of,
)
from qwixx.notation import action_text, card_text, roll_text
from qwixx.variants.model import COLORS as COLOR_LETTERS
from qwixx.variants.model import Variant

# Where fields begin when the whole state is read as 32-bit words: that takes far less time than attributes of a record.
_SEATS, _PHASE, _ENDING, _WAITING = (word_of(STATE, n) for n in ("seats", "phase", "ending", "waiting"))
_CROSSED, _CLOSED, _GONE, _DICE = (word_of(STATE, n) for n in ("crossed", "closed", "gone", "dice"))
_CHOICES, _SHEETS, _BOARD, _HELD, _HANDS = (word_of(STATE, n) for n in ("choices", "sheets", "board", "held", "hands"))
_DISPLAY, _DISCARDED, _DISCARDS = (word_of(STATE, n) for n in ("display", "discarded", "discards"))
_MARKS, _COUNT, _LOCKS = (word_of(SHEET, n) for n in ("marks", "count", "locks"))
_MOST_DRAWN = 64
_MOST_ROWS = 8192
"""Rows of a layout that are remembered; the games that are played at a time seldom show as many different ones."""
DICE_LIE = (WHITE, COLOR)
"""The phases in which dice always lie on the table; after the end the last ones may."""


class RowView(Struct, frozen=True, rename="camel", gc=False):
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


class SheetView(Struct, frozen=True, rename="camel", gc=False):
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


class View(Struct, frozen=True, rename="camel", gc=False):
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


NUMBER, PLACES = 0, -1
"""How a field is shown: as a number, as places counted from 1, or else as so many numbers."""
Plain = list[tuple[str, int, int]]
"""Fields that are shown as they are: their names, first words and forms."""


class Reading:
    """How the states of a game are read: what its views show as it is, and what else belongs to a seat's sheet."""

    _TABLE_BY_HAND: ClassVar = {
        *("phase", "crossed", "closed", "gone", "dice", "sheets", "ending", "display", "discards"),
    }

    def __init__(self, layouts: Records) -> None:
        self.layouts = layouts
        layout = layouts[0]
        self.table = self._plain(STATE, STATE_FIELDS, View.__annotations__.keys() - self._TABLE_BY_HAND, layout)
        self.sheet = self._plain(SHEET, SHEET_FIELDS, SheetView.__annotations__.keys(), layout)
        self.points: dict[int, int] = {}
        """What rows are worth, by their crosses, as far as it was asked."""
        self.rows: dict[tuple[int, int, int, int], RowView] = {}
        """Rows seen before, in whatever game, by their number, marks and crosses, and whether they are locked."""
        self.beside = [
            (word_of(STATE, field.name), STATE[field.name].itemsize // WORD // field.shape[0])
            for field in STATE_FIELDS
            if field.of_seat and field.name != "sheets" and field.when(layout)
        ]

    @staticmethod
    def _plain(record: np.dtype[np.record], fields: tuple[Field, ...], names: Set[str], layout: Record) -> Plain:
        """List the fields that have an attribute of the same name and need no other reading."""
        plain = []
        for field in fields:
            if field.name in names and (not field.shape or field.when(layout)):
                is_places = field.text is not None and isinstance(field.text.form, Places)
                form = field.shape[0] if field.shape else PLACES if is_places else NUMBER
                plain.append((field.name, word_of(record, field.name), form))
        return plain

    def points_of(self, crosses: int) -> int:
        """Give the points of a row with so many crosses."""
        points = self.points.get(crosses)
        if points is None:
            points = self.points[crosses] = int(door.row_points(self.layouts, crosses))
        return points


_READINGS: dict[int, Reading] = {}
"""By the layout's array, which all games of a variant share; a reading holds on to it, so no other gets its number."""


def _reading_of(layouts: Records) -> Reading:
    found = _READINGS.get(id(layouts))
    if found is None:
        if len(_READINGS) >= _MOST_DRAWN:
            _READINGS.clear()
        found = _READINGS[id(layouts)] = Reading(layouts)
    return found


def _read_plain(plain: Plain, words: Words, at: int) -> dict[str, Any]:
    """Read fields as they are."""
    found: dict[str, Any] = {}
    for name, first, form in plain:
        value = words[at + first]
        if form == NUMBER:
            found[name] = value
        elif form == PLACES:
            found[name] = tuple([place + 1 for place in bits(value, WORD * 8)])
        else:
            found[name] = tuple(words[at + first : at + first + form])
    return found


def bits(mask: int, size: int) -> tuple[int, ...]:
    """List the places set in a mask."""
    return tuple([place for place in range(size) if mask >> place & 1]) if mask else ()


_SEAT_KEYS = tuple(bytes([seat]) for seat in range(SEATS))
SEATS_OF = tuple(bits(mask, SEATS) for mask in range(1 << SEATS))
"""The seats of every mask."""


def redacted(layouts: Records, states: Records, seat: int | None) -> Records:
    """Give a copy of the state with everything hidden from a seat blanked out."""
    copies: Records = np.zeros(1, STATE)
    door.redact(layouts, states, 0, copies, -1 if seat is None else seat)
    return copies


Drawn = dict[bytes, SheetView]
"""Sheets seen before, by their seat and what they were read from: most have not changed since the last look."""
Words: TypeAlias = "memoryview[int]"
"""The words of a state."""


def make_view(
    variant: Variant, layouts: Records, states: Records, seat: int | None, drawn: Drawn | None = None
) -> View:
    """Show the game to a seat, or to a spectator; `drawn` remembers sheets from one look to the next."""
    return read_view(variant, layouts, redacted(layouts, states, seat), seat, drawn)


def read_view(
    variant: Variant, layouts: Records, states: Records, seat: int | None, drawn: Drawn | None = None
) -> View:
    """Read a state as it is; hidden things must have been blanked out before."""
    seen = states.tobytes()
    words = memoryview(seen).cast("i")
    reading = _reading_of(layouts)
    drawn = {} if drawn is None else drawn
    if len(drawn) >= _MOST_DRAWN:
        drawn.clear()
    phase = words[_PHASE]
    cards = variant.is_cards
    choice = None
    if seat is not None and words[_CHOICES + seat] != NO_CHOICE:
        choice = action_text(variant, _hand(words, seat) or (), words[_CHOICES + seat])
    return View(
        variant=variant.id,
        seat=seat,
        phase=PHASES[phase],
        deciders=SEATS_OF[words[_WAITING]],
        choice=choice,
        dice=roll_text(words[_DICE : _DICE + 2 + COLORS].tolist()) if _dice_lie(phase, words[_DICE]) else None,
        crossed=bool(words[_CROSSED]) and phase in LAST_ACTIONS,
        closed=tuple([variant.rows[row].key for row in bits(words[_CLOSED], len(variant.rows))]),
        gone=tuple([COLOR_LETTERS[color] for color in bits(words[_GONE], COLORS)]),
        sheets=tuple([_sheet(variant, reading, states, seen, words, s, drawn) for s in range(words[_SEATS])]),
        ending=ENDINGS[words[_ENDING]] or None,
        number=door.number_for_all(states, 0) or None if cards else None,
        display=tuple(None if c == NO_CARD else c % TOTALS for c in words[_DISPLAY : _DISPLAY + DISPLAY])
        if cards
        else (),
        discards=tuple([card_text(card) for card in sorted(words[_DISCARDS : _DISCARDS + words[_DISCARDED]])])
        if cards
        else (),
        **_read_plain(reading.table, words, 0),
    )


class Watching:
    """
    What a spectator sees of one game, look after look.

    Most of it has not changed since the last look: while a window is open, only who is still asked.
    """

    __slots__ = ("_bytes", "_copies", "_view", "_words")
    _WAITED = _WAITING * WORD, (_WAITING + 1) * WORD

    def __init__(self) -> None:
        """Begin without having looked."""
        self._copies: Records = np.zeros(1, STATE)
        self._words = self._copies.view(np.int32)
        self._bytes = b""
        self._view: View | None = None

    def look(self, variant: Variant, layouts: Records, states: Records, drawn: Drawn) -> View:
        """Show the game as it is now."""
        door.redact(layouts, states, 0, self._copies, -1)
        seen, before = self._words.tobytes(), self._bytes
        first, end = self._WAITED
        if self._view is None or seen[:first] != before[:first] or seen[end:] != before[end:]:
            self._view = read_view(variant, layouts, self._copies, None, drawn)
        elif seen != before:
            self._view = replace(self._view, deciders=SEATS_OF[self._words.item(_WAITING)])
        self._bytes = seen
        return self._view


def dice_text(state: Record) -> str | None:
    """Write the dice that lie on the table, None if none do."""
    return roll_text(state.dice) if _dice_lie(state.phase, state.dice[0]) else None


def _dice_lie(phase: int, first: int) -> bool:
    """Whether dice lie on the table: in both actions, and after the end the last ones, if the first shows a face."""
    return phase in DICE_LIE or (phase == OVER and first > 0)


def _hand(words: Words, seat: int) -> list[int] | None:
    """Give the cards of a hand, None if they are hidden."""
    first = _HANDS + seat * HAND
    hand = words[first : first + words[_HELD + seat]].tolist()
    return None if NO_CARD in hand else hand


def _sheet(
    variant: Variant, reading: Reading, states: Records, seen: bytes, words: Words, seat: int, drawn: Drawn
) -> SheetView:
    """Read a seat's sheet, unless one from the very same words has been read before."""
    at = (_SHEETS + seat * SHEET_WORDS) * WORD
    key = _SEAT_KEYS[seat] + seen[at : at + SHEET_WORDS * WORD]
    for first, size in reading.beside:
        key += seen[(first + seat * size) * WORD : (first + (seat + 1) * size) * WORD]
    found = drawn.get(key)
    if found is None:
        found = drawn[key] = _read_sheet(variant, reading, states, words, seat)
    return found


def _read_sheet(variant: Variant, reading: Reading, states: Records, words: Words, seat: int) -> SheetView:
    at = _SHEETS + seat * SHEET_WORDS
    layouts = reading.layouts
    hand = _hand(words, seat) if variant.is_cards else None
    return SheetView(
        seat=seat,
        rows=tuple([_row(variant, reading, words, seat, row) for row in range(len(variant.rows))]),
        score=door.score(layouts, states, 0, seat),
        pawns_left=door.supply(layouts, states, 0, seat) if variant.is_duel else None,
        hand=None if hand is None else tuple([card_text(card) for card in hand]),
        hand_size=words[_HELD + seat],
        **_read_plain(reading.sheet, words, at),
    )


def _row(variant: Variant, reading: Reading, words: Words, seat: int, row: int) -> RowView:
    """Read a row, unless one with the same crosses has been read before; all but pawns are told by these."""
    at = _SHEETS + seat * SHEET_WORDS
    marks, count, locked = words[at + _MARKS + row], words[at + _COUNT + row], words[at + _LOCKS] >> row & 1
    key = (row, marks, count, locked)
    found = None if variant.is_duel else reading.rows.get(key)
    if found is not None:
        return found
    drawn = variant.rows[row]
    places = bits(marks, len(drawn.cells))
    found = RowView(
        key=drawn.key,
        crosses=tuple([drawn.cells[place].value for place in places]),
        heights=_heights(words, seat, row, places) if variant.is_duel else (1,) * len(places),
        locked=bool(locked),
        count=count,
        points=reading.points_of(count),
    )
    if not variant.is_duel:
        if len(reading.rows) >= _MOST_ROWS:
            reading.rows.clear()
        reading.rows[key] = found
    return found


def _heights(words: Words, seat: int, row: int, places: tuple[int, ...]) -> tuple[int, ...]:
    """Duel: how many pawns stand on each of these places."""
    first = _BOARD + (seat * ROWS + row) * POSITIONS
    return tuple([words[first + place] for place in places])
