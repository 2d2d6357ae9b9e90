"""
Encode the observation of a seat as numbers, and its legal actions as a mask.

An observation holds only what a seat may know (`kernel.observe` has the same limits): not the colors of cards seen
from behind, not the choices of others in an open window, not the random generator. `qwixx.rl.spaces` names the entries
in the order in which they are written here. `observe_all` is the exception: it writes all hidden information too, for
critics that learn from the full state.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from qwixx.jit.decorators import as_int32_view, inlined, kernel
from qwixx.kernel import board, flow
from qwixx.kernel.cards import number_for_all
from qwixx.kernel.state.fields import BITS
from qwixx.kernel.state.records import (
    CARDS,
    CELLS,
    COLOR,
    COLORS,
    DISPLAY,
    DRAW,
    HAND,
    JOKER,
    MORE,
    NO_CARD,
    NO_CHOICE,
    NUMBER,
    OVER,
    PASS,
    PLAY,
    POSITIONS,
    ROWS,
    STATE_WORDS,
    TAKES,
    TIES,
    TOTALS,
    WHITE,
    WITH_SMALL,
    Record,
)
from qwixx.kernel.window import cell_of, tie_of

Bytes = npt.NDArray[np.int8]

IN_PILE, ON_TOP, IN_DISPLAY = range(3)
IN_DISCARDS = IN_DISPLAY + DISPLAY
IN_HAND = IN_DISCARDS + 1
"""Where a card is: places of the display and seats are added to these numbers."""

TABLE: Final = -1
"""In place of a seat: entries that belong to no seat."""


# ---- actions


@inlined
def has_more(layout: Record) -> bool:
    """Return whether a sheet has actions that are not one cell of a row: bonus cells, a track, small fields."""
    return bool(layout.bonus_rows | layout.track_fields | layout.smalls)


@inlined
def to_compact(layout: Record, action: int) -> int:
    """Return the compact number of a kernel's action: only one kind of game has ties, so later numbers move down."""
    if action >= MORE:
        return action - (MORE - TIES)
    return action - (TAKES - TIES) if action >= TAKES else action


@inlined
def to_kernel(layout: Record, action: int) -> int:
    """Return the kernel's number of a compact action; the inverse of `to_compact`."""
    if action < TIES or layout.has_ties:
        return action
    return action + (TAKES - TIES if layout.flow == CARDS else MORE - TIES)


@inlined
def write_mask(layout: Record, menu: Record, count: int, out: Bytes, at: int) -> None:
    """Write 1 for every action of a list of legal ones and 0 for all others."""
    for index in range(out.shape[1]):
        out[at, index] = 0
    for index in range(count):
        out[at, to_compact(layout, menu.actions[index])] = 1


# ---- observations


@kernel
def observe(layout: Record, state: Record, seat: int, out: Bytes, at: int) -> None:
    """Write an observation into one row of an array: all sheets, the own first, the table, the own choice and hand."""
    k = 0
    who = seat
    for _ in range(state.seats):
        k = _sheet(layout, state, who, out, at, k)
        who = who + 1 if who + 1 < state.seats else 0
    k = _table(layout, state, seat, out, at, k)
    if layout.flow == CARDS:
        k = _cards(layout, state, out, at, k)
    if state.seats > 1 and not layout.shared:
        k = _choice(layout, state, seat, out, at, k)
    if layout.flow == CARDS:
        _hand(state, seat, out, at, k)


@kernel
def observe_all(layout: Record, state: Record, out: Bytes, at: int) -> None:
    """Write the full state without future chance: all sheets, the table, all open choices, the place of every card."""
    k = 0
    for who in range(state.seats):
        k = _sheet(layout, state, who, out, at, k)
    k = _table(layout, state, 0, out, at, k)
    if layout.flow == CARDS:
        k = _cards(layout, state, out, at, k)
    if state.seats > 1 and not layout.shared:
        for who in range(state.seats):
            k = _choice(layout, state, who, out, at, k)
    if layout.flow == CARDS:
        _places(layout, state, out, at, k)


