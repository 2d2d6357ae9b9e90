"""
Redaction: a copy of the state in which everything that a seat may not see is blank.

A seat does not see the colors of other hands, of the display and of the pile's top card, any card below it, the choices
of other seats in an open window, or the random stream (K2, K11, C3). `state.fields` declares for every field who sees
it.
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import as_int32_view, compiled_from, inlined, kernel
from qwixx.kernel.state.fields import BACKS, NOBODY, OWN_HAND, OWN_SEAT, SHEET_FIELDS, STATE_FIELDS, TOP_BACK, Field
from qwixx.kernel.state.records import (
    BACK,
    BLANK,
    CARDS,
    NO_CARD,
    OVER,
    SEATS,
    SHEET,
    SHEET_WORDS,
    STATE,
    STATE_WORDS,
    TOTALS,
    WORD,
    Ints,
    Record,
    Records,
    word_of,
)


def _block(field: Field) -> tuple[int, int, int, int, int]:
    """Return who sees a field, its first word, its parts, the words from part to part, and the words of a part."""
    size = STATE[field.name].itemsize // WORD
    parts = field.shape[0] if field.sees == OWN_SEAT else 1
    return field.sees, word_of(STATE, field.name), parts, size // parts, size // parts


def _sheet_block(field: Field) -> tuple[int, int, int, int, int]:
    """Return the same for a field of every sheet."""
    start = word_of(STATE, "sheets") + word_of(SHEET, field.name)
    return field.sees, start, SEATS, SHEET_WORDS, SHEET[field.name].itemsize // WORD


def _hidden(*ways: int) -> Ints:
    """Return the blocks of the fields that are hidden in one of these ways."""
    blocks = [_block(field) for field in STATE_FIELDS if field.sees in ways]
    blocks += [_sheet_block(field) for field in SHEET_FIELDS if field.sees in ways]
    return np.array(blocks, np.int32).reshape(-1, 5)


_HIDDEN = _hidden(NOBODY, OWN_SEAT)
_CARDS = _hidden(OWN_HAND, BACKS, TOP_BACK)
"""Fields that are hidden only in the card games, and only until their end."""


@kernel
def back_of(card: int) -> int:
    """Return a card as seen from behind: its number without its color (K1)."""
    return card if card == NO_CARD else BACK * TOTALS + card % TOTALS


@inlined
def _blank_out(words: Ints, first: int, size: int) -> None:
    blank = BLANK[first]  # a field has one blank value
    for word in range(first, first + size):
        words[word] = blank


@kernel
def _insertion_sort(cards: Ints, size: int) -> None:
    """Sort by insertion, for the compiler: numba's own sort would add lists to the compiled code."""
    for last in range(1, size):
        card = cards[last]
        at = last
        while at > 0 and cards[at - 1] > card:
            cards[at] = cards[at - 1]
            at -= 1
        cards[at] = card


@compiled_from(_insertion_sort)
def sort_cards(cards: Ints, size: int) -> None:
    """Sort the first cards of an array."""
    cards[:size].sort()


@kernel
def turn_over(hand: Ints, held: int) -> None:
    """Turn the cards of a hand over (K11); sorted by number, so that their order says nothing about their colors."""
    for place in range(held):
        hand[place] = back_of(hand[place])
    sort_cards(hand, held)


@inlined
def _hide(copy: Record, hidden: Ints, seat: int) -> None:
    """Blank out the parts of some fields that a seat may not see, and turn cards over."""
    words = as_int32_view(copy, STATE_WORDS)
    for which in range(len(hidden)):
        sees = hidden[which, 0]
        first = hidden[which, 1]
        size = hidden[which, 4]
        if sees == BACKS:
            for word in range(first, first + size):
                words[word] = back_of(words[word])
        elif sees == TOP_BACK:
            top = first + copy.pile_size - 1
            card = back_of(words[top]) if top >= first else NO_CARD
            _blank_out(words, first, size)
            if top >= first:
                words[top] = card
        elif sees == OWN_HAND:
            for other in range(copy.seats):
                if other != seat:
                    turn_over(copy.hands[other], copy.held[other])
        else:
            for part in range(min(hidden[which, 2], copy.seats)):
                if part != seat or sees == NOBODY:
                    _blank_out(words, first + part * hidden[which, 3], size)


@kernel
def redact(layout: Record, states: Records, index: int, copies: Records, at: int, seat: int) -> None:
    """Copy a state as a seat sees it; seat -1 is a spectator. When the game is over, all cards are visible."""
    copies[at] = states[index]
    copy = copies[at]
    _hide(copy, _HIDDEN, seat)
    if layout.flow != CARDS or copy.phase == OVER:
        return
    _hide(copy, _CARDS, seat)
    # All seats saw the discards when they were played; sorting hides only their order.
    sort_cards(copy.discards, copy.discarded)
