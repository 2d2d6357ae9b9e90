"""
Every field of a sheet and of a game, declared once with all its properties.

The memory layout (`records`), the values of a new game (`flow`), redaction (`observe`), the position line
(`qwixx.game.position`), the view (`qwixx.game.view`) and the observations of learners (`qwixx.rl`) are derived from
these lists. To add a field, add it here, write the rule that uses it, and add an attribute to the view if users see it.

The order matters: position lines and observations follow it. A measure, such as a range or whether a game has the
field at all, is a function of the layout.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from qwixx.kernel.state.max_sizes import (
    COLORS,
    DECK,
    DISPLAY,
    HAND,
    NO_CARD,
    NO_CELL,
    NO_CHOICE,
    POSITIONS,
    ROWS,
    SEATS,
    TOTALS,
    TURNS,
)

Measure = Callable[[Any], int]
"""A number that depends on the game, as a function of the layout's record."""

# ---- who sees a field
EVERYBODY: Final = 0
NOBODY: Final = 1
OWN_SEAT: Final = 2
"""Each seat sees its own part only."""
OWN_HAND: Final = 3
"""Each seat sees its own cards, and of all others the backs; at the end of the game all cards are open (K11)."""
BACKS: Final = 4
"""Cards with their backs up: all seats see their numbers, and at the end of the game their colors (K2)."""
TOP_BACK: Final = 5
"""A pile, the top card last: all seats see the number of the top card (K2)."""

# ---- how an observation shows a field
VALUES: Final = 0
BITS: Final = 1
"""One entry for each bit of the field."""
COMPUTED: Final = 2
"""Computed from the field, always by hand-written code."""


def always(_layout: Any) -> int:
    """Return 1: every game has the field."""
    return 1


def fixed(number: int) -> Measure:
    """Return a measure that is the same in every game."""
    return lambda _layout: number


def _with_dice(layout: Any) -> int:
    return int(not layout.deck_size)


def _with_cards(layout: Any) -> int:
    return int(layout.deck_size)


def _on_board(layout: Any) -> int:
    return int(layout.shared)


def _on_paper(layout: Any) -> int:
    return int(not layout.shared)


def _highest_card(layout: Any) -> int:
    return int(layout.deck[: layout.deck_size].max() % TOTALS)


def _bar(layout: Any) -> int:
    return int(layout.bar_length)


def _swaps(layout: Any) -> int:
    return int(layout.swaps)


def _track(layout: Any) -> int:
    return int(layout.track_fields)


def _cells(layout: Any) -> int:
    return int(layout.length.sum())


def _longest(layout: Any) -> int:
    return int(layout.length.max())


def _most_crosses(layout: Any) -> int:
    """All crosses up to the first cell that closes the row, and the lock (C8, L2, DA4, DB2)."""
    marks = zip(layout.closes_from.tolist(), layout.double_marks.tolist(), layout.small_marks.tolist(), strict=True)
    before = max(first + double.bit_count() - small.bit_count() for first, double, small in marks)
    return int(before) * (1 + int(layout.twice)) + 2


# ---- text forms


@dataclass(frozen=True, slots=True)
class Number:
    """`misses=2`: a whole number from `least` to `most`."""

    least: Measure
    most: Measure


@dataclass(frozen=True, slots=True)
class Places:
    """`used=1,2`: the set bits, counted from 1; `noun` names one of them in error messages."""

    size: Measure
    noun: str


@dataclass(frozen=True, slots=True)
class Special:
    """A word that `qwixx.game.position` writes and reads by hand-written code, because it covers several fields."""


@dataclass(frozen=True, slots=True)
class Text:
    """The word of a field in a position line; it is omitted if the field is blank."""

    key: str
    form: Number | Places | Special = Special()


IN_ROWS: Final = Text("rows")
"""Crosses, locks and pawns are written together under the keys of the rows."""


# ---- for learners


@dataclass(frozen=True, slots=True)
class Entry:
    """
    The part of an observation that shows a field: `size` adjacent numbers from 0 to `high`.

    Entries that are encoded `by_hand` in `rl.encode` come first; a loop over this list would take a third longer. The
    encoder handles all others generically.
    """

    name: str
    form: int
    size: Measure
    high: Measure
    meaning: str
    when: Measure = always
    by_hand: bool = False


def _by_hand(name: str, form: int, size: Measure, high: Measure, meaning: str, when: Measure = always) -> Entry:
    return Entry(name, form, size, high, meaning, when, by_hand=True)


