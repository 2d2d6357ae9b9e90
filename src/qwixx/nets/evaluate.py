"""
Values of all actions of all seats that decide, by a net: compiled code, for Python and for the page.

The value of an action for a seat is the net's value of the position at the end of the turn, if all other deciding seats
choose what is best for them and the rest of the turn is played as the net would play it. In a window this is an
equilibrium: each seat's choice is the best reply to the choices of the others. With cards the colors of other
hands, of which a seat sees only the backs, are dealt many times, and the mean is used; so each seat's win probability
depends only on what it can see. In solitaire values are points.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.jit.decorators import borrowed, entry, kernel
from qwixx.kernel import flow
from qwixx.kernel.observe import redact
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import (
    CARDS,
    DEAL,
    DRAW,
    MENU,
    NO_CHOICE,
    NUMBER,
    PLAY,
    SEATS,
    STATE,
    Record,
    Records,
    record_type,
    type_int,
)
from qwixx.nets.deal_hidden import determinize_hands
from qwixx.nets.network import LoadedNet, NetArrays, sigmoid, type_float
from qwixx.nets.policy import decide
from qwixx.nets.value import value_state

_ROUNDS: Final = 4
"""Maximum rounds of best replies in a window."""
_BETTER: Final = 1e-6
_WORLDS: Final = 8
"""Cards: how often the hands of others are dealt for a decision about the number for all."""
_DEALS: Final = 64
"""Deals for the value of a card game before its cards are dealt."""
_SEED: Final = np.uint64(0x71A9)
_SURE: Final = np.float32(50.0)
"""Logits beyond this count as certain."""

_NOW, _TRIED, _WORLD, _STATES = range(4)
"""Indices of states: the window as it was opened, a tried action, a state with other hands; the number of states."""
WORKSPACE: Final = record_type(
    [
        ("values", np.float64, (SEATS,)),  # the position's value for each seat: win probability, in solitaire points
        ("points", np.float64, (SEATS,)),  # expected final points of each seat
        ("tried_values", np.float64, (SEATS,)),
        ("tried_points", np.float64, (SEATS,)),
        ("win_probabilities", type_float, (SEATS,)),
        ("means", type_float, (SEATS,)),
        ("profile", type_int, (SEATS,)),  # the current choice of each seat while others look for replies
        ("choices", type_int, (SEATS,)),
        ("best", type_int, (SEATS,)),  # the index of each seat's best option
        ("states", STATE, (_STATES,)),
        ("menu", MENU),
    ]
)
"""Memory for an evaluation, and its result for the position."""
CHOICE: Final = record_type(
    [
        ("values", np.float64, (SEATS,)),
        ("points", np.float64, (SEATS,)),
        ("seat", type_int),
        ("action", type_int),
    ]
)
"""One legal action of a seat, and its value for every seat."""
MOST_CHOICES: Final = 2048
"""More than any window has, all seats together."""


@kernel
def _evaluate_tried(net: LoadedNet, workspace: Record) -> None:
    """
    Compute the value of the tried state for each seat; its turn is played to the end first.

    With cards each seat's win probability depends on its own hand only; with dice the probabilities are scaled to add
    up to 1.
    """
    state = workspace.states[_TRIED]
    seats = state.seats
    value_state(net, state, workspace.win_probabilities, workspace.means)
    total = 0.0
    for seat in range(seats):
        total += np.float64(workspace.win_probabilities[seat])
    if net.layout.flow == CARDS or seats == 1:
        total = 1.0
    for seat in range(seats):
        workspace.tried_points[seat] = np.float64(workspace.means[seat])
        workspace.tried_values[seat] = (
            np.float64(workspace.win_probabilities[seat]) / total if seats > 1 else workspace.tried_points[seat]
        )


@kernel
def _store_tried(workspace: Record, choice: Record) -> None:
    """Store the values of the tried state in an option."""
    for seat in range(workspace.states[_NOW].seats):
        choice.values[seat] = workspace.tried_values[seat]
        choice.points[seat] = workspace.tried_points[seat]


@kernel
def _adopt(workspace: Record, choice: Record) -> None:
    """Use the values of an option as those of the position."""
    for seat in range(workspace.states[_NOW].seats):
        workspace.values[seat] = choice.values[seat]
        workspace.points[seat] = choice.points[seat]


# ---- choices


@kernel
def _list_choices(layout: Record, workspace: Record, options: Records, asked: int) -> int:
    """List the legal actions of all deciding seats, seat by seat; return how many there are."""
    now = workspace.states[_NOW]
    count = 0
    for seat in range(now.seats):
        if asked >> seat & 1:
            for index in range(flow.legal(layout, now, seat, workspace.menu.actions)):
                options[count].seat = seat
                options[count].action = workspace.menu.actions[index]
                count += 1
    return count


@kernel
def _apply_profile(layout: Record, workspace: Record, asked: int, own: int, action: int) -> None:
    """Apply the profile of choices, except for one seat that takes another action."""
    state = workspace.states[_TRIED]
    for seat in range(state.seats):
        if asked >> seat & 1:
            flow.decide(layout, state, seat, action if seat == own else workspace.profile[seat], None)


@kernel
def _find_best(workspace: Record, options: Records, count: int) -> None:
    """Find each seat's best option; of equal ones the first."""
    for seat in range(workspace.states[_NOW].seats):
        workspace.best[seat] = -1
    for index in range(count):
        seat = options[index].seat
        best = workspace.best[seat]
        if best < 0 or options[index].values[seat] > options[best].values[seat]:
            workspace.best[seat] = index


