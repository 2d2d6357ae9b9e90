"""
Views: a game as a seat or a spectator sees it. Every state that leaves the program for a player goes through here.

A seat sees its own hand and everything that is open, such as the numbers of all hands (K11); a spectator sees only what
is open. A `View` is made from a copy that the kernel has redacted, so that nothing hidden can leak. The server sends
the same structs to the page, with names in camelCase.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any, ClassVar, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from qwixx.kernel import api
from qwixx.kernel.state.fields import SHEET_FIELDS, STATE_FIELDS, Field, Places
from qwixx.kernel.state.records import (
    BACK,
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
from qwixx.text.notation import action_text, card_text, roll_text
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import COLORS as COLOR_LETTERS
from qwixx.variants.model import Variant

# The first words of fields: to read a state as 32-bit words is much faster than attributes of a record.
_SEATS, _PHASE, _ENDING, _WAITING = (word_of(STATE, n) for n in ("seats", "phase", "ending", "waiting"))
_CROSSED, _CLOSED, _GONE, _DICE = (word_of(STATE, n) for n in ("crossed", "closed", "gone", "dice"))
_CHOICES, _SHEETS, _BOARD, _HELD, _HANDS = (word_of(STATE, n) for n in ("choices", "sheets", "board", "held", "hands"))
_DISPLAY, _DISCARDED, _DISCARDS = (word_of(STATE, n) for n in ("display", "discarded", "discards"))
_MARKS, _COUNT, _LOCKS, _TWICE = (word_of(SHEET, n) for n in ("marks", "count", "locks", "twice"))
_PAD, _BONUS = (word_of(SHEET, n) for n in ("pad", "bonus"))
_MAX_CACHED = 64
_MAX_ROWS = 8192
"""Cached rows per layout; games that are played at the same time rarely show more different rows."""
DICE_LIE = (WHITE, COLOR)
"""The phases in which dice are on the table; after the end the last ones may be."""


class RowView(Struct, frozen=True, rename="camel", gc=False):
    """One row of one seat."""

    key: str
    crosses: tuple[int, ...]
    """Numbers crossed, left to right; in the duel, numbers with own pawns."""
    heights: tuple[int, ...]
    """How many crosses of the row each of them is (DA2, DB2); duel: how many pawns are on it."""
    locked: bool
    count: int
    """Crosses that count for closing, or pawns, the lock included."""
    points: int
    small: tuple[int, ...] = ()
    """Small fields crossed, each by the number left of it (F3)."""


class SheetView(Struct, frozen=True, rename="camel", gc=False):
    """One seat's sheet, or its pawns in the duel."""

    seat: int
    rows: tuple[RowView, ...]
    misses: int
    score: int
    used: tuple[int, ...] = ()
    struck: tuple[int, ...] = ()
    lucky: tuple[int, ...] = ()
    exchanged: tuple[int, ...] = ()
    """The fields used of the bar that exchanges numbers (XC2)."""
    track: int = 0
    """Fields of the track crossed (F1)."""
    pad: str = ""
    """The pad of the seat, in games with different ones (CA1, CB1)."""
    bonus_rows: tuple[tuple[int, ...], ...] = ()
    """The numbers crossed in each bonus row (BP1)."""
    pawns_left: int | None = None
    hand: tuple[str, ...] | None = None
    """Cards held, None if only their backs can be seen."""
    hand_size: int = 0
    backs: tuple[int, ...] = ()
    """The numbers of the cards held, small ones first: everybody sees the backs of all hands (K11)."""


class View(Struct, frozen=True, rename="camel", gc=False):
    """A game as a seat sees it. `seat` is None for a spectator."""

    variant: str
    seat: int | None
    seats: int
    active: int
    turn: int
    phase: str
    deciders: tuple[int, ...]
    choice: str | None
    """The choice of this seat in the open window."""
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
        """Return the view as plain data."""
        data: dict[str, Any] = _plain(self)
        return data


def _plain(value: Any) -> Any:
    """Convert structs to dictionaries, with the names that Python uses."""
    if isinstance(value, Struct):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


NUMBER, PLACES = 0, -1
"""The form of a field: a number, places counted from 1, or any other value: that many numbers."""
PlainFields = list[tuple[str, int, int]]
"""Fields that are shown unchanged: their names, first words and forms."""


