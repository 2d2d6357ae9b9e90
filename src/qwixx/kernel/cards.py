"""
The card game: dealing, drawing from the display, the number for all, and playing cards of one color.

A card's code is its color times TOTALS plus its number; jokers have a separate color. The pile's top card
is the last in `state.pile`. Hands are sorted, so that an action's integer has one meaning.
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel import paper, window
from qwixx.kernel.state.bitmasks import count_bits
from qwixx.kernel.state.event_log import PACK, PLAYED, TOOK, EventLog, append_event
from qwixx.kernel.state.records import (
    CELLS,
    COLORS,
    CROSSINGS,
    DISPLAY,
    HAND,
    JOKER,
    NO_CARD,
    PLAYS,
    POSITIONS,
    SHEET,
    SUBSETS,
    TAKES,
    TOTALS,
    Ints,
    Record,
)
from qwixx.kernel.state.refusals import (
    ALLOWED,
    BAD_DECK,
    COLORS_DIFFER,
    NO_SUCH_CELL,
    NOT_IN_HAND,
    NOT_PLAYED,
    TOO_MANY_LEFT_OUT,
    WRONG_NUMBER_OF_CARDS,
)
from qwixx.kernel.state.rng import randbelow

_SUBSETS = np.array(SUBSETS, np.int32)
_ANY_COLOR = -1
_MIXED = -2
_NOT_HELD = -3


# ---- chance


@kernel
def shuffle(cards: Ints, size: int, state: Record) -> None:
    """Shuffle the first cards of an array (K2, K3)."""
    for last in range(size - 1, 0, -1):
        other = randbelow(state, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


@kernel
def deck_refusal(wanted: Ints, wanted_size: int, deck: Ints, size: int) -> int:
    """Return BAD_DECK unless a scripted deck has exactly the wanted cards, in any order; else ALLOWED."""
    if size != wanted_size:
        return BAD_DECK
    for index in range(size):
        surplus = 0
        for other in range(size):
            surplus += int(deck[other] == deck[index]) - int(wanted[other] == deck[index])
        if surplus != 0:
            return BAD_DECK
    return ALLOWED


@kernel
def deal(layout: Record, state: Record, deck: Ints) -> None:
    """Deal the hands and the display; the rest is the pile, backs up (K2)."""
    at = 0
    for seat in range(state.seats):
        state.held[seat] = 0
        for _ in range(layout.dealt):
            hold(state, seat, deck[at])
            at += 1
    for place in range(DISPLAY):
        state.display[place] = deck[at]
        at += 1
    state.discarded = 0
    stack_pile(state, deck[at : layout.deck_size])


@kernel
def stack_pile(state: Record, cards: Ints) -> None:
    """Make these cards the pile, the first of them on top."""
    size = len(cards)
    for index in range(size):
        state.pile[size - 1 - index] = cards[index]
    state.pile_size = size


@kernel
def fill_display(state: Record) -> bool:
    """Fill the display from the pile; return whether the pile still has a top card (K3)."""
    for place in range(DISPLAY):
        if state.display[place] == NO_CARD and state.pile_size > 0:
            state.pile_size -= 1
            state.display[place] = state.pile[state.pile_size]
    return bool(state.pile_size > 0)


@kernel
def number_for_all(state: Record) -> int:
    """Return the number on top of the pile (K4), 0 if the pile is empty."""
    return int(state.pile[state.pile_size - 1] % TOTALS) if state.pile_size > 0 else 0


# ---- drawing


@kernel
def hold(state: Record, seat: int, card: int) -> None:
    """Insert a card into the sorted hand."""
    hand = state.hands[seat]
    at = state.held[seat]
    while at > 0 and hand[at - 1] > card:
        hand[at] = hand[at - 1]
        at -= 1
    hand[at] = card
    state.held[seat] += 1


@kernel
def draw_refusal(state: Record, seat: int, action: int) -> int:
    """Return ALLOWED if a draw fills the hand to five cards (K3), else the refusal."""
    wanted = HAND - state.held[seat]
    return ALLOWED if count_bits(action - TAKES) == wanted else WRONG_NUMBER_OF_CARDS


@kernel
def draw_legal(state: Record, seat: int, menu: Record) -> int:
    """Write the draws that fill the hand to five cards to the menu; return how many they are (K3)."""
    count = 0
    for action in range(TAKES, PLAYS):
        if draw_refusal(state, seat, action) == ALLOWED:
            menu.actions[count] = action
            count += 1
    return count


@kernel
def draw(state: Record, seat: int, action: int, log: EventLog) -> None:
    """Take cards from the display into the hand; all seats see their numbers (K3)."""
    packed = 0
    scale = 1
    for place in range(DISPLAY):
        if action - TAKES >> place & 1:
            card = state.display[place]
            packed += (card % TOTALS + 1) * scale
            scale *= PACK
            hold(state, seat, card)
            state.display[place] = NO_CARD
    append_event(log, TOOK, seat, packed, 0)


# ---- playing


@kernel
def find_play(layout: Record, hand: Ints, played: Ints, crossed: Ints) -> int:
    """
    Return the action that plays these cards of a hand and crosses these cells, both in order (K5, K9).

    If there is none, return the negative refusal. A joker takes the color of the other cards, or of the cells.
    """
    places = 0
    color = COLORS
    for card in played:
        place = 0
        while place < len(hand) and hand[place] != card:
            place += 1
        if place == len(hand):
            return -NOT_IN_HAND
        places |= 1 << place
        if card // TOTALS != JOKER:
            color = min(color, card // TOTALS)
    subset = 0
    while subset < len(_SUBSETS) and _SUBSETS[subset] != places:
        subset += 1
    if subset == len(_SUBSETS):
        return -WRONG_NUMBER_OF_CARDS
    if color == COLORS:
        for cell in crossed:
            color = min(color, layout.color[cell // POSITIONS, cell % POSITIONS])
        color %= COLORS
    crosses = 0
    for cell in crossed:
        row, position = cell // POSITIONS, cell % POSITIONS
        which = 0
        while which < len(played) and played[which] % TOTALS != layout.value[row, position]:
            which += 1
        if which == len(played) or layout.color[row, position] != color:
            return -NOT_PLAYED
        crosses |= 1 << which
    return int(PLAYS + (subset * COLORS + color) * CROSSINGS + crosses)


@kernel
def crosses_of(action: int) -> int:
    """Return which of the played cards of an action are crossed, as a mask."""
    return (action - PLAYS) % CROSSINGS


@kernel
def color_of(action: int) -> int:
    """Return the color in which an action plays its cards."""
    return (action - PLAYS) // CROSSINGS % COLORS


@kernel
def places_of(action: int) -> int:
    """Return the places of the cards in the hand that an action plays, as a mask."""
    return int(_SUBSETS[(action - PLAYS) // (CROSSINGS * COLORS)])


@kernel
def _color_played(state: Record, seat: int, places: int) -> int:
    """Return the color that the chosen cards share; jokers take any (K5, K9)."""
    color = _ANY_COLOR
    for place in range(HAND):
        if places >> place & 1:
            if place >= state.held[seat]:
                return _NOT_HELD
            own = state.hands[seat, place] // TOTALS
            if own != JOKER:
                if color not in (_ANY_COLOR, own):
                    return _MIXED
                color = own
    return color


@kernel
def crossed_after(layout: Record, state: Record, seat: int, places: int, color: int, crosses: int, after: int) -> int:
    """Return the next cell, in the order of the sheet, that these cards cross; CELLS for none."""
    best = CELLS
    card = 0
    for place in range(HAND):
        if places >> place & 1:
            if crosses >> card & 1:
                cell = layout.color_spots[color, state.hands[seat, place] % TOTALS]
                if after < cell < best:
                    best = cell
            card += 1
    return best


@kernel
def _crosses_refusal(state: Record, seat: int, places: int, crosses: int, layout: Record, color: int) -> int:
    """Check that only played numbers are crossed, each once: a joker and a card of its number cross one cell (K9)."""
    if crosses >> count_bits(places):
        return NOT_PLAYED
    card = 0
    seen = 0
    for place in range(HAND):
        if places >> place & 1:
            number = state.hands[seat, place] % TOTALS
            if crosses >> card & 1:
                if seen >> number & 1:
                    return NOT_PLAYED
                if layout.color_spots[color, number] < 0:
                    return NO_SUCH_CELL
            seen |= 1 << number
            card += 1
    return ALLOWED


@kernel
def play_refusal(layout: Record, state: Record, seat: int, action: int) -> int:
    """
    Return why these cards cannot be played and crossed, or ALLOWED (K5, K7, K9, K10).

    The crosses are made from left to right on a copy of the sheet, so that crosses of the same action count toward the
    five that closing a row needs.
    """
    crosses = crosses_of(action)
    color = color_of(action)
    places = places_of(action)
    shared = _color_played(state, seat, places)
    if shared == _NOT_HELD:
        return NOT_IN_HAND
    # Jokers that cross nothing need no color: of the four equal actions only one is legal.
    if shared == _MIXED or (shared == _ANY_COLOR and crosses == 0 and color != 0):
        return COLORS_DIFFER
    if shared not in (_ANY_COLOR, color):
        return COLORS_DIFFER
    if crosses == 0:
        return ALLOWED
    reason = _crosses_refusal(state, seat, places, crosses, layout, color)
    if reason != ALLOWED:
        return reason
    copy = np.empty(1, SHEET)
    copy[0] = state.sheets[seat]
    first = cell = crossed_after(layout, state, seat, places, color, crosses, -1)
    last = first
    while cell < CELLS:
        reason = paper.refuses(layout, copy[0], state.closed, cell // POSITIONS, cell % POSITIONS)
        if reason != ALLOWED:
            return reason
        paper.mark(layout, copy[0], seat, cell // POSITIONS, cell % POSITIONS, None)
        last = cell
        cell = crossed_after(layout, state, seat, places, color, crosses, cell)
    if layout.left_out >= 0 and last - first + 1 - count_bits(crosses) > layout.left_out:
        return TOO_MANY_LEFT_OUT
    return ALLOWED


@kernel
def play_legal(layout: Record, state: Record, seat: int, menu: Record) -> int:
    """Write the plays of one to three cards to the menu, with every legal set of crosses; return how many."""
    count = 0
    for subset in range(len(_SUBSETS)):
        shared = _color_played(state, seat, _SUBSETS[subset])
        if shared < _ANY_COLOR:
            continue
        # Skip other colors and more crosses than cards: they would be refused, and the check is slow.
        first, last = (0, COLORS) if shared == _ANY_COLOR else (shared, shared + 1)
        for color in range(first, last):
            for crosses in range(1 << count_bits(_SUBSETS[subset])):
                action = PLAYS + (subset * COLORS + color) * CROSSINGS + crosses
                if play_refusal(layout, state, seat, action) == ALLOWED:
                    menu.actions[count] = action
                    count += 1
    return count


@kernel
def play(layout: Record, state: Record, seat: int, action: int, log: EventLog) -> None:
    """Play the cards, cross their numbers from left to right, and discard them (K5)."""
    crosses = crosses_of(action)
    color = color_of(action)
    places = places_of(action)
    packed = 0
    scale = 1
    for place in range(HAND):
        if places >> place & 1:
            packed += (state.hands[seat, place] + 1) * scale
            scale *= PACK
    append_event(log, PLAYED, seat, packed, 0)
    cell = crossed_after(layout, state, seat, places, color, crosses, -1)
    while cell < CELLS:
        window.apply_decision(layout, state, seat, cell, log)
        cell = crossed_after(layout, state, seat, places, color, crosses, cell)
    kept = 0
    for place in range(state.held[seat]):
        card = state.hands[seat, place]
        if places >> place & 1:
            state.discards[state.discarded] = card
            state.discarded += 1
        else:
            state.hands[seat, kept] = card
            kept += 1
    for place in range(kept, HAND):
        state.hands[seat, place] = NO_CARD
    state.held[seat] = kept
