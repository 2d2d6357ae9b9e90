"""
The card game: decisions by a net.

The active seat evaluates the number for all together with the play that follows it. Each seat assumes that the others
make the choices that are worst for it (K4); hands of others are never used.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.jit.decorators import inlined, kernel
from qwixx.kernel import cards, window
from qwixx.kernel.afterstates import legal_after, sheet_after, state_after
from qwixx.kernel.flow import ending_of, number_for_all, score
from qwixx.kernel.state.records import DRAW, HAND, JOKER, OVER, PASS, PLAY, TOTALS, Ints, Record
from qwixx.nets.hand_features import NUMBER_OVER, TURN, begin_hand_evaluation, evaluate_cards, evaluate_hand
from qwixx.nets.network import WIN, ZERO, LoadedNet
from qwixx.nets.noise import action_noise
from qwixx.nets.scratch import AFTER_PLAY, AFTER_TURN, AFTER_WHITE, NOW, WORST, logit_of_scores

_ENOUGH: Final = 6
"""How many ways to color the drawn cards are enough to evaluate a draw."""


@kernel
def _win_logit(net: LoadedNet, at: int, seat: int, kind: int) -> np.float32:
    """Return the logit of a seat's win probability in a state of the scratch memory."""
    scratch = net.scratch
    state = scratch.states[at]
    if state.phase == OVER or ending_of(net.layout, state):
        for other in range(state.seats):
            scratch.scores[other] = score(net.layout, state, other)
        return logit_of_scores(scratch.scores, state.seats, seat)
    evaluate_cards(net, state, state.seats, seat, kind)
    return np.float32(scratch.buffers.outputs[WIN])


@kernel
def _noise_logit(scratch: Record, seat: int, action: int) -> np.float32:
    """Return the error of a seat about an action, as a logit."""
    noise = scratch.noise[seat]
    if noise > ZERO:
        return np.float32(noise * action_noise(scratch, scratch.states[NOW], seat, action))
    return ZERO


