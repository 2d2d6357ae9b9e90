"""
A game in memory: three flat NumPy records, and the codes of phases, effects, endings and actions.

`LAYOUT` is a compiled variant and never changes during a game, `SHEET` is one seat's sheet, `STATE` is a whole game.
All fields are 32-bit integers: smaller ones would overflow in interpreted code, where NumPy keeps the narrow type that
numba widens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from qwixx.kernel.state.fields import EVERYBODY, SHEET_FIELDS, STATE_FIELDS, Entry, Field
from qwixx.kernel.state.max_sizes import BAR as BAR
from qwixx.kernel.state.max_sizes import BONUS_ROWS as BONUS_ROWS
from qwixx.kernel.state.max_sizes import CELLS as CELLS
from qwixx.kernel.state.max_sizes import COLORS as COLORS
from qwixx.kernel.state.max_sizes import DECK as DECK
from qwixx.kernel.state.max_sizes import DISPLAY as DISPLAY
from qwixx.kernel.state.max_sizes import HAND as HAND
from qwixx.kernel.state.max_sizes import LINKS as LINKS
from qwixx.kernel.state.max_sizes import LUCKY as LUCKY
from qwixx.kernel.state.max_sizes import NO_CARD as NO_CARD
from qwixx.kernel.state.max_sizes import NO_CELL as NO_CELL
from qwixx.kernel.state.max_sizes import NO_CHOICE as NO_CHOICE
from qwixx.kernel.state.max_sizes import PADS as PADS
from qwixx.kernel.state.max_sizes import PAIRS as PAIRS
from qwixx.kernel.state.max_sizes import POINTS as POINTS
from qwixx.kernel.state.max_sizes import POSITIONS as POSITIONS
from qwixx.kernel.state.max_sizes import ROWS as ROWS
from qwixx.kernel.state.max_sizes import SEATS as SEATS
from qwixx.kernel.state.max_sizes import SMALLS as SMALLS
from qwixx.kernel.state.max_sizes import TOTALS as TOTALS
from qwixx.kernel.state.max_sizes import TRACK_FIELDS as TRACK_FIELDS

type_int = np.int32
Record = np.record
"""One layout, sheet or state: a view into an array of them, passed around as a pointer."""
Ints = npt.NDArray[np.int32]
Records = npt.NDArray[np.record]
WORD: Final = 4
"""Bytes of a number in a record."""
ENTRIES: Final = sum(len(field.entries) for field in (*SHEET_FIELDS, *STATE_FIELDS))
"""The most entries that an observation can have."""

JOKER: Final = 4
"""The color of a joker."""
BACK: Final = 5
"""The color of a card that is seen from behind: hidden."""

# ---- phases
ROLL, WHITE, COLOR, OVER, DEAL, DRAW, SHUFFLE, NUMBER, PLAY = range(9)
PHASES: Final = ("roll", "white", "color", "over", "deal", "draw", "shuffle", "number", "play")

LAST_ACTIONS: Final = (COLOR, PLAY)
"""The phases that end a turn: then a miss is counted if the active seat has crossed nothing (C6, K6)."""

# ---- flows
DICE: Final = 0
CARDS: Final = 1
PHASES_OF: Final = {DICE: (ROLL, WHITE, COLOR, OVER), CARDS: (DRAW, DEAL, SHUFFLE, NUMBER, PLAY, OVER)}
"""The phases of each flow; the first is the usual start of a turn."""

# ---- when a cell has an effect (`kernel.effects` declares the effects)
NOTHING: Final = 0
BOXED: Final = 1
"""Bonus A: each cross uses the next cell of the bar."""
PAIRED: Final = 2
"""Bonus B: once its partner is crossed too."""
AT_EACH: Final = 3
"""At each cross on a cell with this letter."""
AT_SCORE: Final = 4
"""Only in the score."""
LINKED: Final = 5
"""Connected B: on some pad the cell has a partner, which is crossed with it."""

# ---- ties (BB2)
NO_TIE: Final = -1
TIE_ALONE: Final = -2
"""In `tie_partner`: a cell that can lead to a tie without a partner."""
TIES_BY_BAR: Final = 2
"""In `has_ties`: a tie is possible while all pairs are blank."""

# ---- endings (C11, K8, D8); the first that applies is reported
ENDINGS: Final = ("", "rows", "misses", "pawns")
BY_ROWS, BY_MISSES, BY_PAWNS = 1, 2, 3

# ---- actions: one integer each, in one fixed order for every variant
PASS: Final = CELLS
TIES: Final = PASS + 1
"""TIES + row * CELLS + cell: cross the cell, and choose this row if its bonus leads to a tie."""
TAKES: Final = TIES + ROWS * CELLS
"""TAKES + mask of places of the display."""
PLAYS: Final = TAKES + (1 << DISPLAY)
"""PLAYS + (cards * COLORS + color) * CROSSINGS + mask of the cards whose number is crossed."""
MOST_PLAYED: Final = 3
"""Cards that a play may have (K5)."""
CROSSINGS: Final = 1 << MOST_PLAYED
"""Ways to cross none, some or all of the cards played."""
SUBSETS: Final = tuple(
    sorted((m for m in range(1, 1 << HAND) if m.bit_count() <= MOST_PLAYED), key=lambda m: (m.bit_count(), m))
)
"""The ways to choose the cards of a play from a hand, as masks of its places."""
MORE: Final = PLAYS + len(SUBSETS) * COLORS * CROSSINGS
"""From here on: marks that are not one cell of a row (`kernel.extras`)."""
BONUS_CELLS: Final = MORE
"""BONUS_CELLS + bonus row * POSITIONS + position: cross a cell of a bonus row (BP2)."""
TRACK: Final = BONUS_CELLS + BONUS_ROWS * POSITIONS
"""Cross the next field of the track (F2)."""
WITH_SMALL: Final = TRACK + 1
"""WITH_SMALL + small field * CELLS + cell: cross a cell and a small field (F4)."""
ACTIONS: Final = WITH_SMALL + SMALLS * CELLS


def record_type(fields: list[tuple[str, object] | tuple[str, object, tuple[int, ...]]]) -> np.dtype[np.record]:
    """Make a record type whose fields can be read as attributes, compiled and interpreted."""
    return np.dtype((np.record, fields))  # type: ignore[return-value]  # the stubs miss this form


LAYOUT: Final = record_type(
    [
        ("flow", type_int),
        ("shared", type_int),  # 1: one board for all, and only the active seat acts (duel)
        ("personal", type_int),  # 1: a row closes only for the seat that closed it (K7)
        ("sides", type_int),
        ("length", type_int, (ROWS,)),
        ("value", type_int, (ROWS, POSITIONS)),
        ("color", type_int, (ROWS, POSITIONS)),
        ("effect", type_int, (ROWS, POSITIONS)),
        ("pair", type_int, (ROWS, POSITIONS)),
        ("double_marks", type_int, (ROWS,)),  # bits of the cells whose cross is two crosses of their row (DB2)
        ("twice", type_int),  # 1: the rightmost cross of a row may be made a second time (DA2)
        ("closes_from", type_int, (ROWS,)),  # the first position that closes the row
        ("closes_need", type_int, (ROWS,)),  # crosses needed before that
        ("lock_color", type_int, (ROWS,)),  # the die that leaves when the row closes
        ("white_spots", type_int, (TOTALS, ROWS)),  # position of a number in a row, or -1
        ("color_spots", type_int, (COLORS, TOTALS)),  # the cell with a color and number, or -1
        ("in_order", type_int),  # 1: each row has its own color in the order of the dice, so color sums come sorted
        ("points", type_int, (POINTS,)),  # by number of crosses
        ("points_crosses", type_int),  # crosses beyond this number add no points (D9)
        ("miss_points", type_int),
        ("end_rows", type_int),
        ("end_misses", type_int),
        ("has_effects", type_int),
        ("has_ties", type_int),  # 1: some cells can lead to a tie, 2: boxed ones too
        ("tie_marks", type_int, (ROWS,)),  # bits of the cells whose pair makes crosses, and so can lead to a tie
        ("tie_partner", type_int, (ROWS, POSITIONS)),  # the other cell of such a pair, or NO_TIE
        ("bar_length", type_int),
        ("bar", type_int, (BAR,)),  # the row each cell of the bar crosses in
        ("pairs", type_int),  # letters of marked cells; all but pairs can have any number of cells
        ("pair_effect", type_int, (PAIRS,)),  # the place of the letter's effect in `kernel.effects`
        ("pair_points", type_int, (PAIRS,)),  # the number behind the effect's name
        ("pair_cells", type_int, (PAIRS, 2)),  # 0 if the letter is not a pair
        ("lucky_pads", type_int),
        ("lucky", type_int, (LUCKY, 2)),
        ("pawns", type_int),
        ("has_extras", type_int),  # 1: the sheet has anything of `kernel.extras`
        ("pads", type_int),
        ("stairs", type_int, (PADS, ROWS)),  # bits of the framed cells (CA1)
        ("links", type_int),  # pairs of linked cells on a pad
        ("chain", type_int, (PADS, LINKS, 2)),  # the linked cells (CB1)
        ("swaps", type_int),
        ("swap", type_int, (BAR, 2)),  # the two numbers of each field of the exchange bar (XC1)
        ("track_fields", type_int),
        ("track_sum", type_int),  # two white dice and a color die make it (F2)
        ("track", type_int, (TRACK_FIELDS,)),  # points of the fields (F1)
        ("smalls", type_int),
        ("small", type_int, (SMALLS,)),  # the cells of the small fields (F3)
        ("small_marks", type_int, (ROWS,)),  # the same as bits
        ("faces", type_int, (2,)),  # the pair of faces that offers them (F4)
        ("bonus_rows", type_int),
        ("beside", type_int, (BONUS_ROWS, 2)),  # the rows above and below a bonus row (BP1)
        ("deck_size", type_int),
        ("deck", type_int, (DECK,)),
        ("dealt", type_int),  # cards dealt to each seat (K2)
        ("left_out", type_int),  # cells that may be left out between the crosses of a play, -1 for any number (K5, K10)
        ("seat_entries", type_int),  # how many of the entries below show a seat's sheet; the rest show the table
        ("all_entries", type_int),
        ("entries", type_int, (ENTRIES, 4)),  # for learners: form, first word, words from seat to seat, size
    ]
)


SHEET: Final = record_type([(field.name, field.kind, field.shape) for field in SHEET_FIELDS])
"""One seat's sheet."""
STATE: Final = record_type(
    [(field.name, SHEET if field.name == "sheets" else field.kind, field.shape) for field in STATE_FIELDS]
)
"""A whole game."""