@inlined
def _sheet(layout: Record, state: Record, who: int, out: Bytes, at: int, k: int) -> int:
    """Write a seat's paper, or its pawns."""
    sheet = state.sheets[who]
    for row in range(ROWS):
        length = layout.length[row]
        if layout.shared:
            for position in range(length):
                out[at, k + position] = state.board[who, row, position]
        else:
            marks = sheet.marks[row]
            for position in range(length):
                out[at, k + position] = marks >> position & 1
        k += length
    for row in range(ROWS):
        out[at, k + row] = sheet.locks >> row & 1
        out[at, k + ROWS + row] = sheet.count[row]
    k += 2 * ROWS
    if layout.shared:
        out[at, k] = board.supply(layout, state, who)
        k += 1
    else:
        for row in range(ROWS):
            out[at, k + row] = sheet.next[row]
        k += ROWS
    out[at, k] = sheet.misses
    k += 1
    for index in range(layout.bar_length):
        out[at, k + index] = sheet.used >> index & 1
        out[at, k + layout.bar_length + index] = sheet.struck >> index & 1
    k += 2 * layout.bar_length
    if layout.lucky_pads:
        out[at, k] = sheet.lucky[0]
        out[at, k + 1] = sheet.lucky[1]
        k += 2
    if layout.flow == CARDS:
        out[at, k] = state.held[who]
        _backs(state, who, out, at, k + 1)
        k += 1 + HAND
    return _declared(layout, state, who, out, at, k)


@inlined
def _backs(state: Record, who: int, out: Bytes, at: int, k: int) -> None:
    """Write the numbers of a hand, sorted by insertion: their order says nothing about the colors (K11)."""
    for place in range(HAND):
        number = state.hands[who, place] % TOTALS if place < state.held[who] else 0
        end = k + place
        if number:
            while end > k and out[at, end - 1] > number:
                out[at, end] = out[at, end - 1]
                end -= 1
        out[at, end] = number


@inlined
def _declared(layout: Record, state: Record, who: int, out: Bytes, at: int, k: int) -> int:
    """Write the entries of a seat, or of TABLE, that are declared with their fields and need no code here."""
    first, last = (layout.seat_entries, layout.all_entries) if who == TABLE else (0, layout.seat_entries)
    words = as_int32_view(state, STATE_WORDS)
    for number in range(first, last):
        word = layout.entries[number, 1] + max(who, 0) * layout.entries[number, 2]
        size = layout.entries[number, 3]
        for index in range(size):
            is_bits = layout.entries[number, 0] == BITS
            out[at, k + index] = words[word] >> index & 1 if is_bits else words[word + index]
        k += size
    return int(k)


@inlined
def _table(layout: Record, state: Record, seat: int, out: Bytes, at: int, k: int) -> int:
    """Write the moment of the turn, whose turn it is, and the dice."""
    phase = state.phase
    if layout.flow == CARDS:
        out[at, k] = phase == DRAW
        out[at, k + 1] = phase == NUMBER
        out[at, k + 2] = phase == PLAY
        k += 3
    else:
        out[at, k] = phase == WHITE
        out[at, k + 1] = phase == COLOR
        k += 2
    out[at, k] = phase == OVER
    k += 1
    who = seat
    for step in range(state.seats):
        out[at, k + step] = who == state.active
        who = who + 1 if who + 1 < state.seats else 0
    k += state.seats
    out[at, k] = state.crossed
    k += 1
    if layout.flow != CARDS:
        for die in range(2 + COLORS):
            out[at, k + die] = state.dice[die]
        k += 2 + COLORS
        for row in range(ROWS):
            out[at, k + row] = state.closed >> row & 1
            out[at, k + ROWS + row] = state.gone >> row & 1
        k += 2 * ROWS
    k = _declared(layout, state, TABLE, out, at, k)
    if layout.shared:
        first = state.first_cell
        out[at, k] = 0 if first < 0 else first // POSITIONS + 1
        out[at, k + 1] = 0 if first < 0 else first % POSITIONS + 1
        k += 2
    return int(k)


