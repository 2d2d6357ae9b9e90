"""
What a seat may know: a copy of the state with everything hidden blanked out.

A seat sees neither other hands, nor the colors of the display and the pile's top card, nor anything below
it, nor what others have chosen in an open window, nor what chance has in store (K2, C3).
"""

from __future__ import annotations

from qwixx.kernel.jit import kernel
from qwixx.kernel.records import (
    BACK,
    CARDS,
    DISPLAY,
    HAND,
    NO_CARD,
    NO_CHOICE,
    OVER,
    TOTALS,
    Record,
    Records,
)


@kernel
def _back_of(card: int) -> int:
    """Give a card as it looks from behind: its number without its color (K1)."""
    return card if card == NO_CARD else BACK * TOTALS + card % TOTALS


@kernel
def redact(layout: Record, states: Records, index: int, copies: Records, at: int, seat: int) -> None:
    """Copy a state as seen by a seat; seat -1 is a spectator. When the game is over all cards lie open."""
    copies[at] = states[index]
    copy = copies[at]
    copy.rng = 0
    for other in range(copy.seats):
        if other != seat:
            copy.choices[other] = NO_CHOICE
    if layout.flow != CARDS or copy.phase == OVER:
        return
    for other in range(copy.seats):
        if other != seat:
            for place in range(HAND):
                copy.hands[other, place] = NO_CARD
    for place in range(DISPLAY):
        copy.display[place] = _back_of(copy.display[place])
    for place in range(len(copy.pile)):
        is_top = place == copy.pile_size - 1
        copy.pile[place] = _back_of(copy.pile[place]) if is_top else NO_CARD
    # Everybody saw the discards when they were played; their order says nothing once they are sorted.
    copy.discards[: copy.discarded].sort()