class ViewReader:
    """Reads the states of one layout: its plain fields, the fields beside a seat's sheet, and a cache of rows."""

    _TABLE_BY_HAND: ClassVar = {
        *("phase", "crossed", "closed", "gone", "dice", "sheets", "ending", "display", "discards"),
    }

    _SHEET_BY_HAND: ClassVar = {"pad"}

    def __init__(self, variant: Variant) -> None:
        self.layouts = compile_layout(variant)
        layout = self.layouts[0]
        self.table = self._plain(STATE, STATE_FIELDS, View.__annotations__.keys() - self._TABLE_BY_HAND, layout)
        self.sheet = self._plain(SHEET, SHEET_FIELDS, SheetView.__annotations__.keys() - self._SHEET_BY_HAND, layout)
        self.weights = [[variant.weight(cell) for cell in row.cells] for row in variant.rows]
        """Crosses that one cross on each cell is, by row and position."""
        self.points: dict[int, int] = {}
        """Cached points of rows, by their crosses."""
        self.rows: dict[tuple[int, ...], RowView] = {}
        """Cached rows of all games, by their number and all that their view depends on."""
        self.beside = [
            (word_of(STATE, field.name), STATE[field.name].itemsize // WORD // field.shape[0])
            for field in STATE_FIELDS
            if field.of_seat and field.name != "sheets" and field.when(layout)
        ]

    @staticmethod
    def _plain(record: np.dtype[np.record], fields: tuple[Field, ...], names: Set[str], layout: Record) -> PlainFields:
        """Return the fields that have an attribute of the same name and need no conversion."""
        plain = []
        for field in fields:
            if field.name in names and (not field.shape or field.when(layout)):
                is_places = field.text is not None and isinstance(field.text.form, Places)
                form = field.shape[0] if field.shape else PLACES if is_places else NUMBER
                plain.append((field.name, word_of(record, field.name), form))
        return plain

    def points_of(self, crosses: int) -> int:
        """Return the points of a row with this number of crosses."""
        points = self.points.get(crosses)
        if points is None:
            points = self.points[crosses] = int(api.row_points(self.layouts, crosses))
        return points


def _read_plain(plain: PlainFields, words: Words, at: int) -> dict[str, Any]:
    """Read plain fields."""
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
    """Return the places of the set bits of a mask."""
    return tuple([place for place in range(size) if mask >> place & 1]) if mask else ()


_SEAT_KEYS = tuple(bytes([seat]) for seat in range(SEATS))
SEATS_OF = tuple(bits(mask, SEATS) for mask in range(1 << SEATS))
"""The seats of every mask."""


def redacted(layouts: Records, states: Records, seat: int | None) -> Records:
    """Return a copy of the state in which everything hidden from a seat is blank."""
    copies: Records = np.zeros(1, STATE)
    api.redact(layouts, states, 0, copies, -1 if seat is None else seat)
    return copies


SheetCache = dict[bytes, SheetView]
"""Cached sheets, by their seat and their bytes in the state: most have not changed since the last view."""
Words: TypeAlias = "memoryview[int]"
"""The words of a state."""


def make_view(
    variant: Variant, layouts: Records, states: Records, seat: int | None, sheet_cache: SheetCache | None = None
) -> View:
    """Return the view of a seat, or of a spectator; `sheet_cache` keeps sheets for the next view."""
    return read_view(variant, layouts, redacted(layouts, states, seat), seat, sheet_cache)


def read_view(
    variant: Variant, layouts: Records, states: Records, seat: int | None, sheet_cache: SheetCache | None = None
) -> View:
    """Return the view of a state that is already redacted."""
    seen = states.tobytes()
    words = memoryview(seen).cast("i")
    reader = variant.derived(ViewReader)
    sheet_cache = {} if sheet_cache is None else sheet_cache
    if len(sheet_cache) >= _MAX_CACHED:
        sheet_cache.clear()
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
        sheets=tuple([_sheet(variant, reader, states, seen, words, s, sheet_cache) for s in range(words[_SEATS])]),
        ending=ENDINGS[words[_ENDING]] or None,
        number=api.number_for_all(states, 0) or None if cards else None,
        display=tuple(None if c == NO_CARD else c % TOTALS for c in words[_DISPLAY : _DISPLAY + DISPLAY])
        if cards
        else (),
        discards=tuple([card_text(card) for card in sorted(words[_DISCARDS : _DISCARDS + words[_DISCARDED]])])
        if cards
        else (),
        **_read_plain(reader.table, words, 0),
    )


class SpectatorViewCache:
    """
    The last view of a spectator of one game.

    Most of it does not change between two views: while a window is open, only the seats that are still asked.
    """

    __slots__ = ("_bytes", "_copies", "_view", "_words")
    _WAITING_BYTES = _WAITING * WORD, (_WAITING + 1) * WORD

    def __init__(self) -> None:
        """Start empty."""
        self._copies: Records = np.zeros(1, STATE)
        self._words = self._copies.view(np.int32)
        self._bytes = b""
        self._view: View | None = None

    def build(self, variant: Variant, layouts: Records, states: Records, sheet_cache: SheetCache) -> View:
        """Return the current view of a spectator."""
        api.redact(layouts, states, 0, self._copies, -1)
        seen, before = self._words.tobytes(), self._bytes
        first, end = self._WAITING_BYTES
        if self._view is None or seen[:first] != before[:first] or seen[end:] != before[end:]:
            self._view = read_view(variant, layouts, self._copies, None, sheet_cache)
        elif seen != before:
            self._view = replace(self._view, deciders=SEATS_OF[self._words.item(_WAITING)])
        self._bytes = seen
        return self._view


