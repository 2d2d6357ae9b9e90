"""Determinization: deal the hands that a seat cannot see at random from the cards that it cannot see."""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel.cards import hold
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import DECK, DISPLAY, NO_CARD, TOTALS, Ints, Record


@kernel
def determinize_hands(layout: Record, state: Record, seat: int, luck: np.uint64) -> None:
    """
    Deal the hands of others again, from the cards that a seat cannot see now (K2).

    It sees its own hand and the played cards; of the display and the top of the pile it knows the numbers.
    """
    placed = np.zeros(DECK, np.int32)  # 1: this card is already placed
    for place in range(state.held[seat]):
        placed[state.hands[seat, place]] = 1
    for place in range(state.discarded):
        placed[state.discards[place]] = 1
    drawn = 0
    for place in range(DISPLAY + 1):
        card = NO_CARD
        if place < DISPLAY:
            card = state.display[place]
        elif state.pile_size > 0:
            card = state.pile[state.pile_size - 1]
        if card != NO_CARD:
            _draw_one(layout, placed, luck, drawn, card % TOTALS)
            drawn += 1
    for other in range(state.seats):
        if other != seat:
            held = state.held[other]
            state.held[other] = 0
            state.hands[other, :] = NO_CARD
            for _ in range(held):
                hold(state, other, _draw_one(layout, placed, luck, drawn, -1))
                drawn += 1


@kernel
def _draw_one(layout: Record, placed: Ints, luck: np.uint64, drawn: int, number: int) -> int:
    """Draw a card that is not placed yet, with a given number (-1: any number), and mark it as placed."""
    count = 0
    for place in range(layout.deck_size):
        card = layout.deck[place]
        if placed[card] == 0 and (number < 0 or card % TOTALS == number):
            count += 1
    left = rng.randbelow_at(luck, drawn, count)
    for place in range(layout.deck_size):
        card = layout.deck[place]
        if placed[card] == 0 and (number < 0 or card % TOTALS == number):
            if left == 0:
                placed[card] = 1
                return int(card)
            left -= 1
    return NO_CARD