@kernel
def _collect_unseen(layout: Record, state: Record, seat: int, unseen: Ints) -> None:
    """Collect the cards that a seat has not seen, as masks by color: all but its own and the played ones (K2)."""
    unseen[:] = 0
    for place in range(layout.deck_size):
        unseen[layout.deck[place] // TOTALS] |= 1 << layout.deck[place] % TOTALS
    for place in range(state.held[seat]):
        unseen[state.hands[seat, place] // TOTALS] &= ~(1 << state.hands[seat, place] % TOTALS)
    for place in range(state.discarded):
        unseen[state.discards[place] // TOTALS] &= ~(1 << state.discards[place] % TOTALS)


@inlined
def _colors_of(unseen: Ints) -> int:
    """Return how many colors an unseen card can have: with a joker among them, one more."""
    return JOKER + int(unseen[JOKER] != 0)


@kernel
def _assign_colors(hand: Ints, first: int, held: int, way: int, remainder: int, unseen: Ints) -> bool:
    """
    Assign colors to the cards of a hand from index `first` on, seen from behind before; return whether it is possible.

    `way` encodes all colors but the last. The last one makes the sum of all colors congruent to `remainder`.
    """
    colors = _colors_of(unseen)
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
def _draw_logit(net: LoadedNet, seat: int, backs: int) -> np.float32:
    """
    Return the logit of a state with `backs` cards drawn: the mean over the colors that they can have (K3).

    Several cards have more combinations of colors than there is time for. So only those are evaluated whose colors have
    a given sum modulo the number of colors: each color of a card occurs equally often, and with all colors of another.
    """
    scratch = net.scratch
    drawn = scratch.states[AFTER_TURN]
    held = drawn.held[seat]
    colors = _colors_of(scratch.unseen_cards)
    total = ZERO
    count = 0
    ways = 1
    for _ in range(backs - 1):
        ways *= colors
    begin_hand_evaluation(net, drawn, drawn.seats, seat, NUMBER_OVER)
    for remainder in range(colors):
        for way in range(ways):
            if _assign_colors(drawn.hands[seat], held - backs, held, way, remainder, scratch.unseen_cards):
                evaluate_hand(net, drawn, drawn.seats, seat, NUMBER_OVER)
                total += scratch.buffers.outputs[WIN]
                count += 1
        if count >= _ENOUGH:
            break
    return np.float32(total / np.float32(max(count, 1)))


@kernel
def _draw(net: LoadedNet, seat: int) -> int:
    """Choose the draw with the highest value, over all colors that it can have (K3)."""
    scratch = net.scratch
    _collect_unseen(net.layout, scratch.states[NOW], seat, scratch.unseen_cards)
    backs = HAND - scratch.states[NOW].held[seat]
    menu = scratch.option_menu
    count = cards.draw_legal(scratch.states[NOW], seat, menu)
    best = menu.actions[0]
    highest = WORST
    for index in range(count):
        state_after(net.layout, scratch.states, NOW, seat, menu.actions[index], scratch.states, AFTER_TURN)
        value = _draw_logit(net, seat, backs)
        scratch.option_values[index] = value
        value += _noise_logit(scratch, seat, menu.actions[index])
        if value > highest:
            highest = value
            best = menu.actions[index]
    return int(best)


@kernel
def _play_logit(net: LoadedNet, at: int, seat: int) -> np.float32:
    """Return the logit of a state in which a seat is about to play: that after its best play (K5)."""
    scratch = net.scratch
    menu = scratch.next_menu
    count = cards.play_legal(net.layout, scratch.states[at], seat, menu)
    highest = WORST
    crossing = 0
    for index in range(count):
        crossing += int(cards.crosses_of(menu.actions[index]) > 0)
    for index in range(count):
        if crossing and cards.crosses_of(menu.actions[index]) == 0:  # hardly ever better than a cross
            continue
        legal_after(net.layout, scratch.states, at, seat, menu.actions[index], scratch.states, AFTER_PLAY)
        highest = max(highest, _win_logit(net, AFTER_PLAY, seat, TURN))
    return np.float32(highest)


@kernel
def _use_number(net: LoadedNet, seat: int, asked: int) -> int:
    """
    Return what a seat does with the number for all, from the view of the seat `asked`.

    That seat does what is best for it; it assumes that others do what is worst for it (K4).
    """
    layout, scratch = net.layout, net.scratch
    now = scratch.states[NOW]
    menu = scratch.option_menu
    count = window.offers(layout, now.sheets[seat], 0, number_for_all(now), menu)
    is_planned = seat == asked and seat == now.active
    best = PASS
    highest = WORST
    for index in range(count if count > 1 else 0):
        action = menu.actions[index]
        scratch.states[AFTER_TURN] = scratch.states[AFTER_WHITE]
        after = scratch.states[AFTER_TURN]
        sheet_after(layout, now.sheets[seat], 0, action, after.sheets, seat)
        if seat == now.active:
            after.crossed = int(action != PASS)
        if is_planned and not ending_of(layout, after):
            after.phase = PLAY
            after.waiting = 1 << seat
            value = _play_logit(net, AFTER_TURN, seat)
        else:
            value = _win_logit(net, AFTER_TURN, asked, NUMBER_OVER)
        scratch.option_values[index] = value
        value = value + _noise_logit(scratch, seat, action) if seat == asked else -value
        if value > highest:
            highest = value
            best = action
    sheet_after(layout, now.sheets[seat], 0, best, scratch.states[AFTER_WHITE].sheets, seat)
    if seat == now.active:
        scratch.states[AFTER_WHITE].crossed = int(best != PASS)
    return int(best)


@kernel
def _play(net: LoadedNet, seat: int) -> int:
    """Choose the play with the highest value (K5)."""
    scratch = net.scratch
    menu = scratch.option_menu
    count = cards.play_legal(net.layout, scratch.states[NOW], seat, menu)
    best = menu.actions[0]
    highest = WORST
    for index in range(count):
        legal_after(net.layout, scratch.states, NOW, seat, menu.actions[index], scratch.states, AFTER_TURN)
        value = _win_logit(net, AFTER_TURN, seat, TURN)
        scratch.option_values[index] = value
        value += _noise_logit(scratch, seat, menu.actions[index])
        if value > highest:
            highest = value
            best = menu.actions[index]
    return int(best)


@kernel
def decide_with_cards(net: LoadedNet, state: Record, asked: int, choices: Ints) -> None:
    """Decide for the seats in the mask `asked`; each uses its own hand and no other."""
    net.scratch.states[NOW] = state
    if state.phase == DRAW:
        choices[state.active] = _draw(net, state.active)
    elif state.phase == PLAY:
        choices[state.active] = _play(net, state.active)
    else:
        for seat in range(state.seats):
            if asked >> seat & 1:
                net.scratch.states[AFTER_WHITE] = state
                for other in range(state.seats):
                    if other != seat:
                        _use_number(net, other, seat)
                choices[seat] = _use_number(net, seat, seat)