# ---- the fields


@dataclass(frozen=True, slots=True)
class Field:
    """A field with all its properties; `says` is its meaning."""

    name: str
    says: str
    shape: tuple[int, ...] = ()
    blank: int = 0
    sees: int = EVERYBODY
    when: Measure = always
    """Whether a game has the field."""
    of_seat: bool = False
    """For STATE_FIELDS: the first axis is the seat, and its values belong to the seat's sheet."""
    text: Text | None = None
    entries: tuple[Entry, ...] = ()
    encoded_by_hand: str = ""
    """The prefix of entries that `rl.encode` computes by hand, because they are more than the numbers of the field."""
    kind: type[np.generic] = np.int32


_PER_ROW = fixed(ROWS)
_YES = fixed(1)

SHEET_FIELDS: Final = (
    Field(
        "marks",
        "bit p: the cell at position p is crossed",
        (ROWS,),
        text=IN_ROWS,
        entries=(
            _by_hand("cells", COMPUTED, _cells, _YES, "1: the cell is crossed", _on_paper),
            _by_hand("cells", COMPUTED, _cells, lambda it: int(it.pawns), "own pawns on each cell", _on_board),
        ),
    ),
    Field(
        "locks",
        "bit r: this seat crossed the lock of row r",
        text=IN_ROWS,
        entries=(
            _by_hand("locks", BITS, _PER_ROW, _YES, "1: own lock of the row crossed", _on_paper),
            _by_hand("locks", BITS, _PER_ROW, _YES, "1: own lock of the row taken", _on_board),
        ),
    ),
    Field(
        "count",
        "crosses, or pawns, the lock included",
        (ROWS,),
        text=IN_ROWS,
        entries=(
            _by_hand(
                "counts",
                VALUES,
                _PER_ROW,
                _most_crosses,
                "crosses in the row, the lock's included",
                _on_paper,
            ),
            _by_hand(
                "counts", VALUES, _PER_ROW, lambda it: int(it.pawns), "pawns in the row, the lock's included", _on_board
            ),
            _by_hand("supply", COMPUTED, _YES, lambda it: int(it.pawns), "pawns left", _on_board),
        ),
    ),
    Field(
        "next",
        "the first position still crossable",
        (ROWS,),
        text=IN_ROWS,
        entries=(
            _by_hand(
                "next", VALUES, _PER_ROW, _longest, "first position of the row that can still be crossed", _on_paper
            ),
        ),
    ),
    Field(
        "twice",
        "bit p: the cell at position p is crossed twice (DA2); the count and the next position show it to learners",
        (ROWS,),
        when=lambda it: int(it.twice),
        text=Text("second"),
    ),
    Field(
        "misses",
        "misses",
        text=Text("misses", Number(fixed(0), lambda it: int(it.end_misses))),
        entries=(_by_hand("misses", VALUES, _YES, lambda it: int(it.end_misses), "misses"),),
    ),
    Field(
        "used",
        "bits of the bar (BA2)",
        when=_bar,
        text=Text("used", Places(_bar, "cell of the bar")),
        entries=(_by_hand("used", BITS, _bar, _YES, "1: the cell of the bar is used"),),
    ),
    Field(
        "struck",
        "bits of the bar (BA4)",
        when=_bar,
        text=Text("struck", Places(_bar, "cell of the bar")),
        entries=(_by_hand("struck", BITS, _bar, _YES, "1: the cell of the bar is struck"),),
    ),
    Field(
        "lucky",
        "the seat's two lucky numbers (L4)",
        (2,),
        when=lambda it: int(it.lucky_pads),
        text=Text("lucky"),
        entries=(_by_hand("lucky", VALUES, fixed(2), lambda it: 2 * int(it.sides), "lucky numbers"),),
    ),
    Field(
        "pad",
        "which pad the seat has, from 0 (CA1, CB1)",
        when=lambda it: int(it.pads),
        text=Text("pad"),
        entries=(Entry("pad", VALUES, _YES, lambda it: int(it.pads) - 1, "the pad"),),
    ),
    Field(
        "bonus",
        "bit k * POSITIONS + p: the cell at position p of bonus row k is crossed (BP2)",
        when=lambda it: int(it.bonus_rows),
        text=IN_ROWS,
        entries=(
            Entry("bonus", BITS, lambda it: int(it.bonus_rows) * POSITIONS, _YES, "1: the bonus cell is crossed"),
        ),
    ),
    Field(
        "exchanged",
        "bits of the bar that exchanges numbers (XC2)",
        when=_swaps,
        text=Text("exchanged", Places(_swaps, "field of the bar")),
        entries=(Entry("exchanged", BITS, _swaps, _YES, "1: the field of the bar is used"),),
    ),
    Field(
        "track",
        "crossed fields of the track (F1)",
        when=_track,
        text=Text("track", Number(fixed(0), _track)),
        entries=(Entry("track", VALUES, _YES, _track, "crossed fields of the track"),),
    ),
)
"""The fields of one seat's sheet."""

