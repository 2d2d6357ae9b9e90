"""Tables with cards as a seat can imagine them: hands that it cannot see, dealt anew from all that it cannot see."""

from __future__ import annotations

import numpy as np

from qwixx.kernel import rng
from qwixx.kernel.cards import hold
from qwixx.kernel.jit import kernel
from qwixx.kernel.records import DECK, DISPLAY, NO_CARD, TOTALS, Ints, Record


@kernel
def deal_unseen(layout: Record, state: Record, seat: int, luck: np.uint64) -> None:
    """
    Deal the hands of others anew, from the cards that a seat cannot see now (K2).

    It sees its own hand and what was played; of the display and the top of the pile it knows the numbers.
    """
    lies = np.zeros(DECK, np.int32)  # 1: this card lies elsewhere
    for place in range(state.held[seat]):
        lies[state.hands[seat, place]] = 1
    for place in range(state.discarded):
        lies[state.discards[place]] = 1
    drawn = 0
    for place in range(DISPLAY + 1):
        card = NO_CARD
        if place < DISPLAY:
            card = state.display[place]
        elif state.pile_size > 0:
            card = state.pile[state.pile_size - 1]
        if card != NO_CARD:
            _lay_one(layout, lies, luck, drawn, card % TOTALS)
            drawn += 1
    for other in range(state.seats):
        if other != seat:
            held = state.held[other]
            state.held[other] = 0
            state.hands[other, :] = NO_CARD
            for _ in range(held):
                hold(state, other, _lay_one(layout, lies, luck, drawn, -1))
                drawn += 1


@kernel
def _lay_one(layout: Record, lies: Ints, luck: np.uint64, drawn: int, number: int) -> int:
    """Draw a card that lies nowhere yet, of a number if one is given (-1: of any), and lay it down."""
    count = 0
    for place in range(layout.deck_size):
        card = layout.deck[place]
        if lies[card] == 0 and (number < 0 or card % TOTALS == number):
            count += 1
    left = rng.below_at(luck, drawn, count)
    for place in range(layout.deck_size):
        card = layout.deck[place]
        if lies[card] == 0 and (number < 0 or card % TOTALS == number):
            if left == 0:
                lies[card] = 1
                return int(card)
            left -= 1
    return NO_CARD