def dice_text(state: Record) -> str | None:
    """Write the dice on the table, None if there are none."""
    return roll_text(state.dice) if _dice_lie(state.phase, state.dice[0]) else None


def _dice_lie(phase: int, first: int) -> bool:
    """Return whether dice are on the table: in both actions, and after the end if the first die shows a face."""
    return phase in DICE_LIE or (phase == OVER and first > 0)


def _hand(words: Words, seat: int) -> list[int] | None:
    """Return the cards of a hand, None if they show their backs; a seat's own hand has backs only behind its fronts."""
    hand = _held(words, seat)
    return None if hand and hand[0] >= BACK * TOTALS else hand


def _held(words: Words, seat: int) -> list[int]:
    """Return the cards of a hand, fronts or backs, as they are seen."""
    first = _HANDS + seat * HAND
    return words[first : first + words[_HELD + seat]].tolist()


def _sheet(
    variant: Variant, reader: ViewReader, states: Records, seen: bytes, words: Words, seat: int, sheet_cache: SheetCache
) -> SheetView:
    """Read a seat's sheet, or return it from the cache if its words have not changed."""
    at = (_SHEETS + seat * SHEET_WORDS) * WORD
    key = _SEAT_KEYS[seat] + seen[at : at + SHEET_WORDS * WORD]
    for first, size in reader.beside:
        key += seen[(first + seat * size) * WORD : (first + (seat + 1) * size) * WORD]
    found = sheet_cache.get(key)
    if found is None:
        found = sheet_cache[key] = _read_sheet(variant, reader, states, words, seat)
    return found


def _read_sheet(variant: Variant, reader: ViewReader, states: Records, words: Words, seat: int) -> SheetView:
    at = _SHEETS + seat * SHEET_WORDS
    layouts = reader.layouts
    hand = _hand(words, seat) if variant.is_cards else None
    return SheetView(
        seat=seat,
        rows=tuple([_row(variant, reader, words, seat, row) for row in range(len(variant.rows))]),
        score=api.score(layouts, states, 0, seat),
        pawns_left=api.supply(layouts, states, 0, seat) if variant.is_duel else None,
        hand=None if hand is None else tuple([card_text(card) for card in hand]),
        hand_size=words[_HELD + seat],
        backs=tuple(sorted([card % TOTALS for card in _held(words, seat)])),
        pad=variant.pads[words[at + _PAD]] if variant.pads else "",
        bonus_rows=tuple(
            [
                tuple([variant.rows[bonus.above].cells[place].value for place in _bonus_places(words, at, beside)])
                for beside, bonus in enumerate(variant.bonus_rows)
            ]
        ),
        **_read_plain(reader.sheet, words, at),
    )


def _bonus_places(words: Words, at: int, beside: int) -> tuple[int, ...]:
    """Return the positions that are crossed in a bonus row."""
    return bits(words[at + _BONUS] >> beside * POSITIONS, POSITIONS)


def _row(variant: Variant, reader: ViewReader, words: Words, seat: int, row: int) -> RowView:
    """Read a row, or return it from the cache; rows of the duel are not cached, because they have pawns."""
    at = _SHEETS + seat * SHEET_WORDS
    marks, count, locked = words[at + _MARKS + row], words[at + _COUNT + row], words[at + _LOCKS] >> row & 1
    twice = words[at + _TWICE + row]
    bonus = sum(
        [len(_bonus_places(words, at, n)) for n, each in enumerate(variant.bonus_rows) if each.above in (row, row - 1)]
    )
    key = (row, marks, count, locked, twice, bonus)
    found = None if variant.is_duel else reader.rows.get(key)
    if found is not None:
        return found
    printed = variant.rows[row]
    crossed = bits(marks, len(printed.cells))
    places = tuple([place for place in crossed if not printed.cells[place].after])
    small = tuple([printed.cells[place].after for place in crossed if printed.cells[place].after])
    found = RowView(
        key=printed.key,
        crosses=tuple([printed.cells[place].value for place in places]),
        heights=_heights(words, seat, row, places)
        if variant.is_duel
        else tuple([reader.weights[row][place] * (1 + (twice >> place & 1)) for place in places]),
        locked=bool(locked),
        count=count,
        points=reader.points_of(count + len(small) + bonus),
        small=small,
    )
    if not variant.is_duel:
        if len(reader.rows) >= _MAX_ROWS:
            reader.rows.clear()
        reader.rows[key] = found
    return found


def _heights(words: Words, seat: int, row: int, places: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many pawns are on each of these places, in the duel."""
    first = _BOARD + (seat * ROWS + row) * POSITIONS
    return tuple([words[first + place] for place in places])