@kernel
def _adopt_own_best(workspace: Record, options: Records) -> None:
    """Use the value of its own best option as the position's value for each seat."""
    for seat in range(workspace.states[_NOW].seats):
        if workspace.best[seat] >= 0:
            workspace.values[seat] = options[workspace.best[seat]].values[seat]
            workspace.points[seat] = options[workspace.best[seat]].points[seat]


@kernel
def _better_reply(workspace: Record, options: Records, count: int) -> int:
    """Return the seat that gains most by deviating from the profile; -1 if none gains."""
    who = -1
    most = _BETTER
    for index in range(count):
        seat = options[index].seat
        if options[index].action == workspace.profile[seat]:
            best = options[workspace.best[seat]]
            gain = best.values[seat] - options[index].values[seat]
            if gain > most:
                most = gain
                who = seat
    return int(who)


@kernel
def _window_values(net: LoadedNet, workspace: Record, options: Records, count: int, asked: int) -> None:
    """Evaluate the actions of all seats that decide at the same time, each against the best replies of the others."""
    now = workspace.states[_NOW]
    is_single = asked & (asked - 1) == 0
    for seat in range(now.seats):
        if asked >> seat & 1 and not is_single:
            workspace.states[_TRIED] = now
            decide(net, workspace.states[_TRIED], 1 << seat, workspace.choices)
            workspace.profile[seat] = workspace.choices[seat]
    for _ in range(1 if is_single else _ROUNDS):
        for index in range(count):
            workspace.states[_TRIED] = now
            _apply_profile(net.layout, workspace, asked, options[index].seat, options[index].action)
            _evaluate_tried(net, workspace)
            _store_tried(workspace, options[index])
        _find_best(workspace, options, count)
        who = -1 if is_single else _better_reply(workspace, options, count)
        if who < 0:
            break
        workspace.profile[who] = options[workspace.best[who]].action
    _adopt(workspace, options[workspace.best[options[0].seat]])
    _adopt_own_best(workspace, options)


# ---- cards


@kernel
def _draw_win_probability(scratch: Record, place: int) -> float:
    """Return the win probability of a draw on the menu."""
    return float(sigmoid(np.float32(min(max(scratch.option_values[place], -_SURE), _SURE))))


@kernel
def _draw_values(net: LoadedNet, workspace: Record, options: Records, count: int) -> None:
    """
    Evaluate draws by the backs of their cards (K3); the net has no values of them for other seats.

    The net compares draws before any seat has used the number for all. So the best draw gets the value of the position,
    and the others are as far below it as the net says.
    """
    scratch = net.scratch
    now = workspace.states[_NOW]
    seat = now.active
    workspace.states[_TRIED] = now
    _evaluate_tried(net, workspace)
    for each in range(now.seats):
        workspace.values[each] = workspace.tried_values[each]
        workspace.points[each] = workspace.tried_points[each]
    redact(net.layout, workspace.states, _NOW, workspace.states, _TRIED, seat)
    decide(net, workspace.states[_TRIED], 1 << seat, workspace.choices)
    best = 0.0
    for place in range(count):
        best = max(best, _draw_win_probability(scratch, place))
    for index in range(count):
        _store_tried(workspace, options[index])
        for place in range(count):
            if scratch.option_menu.actions[place] == options[index].action:
                options[index].values[seat] = max(
                    0.0, workspace.values[seat] + _draw_win_probability(scratch, place) - best
                )


