"""
The card game: dealing, drawing from the display, the number for all, and playing cards of one color.

A card's code is its color times TOTALS plus its number; a joker has a color of its own. The pile's top card
stands last in `state.pile`. Hands are kept sorted, so that an action's integer means the same to everybody.
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel import paper, window
from qwixx.kernel.jit import kernel
from qwixx.kernel.masks import count_bits
from qwixx.kernel.records import (
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
from qwixx.kernel.refusals import (
    ALLOWED,
    BAD_DECK,
    COLORS_DIFFER,
    NO_SUCH_CELL,
    NOT_IN_HAND,
    NOT_PLAYED,
    TOO_MANY_LEFT_OUT,
    WRONG_NUMBER_OF_CARDS,
)
from qwixx.kernel.rng import below
from qwixx.kernel.trail import PACK, PLAYED, TOOK, Trail, note

_SUBSETS = np.array(SUBSETS, np.int32)
_ANY_COLOR = -1
_MIXED = -2
_NOT_HELD = -3


# ---- chance


@kernel
def shuffle(cards: Ints, size: int, state: Record) -> None:
    """Shuffle the first cards of an array (K2, K3)."""
    for last in range(size - 1, 0, -1):
        other = below(state, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


@kernel
def deck_refusal(wanted: Ints, wanted_size: int, deck: Ints, size: int) -> int:
    """Check that a scripted deck has exactly the cards it should have, in any order."""
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
    """Deal the hands, lay out the display, and leave the rest as the pile, backs up (K2)."""
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
    """Fill the display from the pile; give whether the pile still has a top card to show (K3)."""
    for place in range(DISPLAY):
        if state.display[place] == NO_CARD and state.pile_size > 0:
            state.pile_size -= 1
            state.display[place] = state.pile[state.pile_size]
    return bool(state.pile_size > 0)


@kernel
def number_for_all(state: Record) -> int:
    """Read the number on top of the pile (K4), 0 if the pile is empty."""
    return int(state.pile[state.pile_size - 1] % TOTALS) if state.pile_size > 0 else 0


# ---- drawing


@kernel
def hold(state: Record, seat: int, card: int) -> None:
    """Take a card into the hand, in its sorted place."""
    hand = state.hands[seat]
    at = state.held[seat]
    while at > 0 and hand[at - 1] > card:
        hand[at] = hand[at - 1]
        at -= 1
    hand[at] = card
    state.held[seat] += 1


@kernel
def draw_refusal(state: Record, seat: int, action: int) -> int:
    """Check that a draw brings the hand to five cards (K3)."""
    wanted = HAND - state.held[seat]
    return ALLOWED if count_bits(action - TAKES) == wanted else WRONG_NUMBER_OF_CARDS


@kernel
def draw_legal(state: Record, seat: int, menu: Record) -> int:
    """List the ways to draw up to five cards."""
    count = 0
    for action in range(TAKES, PLAYS):
        if draw_refusal(state, seat, action) == ALLOWED:
            menu.actions[count] = action
            count += 1
    return count


@kernel
def draw(state: Record, seat: int, action: int, trail: Trail) -> None:
    """Take cards from the display; everybody sees their numbers (K3)."""
    packed = 0
    scale = 1
    for place in range(DISPLAY):
        if action - TAKES >> place & 1:
            card = state.display[place]
            packed += (card % TOTALS + 1) * scale
            scale *= PACK
            hold(state, seat, card)
            state.display[place] = NO_CARD
    note(trail, TOOK, seat, packed, 0)


# ---- playing


@kernel
def find_play(layout: Record, hand: Ints, played: Ints, crossed: Ints) -> int:
    """
    Find the action that plays these cards of a hand and crosses these cells, all of them in order (K5, K9).

    Where no action does, the reason comes back as a negative number. A joker takes the color of the other cards, or of
    the cells.
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
    """Give which of the cards that an action plays are crossed, as a mask."""
    return (action - PLAYS) % CROSSINGS


@kernel
def color_of(action: int) -> int:
    """Give the color in which an action plays its cards."""
    return (action - PLAYS) // CROSSINGS % COLORS


@kernel
def places_of(action: int) -> int:
    """Give the places of the hand whose cards an action plays, as a mask."""
    return int(_SUBSETS[(action - PLAYS) // (CROSSINGS * COLORS)])


@kernel
def _color_played(state: Record, seat: int, places: int) -> int:
    """Find the color that the chosen cards share; jokers take any (K5, K9)."""
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
    """Find the next cell, in the order of the sheet, that these cards cross; CELLS and more for none."""
    best = 1000
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
    """Check that only played numbers are crossed, each once: a joker and its double cross one cell (K9)."""
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
    Say why these cards cannot be played and crossed so, or ALLOWED (K5, K7, K9, K10).

    The crosses are tried out from left to right on a copy of the sheet, so that crosses of the same action
    count toward the five that closing needs.
    """
    crosses = crosses_of(action)
    color = color_of(action)
    places = places_of(action)
    shared = _color_played(state, seat, places)
    if shared == _NOT_HELD:
        return NOT_IN_HAND
    # Jokers that cross nothing need no color: one action stands for all four.
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
    while cell < 1000:
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
    """List the ways to play one to three cards and cross none, some or all of their numbers."""
    count = 0
    for subset in range(len(_SUBSETS)):
        shared = _color_played(state, seat, _SUBSETS[subset])
        if shared < _ANY_COLOR:
            continue
        # Other colors and more crosses than cards would be refused: asking is what takes the time here.
        first, last = (0, COLORS) if shared == _ANY_COLOR else (shared, shared + 1)
        for color in range(first, last):
            for crosses in range(1 << count_bits(_SUBSETS[subset])):
                action = PLAYS + (subset * COLORS + color) * CROSSINGS + crosses
                if play_refusal(layout, state, seat, action) == ALLOWED:
                    menu.actions[count] = action
                    count += 1
    return count


@kernel
def play(layout: Record, state: Record, seat: int, action: int, trail: Trail) -> None:
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
    note(trail, PLAYED, seat, packed, 0)
    cell = crossed_after(layout, state, seat, places, color, crosses, -1)
    while cell < 1000:
        window.carry_out(layout, state, seat, cell, trail)
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