def word_of(record: np.dtype[np.record], name: str) -> int:
    """Return the first word of a field in a sheet or a state."""
    assert record.fields is not None
    return int(record.fields[name][1]) // WORD


SHEET_WORDS: Final = SHEET.itemsize // WORD
STATE_WORDS: Final = STATE.itemsize // WORD


def _blank_words() -> Ints:
    states: Records = np.zeros(1, STATE)
    for field in STATE_FIELDS:
        if field.name != "sheets":
            states[field.name] = field.blank
    for field in SHEET_FIELDS:
        states["sheets"][field.name] = field.blank
    return states.view(type_int).copy()


BLANK: Final = _blank_words()
"""The words of an empty state."""


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """An entry of an observation with its first word and the words from one seat to the next."""

    entry: Entry
    word: int
    stride: int = 0


def seat_entries(layout: Record) -> list[PlacedEntry]:
    """Return the entries of each seat in an observation of a game, in order."""
    start = word_of(STATE, "sheets")
    found = [
        PlacedEntry(entry, start + word_of(SHEET, field.name), SHEET_WORDS)
        for field in SHEET_FIELDS
        for entry in _shown(field, layout)
    ]
    found += [
        PlacedEntry(entry, word_of(STATE, field.name), STATE[field.name].itemsize // WORD // field.shape[0])
        for field in STATE_FIELDS
        for entry in (_shown(field, layout) if field.of_seat else ())
    ]
    return sorted(found, key=lambda placed: not placed.entry.by_hand)


def table_entries(layout: Record) -> list[PlacedEntry]:
    """Return the entries of the table in an observation of a game, in order."""
    fields = [field for field in STATE_FIELDS if not field.of_seat]
    found = [PlacedEntry(entry, word_of(STATE, field.name)) for field in fields for entry in _shown(field, layout)]
    return sorted(found, key=lambda placed: not placed.entry.by_hand)


def _shown(field: Field, layout: Record) -> list[Entry]:
    """Return the entries of a field in a game; a hidden field must not be copied generically."""
    assert field.sees == EVERYBODY or all(entry.by_hand for entry in field.entries), f"{field.name} would be revealed"
    return [entry for entry in field.entries if field.when(layout) and entry.when(layout)]


MENU: Final = record_type([("actions", type_int, (ACTIONS,))])
"""Space for the longest list of actions. As a record it is passed as one pointer, which costs nothing."""