STATE_FIELDS: Final = (
    Field("rng", "the stream of chance; a new game keeps the one it was seeded with", sees=NOBODY, kind=np.uint64),
    Field("seats", "how many seats play"),
    Field("active", "the active seat", text=Text("active"), encoded_by_hand="active"),
    Field("turn", "turns begun", blank=1, text=Text("turn", Number(fixed(1), fixed(TURNS)))),
    Field("phase", "where in the turn the game stands", text=Text("phase"), encoded_by_hand="phase"),
    Field("ending", "why the game is over"),
    Field("waiting", "bit s: seat s owes a decision"),
    Field(
        "crossed",
        "the active seat has crossed something this turn",
        text=Text("crossed"),
        entries=(_by_hand("crossed", VALUES, _YES, _YES, "1: the active seat has crossed something this turn"),),
    ),
    Field(
        "first_cell",
        "the cell of action 1 (D5)",
        blank=NO_CELL,
        when=_on_board,
        text=Text("first"),
        encoded_by_hand="first",
    ),
    Field(
        "dice",
        "two white dice, then one of each color; 0 for none",
        (2 + COLORS,),
        when=_with_dice,
        text=Text("roll"),
        entries=(
            _by_hand(
                "dice",
                VALUES,
                fixed(2 + COLORS),
                lambda it: int(it.sides),
                "two white dice, then red, yellow, green, blue; 0 for none",
            ),
        ),
    ),
    Field(
        "closed",
        "bit r: row r is closed for all",
        when=_with_dice,
        entries=(_by_hand("closed", BITS, _PER_ROW, _YES, "1: the row is closed for all"),),
    ),
    Field(
        "gone",
        "bit c: the die of color c has left",
        when=_with_dice,
        entries=(_by_hand("gone", BITS, fixed(COLORS), _YES, "1: the die of this color has left"),),
    ),
    Field(
        "choices",
        "what each seat has chosen in the open window (C3)",
        (SEATS,),
        blank=NO_CHOICE,
        sees=OWN_SEAT,
        text=Text("choices"),
        encoded_by_hand="choice",
    ),
    Field("sheets", "the papers of all seats: SHEET_FIELDS", (SEATS,), of_seat=True),
    Field("board", "pawns of a seat on a cell (D1)", (2, ROWS, POSITIONS), when=_on_board, of_seat=True, text=IN_ROWS),
    Field(
        "held",
        "cards in a seat's hand",
        (SEATS,),
        when=_with_cards,
        of_seat=True,
        text=Text("hand"),
        entries=(_by_hand("held", VALUES, _YES, fixed(HAND), "cards in hand"),),
    ),
    Field(
        "hands",
        "the cards themselves, sorted",
        (SEATS, HAND),
        NO_CARD,
        OWN_HAND,
        _with_cards,
        of_seat=True,
        text=Text("hand"),
        entries=(
            _by_hand(
                "backs",
                COMPUTED,
                fixed(HAND),
                _highest_card,
                "numbers of the cards in hand, small ones first; 0 for none",
            ),
        ),
        encoded_by_hand="hand",
    ),
    Field(
        "display",
        "cards to draw from",
        (DISPLAY,),
        NO_CARD,
        BACKS,
        _with_cards,
        text=Text("display"),
        encoded_by_hand="display",
    ),
    Field("pile_size", "cards in the pile", when=_with_cards, text=Text("pile"), encoded_by_hand="pile"),
    Field(
        "pile",
        "the top card stands last",
        (DECK,),
        NO_CARD,
        TOP_BACK,
        _with_cards,
        text=Text("pile"),
        encoded_by_hand="top",
    ),
    Field("discarded", "cards in the discards", when=_with_cards, text=Text("discards"), encoded_by_hand="discards"),
    Field(
        "discards",
        "everybody saw them when they were played",
        (DECK,),
        NO_CARD,
        when=_with_cards,
        text=Text("discards"),
        encoded_by_hand="discards",
    ),
)
"""The fields of a whole game."""
