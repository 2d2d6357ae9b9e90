"""
The card game: decisions that follow from what a net says about hands.

The active seat weighs the number for all together with the play that comes after it: what is left then is valued. Of
the others' choices everybody guesses what is worst for itself (K4); hands of others are never looked at.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel import cards, window
from qwixx.kernel.after import legal_after, sheet_after, state_after
from qwixx.kernel.flow import ending_of, number_for_all, score
from qwixx.kernel.jit import kernel
from qwixx.kernel.records import DRAW, HAND, JOKER, OVER, PASS, PLAY, TOTALS, Ints, Record
from qwixx.learn.bench import AFTER_PLAY, AFTER_TURN, AFTER_WHITE, NOW, WORST, worth_of_scores
from qwixx.learn.hand import NUMBER_OVER, TURN, begin_table, look_at_hand, look_at_table
from qwixx.learn.net import NOTHING, WIN, Floats
from qwixx.learn.noise import error_about_action

_ENOUGH: Final = 6
"""Ways in which cards just drawn have their colors, by which a draw is judged."""


@kernel
def _worth(
    layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, at: int, seat: int, kind: int
) -> np.float32:
    """Tell what a state on the bench is worth to a seat: the logit of its chance of winning."""
    state = bench.states[at]
    if state.phase == OVER or ending_of(layout, state):
        for other in range(state.seats):
            bench.scores[other] = score(layout, state, other)
        return worth_of_scores(bench.scores, state.seats, seat)
    look_at_table(layout, inputs, tables, layers, bench, state, state.seats, seat, kind)
    return np.float32(bench.desk.outputs[WIN])


@kernel
def _error(bench: Record, seat: int, action: int) -> np.float32:
    """Tell by how much a seat misjudges what an action leaves, as a logit."""
    noise = bench.noise[seat]
    if noise > NOTHING:
        return np.float32(noise * error_about_action(bench, bench.states[NOW], seat, action))
    return NOTHING


@kernel
def _note_unseen(layout: Record, state: Record, seat: int, unseen: Ints) -> None:
    """Note the cards that a seat has not seen, numbers by color as masks: all but its own and those played (K2)."""
    unseen[:] = 0
    for place in range(layout.deck_size):
        unseen[layout.deck[place] // TOTALS] |= 1 << layout.deck[place] % TOTALS
    for place in range(state.held[seat]):
        unseen[state.hands[seat, place] // TOTALS] &= ~(1 << state.hands[seat, place] % TOTALS)
    for place in range(state.discarded):
        unseen[state.discards[place] // TOTALS] &= ~(1 << state.discards[place] % TOTALS)


@kernel
def _turn_up(hand: Ints, first: int, held: int, way: int, remainder: int, colors: int, unseen: Ints) -> bool:
    """
    Give the cards of a hand from a place on, seen from behind so far, colors in one of many ways; False: none.

    The way says all colors but the last, which is such that they leave a remainder when added up.
    """
    for place in range(first, held):
        color = way % colors if place < held - 1 else remainder
        way //= colors
        remainder = (remainder - color) % colors
        number = hand[place] % TOTALS
        if not unseen[color] >> number & 1:
            return False
        hand[place] = color * TOTALS + number
        for before in range(first, place):
            if hand[before] == hand[place]:
                return False
    return True


@kernel
def _worth_of_draw(
    layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, seat: int, backs: int
) -> np.float32:
    """
    Tell what a state with so many cards drawn is worth: the mean over colors that they can have (K3).

    Several cards have their colors in more ways than there is time for: those are taken that leave a remainder when
    added up, so that every color of a card comes as often as another, and with all colors of a second one.
    """
    drawn = bench.states[AFTER_TURN]
    held = drawn.held[seat]
    colors = JOKER + int(bench.unseen_cards[JOKER] != 0)
    total = NOTHING
    count = 0
    ways = 1
    for _ in range(backs - 1):
        ways *= colors
    begin_table(layout, inputs, tables, bench, drawn, drawn.seats, seat, NUMBER_OVER)
    for remainder in range(colors):
        for way in range(ways):
            if _turn_up(drawn.hands[seat], held - backs, held, way, remainder, colors, bench.unseen_cards):
                look_at_hand(layout, inputs, tables, layers, bench, drawn, drawn.seats, seat, NUMBER_OVER)
                total += bench.desk.outputs[WIN]
                count += 1
        if count >= _ENOUGH:
            break
    return np.float32(total / np.float32(max(count, 1)))


@kernel
def _draw(layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, seat: int) -> int:
    """Draw what is worth most, whatever its colors turn out to be (K3)."""
    _note_unseen(layout, bench.states[NOW], seat, bench.unseen_cards)
    backs = HAND - bench.states[NOW].held[seat]
    menu = bench.white_menu
    count = cards.draw_legal(bench.states[NOW], seat, menu)
    best = menu.actions[0]
    highest = WORST
    for index in range(count):
        state_after(layout, bench.states, NOW, seat, menu.actions[index], bench.states, AFTER_TURN)
        value = _worth_of_draw(layout, inputs, tables, layers, bench, seat, backs)
        bench.white_worths[index] = value
        value += _error(bench, seat, menu.actions[index])
        if value > highest:
            highest = value
            best = menu.actions[index]
    return int(best)


@kernel
def _worth_of_play(
    layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, at: int, seat: int
) -> np.float32:
    """Tell what a state on the bench, in which a seat is to play, is worth to it: what its best play leaves (K5)."""
    menu = bench.color_menu
    count = cards.play_legal(layout, bench.states[at], seat, menu)
    highest = WORST
    crossing = 0
    for index in range(count):
        crossing += int(cards.crosses_of(menu.actions[index]) > 0)
    for index in range(count):
        if crossing and cards.crosses_of(menu.actions[index]) == 0:  # hardly ever better than a cross
            continue
        legal_after(layout, bench.states, at, seat, menu.actions[index], bench.states, AFTER_PLAY)
        highest = max(highest, _worth(layout, inputs, tables, layers, bench, AFTER_PLAY, seat, TURN))
    return np.float32(highest)


@kernel
def _use_number(
    layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, seat: int, asked: int
) -> int:
    """
    Find what a seat does with the number for all, as it looks to the seat that is asked.

    The one who is asked does what is best for it; others are guessed to do what is worst for it (K4).
    """
    now = bench.states[NOW]
    menu = bench.white_menu
    count = window.offers(layout, now.sheets[seat], 0, number_for_all(now), menu)
    is_planned = seat == asked and seat == now.active
    best = PASS
    highest = WORST
    for index in range(count if count > 1 else 0):
        action = menu.actions[index]
        bench.states[AFTER_TURN] = bench.states[AFTER_WHITE]
        after = bench.states[AFTER_TURN]
        sheet_after(layout, now.sheets[seat], 0, action, after.sheets, seat)
        if seat == now.active:
            after.crossed = int(action != PASS)
        if is_planned and not ending_of(layout, after):
            after.phase = PLAY
            after.waiting = 1 << seat
            value = _worth_of_play(layout, inputs, tables, layers, bench, AFTER_TURN, seat)
        else:
            value = _worth(layout, inputs, tables, layers, bench, AFTER_TURN, asked, NUMBER_OVER)
        bench.white_worths[index] = value
        value = value + _error(bench, seat, action) if seat == asked else -value
        if value > highest:
            highest = value
            best = action
    sheet_after(layout, now.sheets[seat], 0, best, bench.states[AFTER_WHITE].sheets, seat)
    if seat == now.active:
        bench.states[AFTER_WHITE].crossed = int(best != PASS)
    return int(best)


@kernel
def _play(layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, seat: int) -> int:
    """Play the cards that leave most (K5)."""
    menu = bench.white_menu
    count = cards.play_legal(layout, bench.states[NOW], seat, menu)
    best = menu.actions[0]
    highest = WORST
    for index in range(count):
        legal_after(layout, bench.states, NOW, seat, menu.actions[index], bench.states, AFTER_TURN)
        value = _worth(layout, inputs, tables, layers, bench, AFTER_TURN, seat, TURN)
        bench.white_worths[index] = value
        value += _error(bench, seat, menu.actions[index])
        if value > highest:
            highest = value
            best = menu.actions[index]
    return int(best)


@kernel
def decide_with_cards(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    state: Record,
    bench: Record,
    asked: int,
    choices: Ints,
) -> None:
    """Decide for the seats that are asked now, a mask; each looks at its own hand and no other."""
    bench.states[NOW] = state
    if state.phase == DRAW:
        choices[state.active] = _draw(layout, inputs, tables, layers, bench, state.active)
    elif state.phase == PLAY:
        choices[state.active] = _play(layout, inputs, tables, layers, bench, state.active)
    else:
        for seat in range(state.seats):
            if asked >> seat & 1:
                bench.states[AFTER_WHITE] = state
                for other in range(state.seats):
                    if other != seat:
                        _use_number(layout, inputs, tables, layers, bench, other, seat)
                choices[seat] = _use_number(layout, inputs, tables, layers, bench, seat, seat)