@kernel
def _number_values(net: LoadedNet, workspace: Record, options: Records, count: int, asked: int) -> None:
    """Evaluate each seat's actions with the number for all, over random deals of the hidden hands (K4)."""
    now = workspace.states[_NOW]
    for index in range(count):
        options[index].values[:] = 0.0
        options[index].points[:] = 0.0
    for seat in range(now.seats):
        for number in range(_WORLDS if asked >> seat & 1 else 0):
            workspace.states[_WORLD] = now
            determinize_hands(
                net.layout, workspace.states[_WORLD], seat, rng.player_stream_seed(_SEED, np.uint64(number))
            )
            for other in range(now.seats):
                if other != seat and asked >> other & 1:
                    workspace.states[_TRIED] = workspace.states[_WORLD]
                    decide(net, workspace.states[_TRIED], 1 << other, workspace.choices)
                    workspace.profile[other] = workspace.choices[other]
            for index in range(count):
                if options[index].seat == seat:
                    workspace.states[_TRIED] = workspace.states[_WORLD]
                    _apply_profile(net.layout, workspace, asked, seat, options[index].action)
                    _finish_play(net, workspace)
                    _evaluate_tried(net, workspace)
                    for each in range(now.seats):
                        options[index].values[each] += workspace.tried_values[each] / _WORLDS
                        options[index].points[each] += workspace.tried_points[each] / _WORLDS
    _find_best(workspace, options, count)
    _adopt_own_best(workspace, options)


@kernel
def _finish_play(net: LoadedNet, workspace: Record) -> None:
    """Let the active seat play cards as the net would, if that is the next phase."""
    state = workspace.states[_TRIED]
    if state.phase == PLAY:
        active = state.active
        decide(net, state, 1 << active, workspace.choices)
        flow.decide(net.layout, state, active, workspace.choices[active], None)


# ---- entry points for Python and the page


@entry
def action_values(arrays: NetArrays, workspaces: Records, states: Records, options: Records) -> int:
    """
    Fill `options` with all actions of all deciding seats and their values, and compute the position's value.

    Return the number of options. Decisions that were made already are ignored.
    """
    net = LoadedNet(arrays.layouts[0], arrays.inputs[0], borrowed(arrays.tables), arrays.layers[0], arrays.scratches[0])
    workspace = workspaces[0]
    workspace.states[_NOW] = states[0]
    now = workspace.states[_NOW]
    asked = flow.asked(net.layout, now)
    now.waiting = asked
    for seat in range(SEATS):
        now.choices[seat] = NO_CHOICE
    count = _list_choices(net.layout, workspace, options, asked)
    if now.phase == DRAW:
        _draw_values(net, workspace, options, count)
    elif now.phase == NUMBER:
        _number_values(net, workspace, options, count, asked)
    else:
        _window_values(net, workspace, options, count, asked)
    return count


@entry
def state_value(arrays: NetArrays, workspaces: Records, states: Records) -> None:
    """Compute the value of a position before a roll; before the cards are dealt it is the mean over many deals."""
    net = LoadedNet(arrays.layouts[0], arrays.inputs[0], borrowed(arrays.tables), arrays.layers[0], arrays.scratches[0])
    workspace = workspaces[0]
    deals = _DEALS if states[0].phase == DEAL else 1
    seats = states[0].seats
    workspace.states[_NOW] = states[0]
    workspace.values[:] = 0.0
    workspace.points[:] = 0.0
    for deal in range(deals):
        workspace.states[_TRIED] = states[0]
        if deals > 1:
            rng.seed_stream(workspace.states[_TRIED], _SEED, np.uint64(deal))
            flow.roll(net.layout, workspace.states[_TRIED], None)
        _evaluate_tried(net, workspace)
        for seat in range(seats):
            workspace.values[seat] += workspace.tried_values[seat] / deals
            workspace.points[seat] += workspace.tried_points[seat] / deals
