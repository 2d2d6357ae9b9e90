"""Determinization: deal the hands that a seat sees only from behind, from the cards that it cannot see."""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel.observe import sort_cards, turn_over
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import BACK, DECK, NO_CARD, TOTALS, Ints, Record


@kernel
def determinize_hands(layout: Record, state: Record, seat: int, luck: np.uint64) -> None:
    """
    Deal the hands of others again, from the cards that a seat (-1: a spectator) cannot see now (K2, K11).

    It sees its own hand and the played cards, and of the other hands the numbers. The display and the pile get the
    cards that are left, so they need not be dealt.
    """
    placed = np.zeros(DECK, np.int32)  # 1: this card is already placed
    for place in range(state.held[seat] if seat >= 0 else 0):
        if state.hands[seat, place] < BACK * TOTALS:  # a card just drawn may still show its back
            placed[state.hands[seat, place]] = 1
    for place in range(state.discarded):
        placed[state.discards[place]] = 1
    drawn = 0
    for other in range(state.seats):
        if other != seat:
            hand = state.hands[other]
            turn_over(hand, state.held[other])
            for place in range(state.held[other]):
                hand[place] = _draw_one(layout, placed, luck, drawn, hand[place] % TOTALS)
                drawn += 1
            sort_cards(hand, state.held[other])


@kernel
def _draw_one(layout: Record, placed: Ints, luck: np.uint64, drawn: int, number: int) -> int:
    """Draw a card with a given number that is not placed yet, and mark it as placed."""
    count = 0
    for place in range(layout.deck_size):
        card = layout.deck[place]
        if placed[card] == 0 and card % TOTALS == number:
            count += 1
    left = rng.randbelow_at(luck, drawn, count)
    for place in range(layout.deck_size):
        card = layout.deck[place]
        if placed[card] == 0 and card % TOTALS == number:
            if left == 0:
                placed[card] = 1
                return int(card)
            left -= 1
    return NO_CARD