@inlined
def _cards(layout: Record, state: Record, out: Bytes, at: int, k: int) -> int:
    """Write the cards on the table as all seats see them: backs as numbers, discards as they were played (K2, K5)."""
    for place in range(DISPLAY):
        out[at, k + place] = 0 if state.display[place] == NO_CARD else state.display[place] % TOTALS
    k += DISPLAY
    out[at, k] = number_for_all(state)
    out[at, k + 1] = state.pile_size
    k += 2
    for index in range(layout.deck_size):
        out[at, k + index] = 0
    for index in range(state.discarded):
        out[at, k + _place_in_deck(layout, state.discards[index])] = 1
    return int(k + layout.deck_size)


@inlined
def _place_in_deck(layout: Record, card: int) -> int:
    """Find a card in the sorted deck: its colors in order, each with the same numbers, so that it can be computed."""
    numbers = layout.deck_size // (JOKER + 1 if layout.deck[layout.deck_size - 1] // TOTALS == JOKER else JOKER)
    return int(card // TOTALS * numbers + card % TOTALS - layout.deck[0] % TOTALS)


@inlined
def _places(layout: Record, state: Record, out: Bytes, at: int, k: int) -> None:
    """Write the place of every card of the deck; of the pile only its top card, the order of the rest is chance."""
    for index in range(layout.deck_size):
        out[at, k + index] = IN_PILE
    if state.pile_size > 0:
        out[at, k + _place_in_deck(layout, state.pile[state.pile_size - 1])] = ON_TOP
    for place in range(DISPLAY):
        if state.display[place] != NO_CARD:
            out[at, k + _place_in_deck(layout, state.display[place])] = IN_DISPLAY + place
    for index in range(state.discarded):
        out[at, k + _place_in_deck(layout, state.discards[index])] = IN_DISCARDS
    for seat in range(state.seats):
        for place in range(state.held[seat]):
            out[at, k + _place_in_deck(layout, state.hands[seat, place])] = IN_HAND + seat


@inlined
def _choice(layout: Record, state: Record, seat: int, out: Bytes, at: int, k: int) -> int:
    """Write the own choice in the open window; the choices of others stay hidden (C3)."""
    choice = state.choices[seat]
    row = position = tie = more = 0
    if choice >= MORE:
        more = min(choice, WITH_SMALL) - MORE + 1 + max(choice - WITH_SMALL, 0) // CELLS
    if choice not in (NO_CHOICE, PASS) and (choice < TAKES or choice >= WITH_SMALL):
        cell = cell_of(choice) if choice < TAKES else (choice - WITH_SMALL) % CELLS
        row = cell // POSITIONS + 1
        position = cell % POSITIONS + 1
        tie = tie_of(choice) + 1 if choice < TAKES else 0
    out[at, k] = choice != NO_CHOICE
    out[at, k + 1] = row
    out[at, k + 2] = position
    k += 3
    if layout.has_ties:
        out[at, k] = tie
        k += 1
    if has_more(layout):
        out[at, k] = more
        k += 1
    return int(k)


@inlined
def _hand(state: Record, seat: int, out: Bytes, at: int, k: int) -> None:
    """Write the seat's own cards, place by place: the number, then the color as one of five."""
    for place in range(HAND):
        card = state.hands[seat, place] if place < state.held[seat] else NO_CARD
        out[at, k] = 0 if card == NO_CARD else card % TOTALS
        for color in range(JOKER + 1):
            out[at, k + 1 + color] = card != NO_CARD and card // TOTALS == color
        k += JOKER + 2


@kernel
def legal_mask(layout: Record, state: Record, seat: int, menu: Record, out: Bytes, at: int) -> None:
    """Write the legal actions of a seat as a mask."""
    write_mask(layout, menu, flow.fill_menu(layout, state, seat, menu), out, at)
