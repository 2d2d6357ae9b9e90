"""
Decisions by a net in games with dice and a sheet for each seat.

All seats decide about the white sum at the same time, and the active seat continues with a color sum. So each seat
first predicts what the passive seats do with the white sum if nothing else happens, and plans the active seat's whole
turn against these predictions: white and color sum are evaluated together. The active seat follows the plan; the others
respond to it. With the color sum nothing has to be predicted.

Actions are tried on sheets: the scratch memory has the predicted sheet of each seat, and two sheets to try on.
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel import dice, window
from qwixx.kernel.afterstates import sheet_after
from qwixx.kernel.crossing import score
from qwixx.kernel.flow import number_for_all
from qwixx.kernel.game_end import ends_by_misses, ends_by_rows
from qwixx.kernel.state.records import NO_CHOICE, PASS, Ints, Record
from qwixx.nets.network import (
    ALWAYS,
    OWN_POINTS,
    POINTS_SCALE,
    WIN,
    ZERO,
    Features,
    LoadedNet,
    add_positive,
    add_row,
    compute_outputs,
    forward,
)
from qwixx.nets.noise import sheet_noise
from qwixx.nets.scratch import NOT_SUMMED, TRIED_SHEET, WHITE_SHEET, WORST, logit_of_scores
from qwixx.nets.sheet_features import list_alone, list_both, list_sheet, turns_of

# ---- values of positions


@kernel
def evaluate(net: LoadedNet, seats: int, closed: int, roller: int, seat: int) -> None:
    """Compute the net's outputs for a seat in the position of the scratch memory, before `roller` rolls."""
    scratch = net.scratch
    features = Features(net.layout, net.inputs, scratch)
    buffers = scratch.buffers
    own = scratch.sheets[scratch.places[seat]]
    own_ids = list_sheet(features, own, closed, 0, buffers.ids[0], 0)
    others = 0
    for step in range(1, seats):
        other = (seat + step) % seats
        sheet = scratch.sheets[scratch.places[other]]
        ids = buffers.ids[others]
        if others:
            ids[:own_ids] = buffers.ids[0, :own_ids]
        at = list_sheet(features, sheet, closed, net.inputs.other_side, ids, own_ids)
        at = list_both(features, own, sheet, closed, ids, at)
        ids[at] = net.inputs.turns_at + turns_of(seats, roller, seat, other)
        buffers.counts[others] = at + 1
        others += 1
    forward(net.tables, net.layers, buffers, others)


@kernel
def invalidate_sums(scratch: Record, place: int) -> None:
    """Invalidate the cached sums of a sheet, because it has changed."""
    scratch.summed_for[2 * place] = NOT_SUMMED
    scratch.summed_for[2 * place + 1] = NOT_SUMMED


@kernel
def _cached_sum(net: LoadedNet, place: int, closed: int, is_other: int) -> int:
    """Return the index of the sum of a sheet's own table rows; compute it if it is not cached."""
    tables, scratch = net.tables, net.scratch
    features = Features(net.layout, net.inputs, scratch)
    at = 2 * place + is_other
    if scratch.summed_for[at] != closed:
        scratch.summed_for[at] = closed
        total = scratch.sums[at]
        total[:] = ZERO
        ids = scratch.buffers.ids[0]
        count = list_sheet(features, scratch.sheets[place], closed, is_other * net.inputs.other_side, ids, 0)
        for index in range(count):
            add_row(total, tables, ids[index])
    return at


@kernel
def evaluate_cached(net: LoadedNet, seats: int, closed: int, roller: int, seat: int) -> np.float32:
    """Compute the same as `evaluate` from cached sums, and return the logit of the win probability."""
    tables, scratch = net.tables, net.scratch
    features = Features(net.layout, net.inputs, scratch)
    buffers = scratch.buffers
    place = scratch.places[seat]
    own_sum = _cached_sum(net, place, closed, 0)
    buffers.summed[:] = ZERO
    share = np.float32(1.0) / np.float32(seats - 1)
    hidden = buffers.hidden[0]
    ids = buffers.ids[0]
    for step in range(1, seats):
        other = (seat + step) % seats
        there = scratch.places[other]
        other_sum = _cached_sum(net, there, closed, 1)
        count = list_both(features, scratch.sheets[place], scratch.sheets[there], closed, ids, 0)
        ids[count] = net.inputs.turns_at + turns_of(seats, roller, seat, other)
        hidden[:] = ZERO
        add_row(hidden, scratch.sums, own_sum)
        add_row(hidden, scratch.sums, other_sum)
        for index in range(count + 1):
            add_row(hidden, tables, ids[index])
        add_positive(buffers.summed, hidden, share)
    compute_outputs(net.layers, buffers)
    return np.float32(buffers.outputs[WIN])


@kernel
def evaluate_alone(net: LoadedNet, sheet: Record) -> None:
    """Compute the outputs of a net for one seat: the points still to come before a roll."""
    buffers = net.scratch.buffers
    ids = buffers.ids[0]
    features = Features(net.layout, net.inputs, net.scratch)
    at = list_alone(features, sheet, ids, list_sheet(features, sheet, sheet.locks, 0, ids, 0))
    ids[at] = net.inputs.turns_at
    buffers.counts[0] = at + 1
    forward(net.tables, net.layers, buffers, 1)


@kernel
def _solitaire_points(net: LoadedNet, closed: int, is_over: bool) -> np.float32:
    """
    Return the expected final points of a solitaire sheet before a roll, in units of `POINTS_SCALE`.

    With a net for two seats the opponent's sheet is empty and stays empty.
    """
    scratch = net.scratch
    sheet = scratch.sheets[scratch.places[0]]
    points = np.float32(np.float32(score(net.layout, sheet)) / POINTS_SCALE)
    if is_over:
        return points
    if net.layers.out_bias[WIN] == ALWAYS:
        evaluate_alone(net, sheet)
        return np.float32(points + scratch.buffers.outputs[OWN_POINTS])
    evaluate_cached(net, 2, closed, 0, 0)
    return np.float32(scratch.buffers.outputs[OWN_POINTS])


@kernel
def win_logit(net: LoadedNet, seats: int, closed: int, roller: int, seat: int) -> np.float32:
    """
    Return the logit of a seat's win probability in the position of the scratch memory, before `roller` rolls.

    With two seats one wins what the other loses, so the net evaluates only the seat that rolls.
    """
    layout, scratch = net.layout, net.scratch
    is_over = ends_by_rows(layout, closed)
    for other in range(seats):
        is_over = is_over or ends_by_misses(layout, scratch.sheets[scratch.places[other]].misses)
    if seats == 1:
        return _solitaire_points(net, closed, is_over)
    if is_over:
        for other in range(seats):
            scratch.scores[other] = score(layout, scratch.sheets[scratch.places[other]])
        return logit_of_scores(scratch.scores, seats, seat)
    if seats == 2:
        win = evaluate_cached(net, seats, closed, roller, roller)
        return win if seat == roller else -win
    return evaluate_cached(net, seats, closed, roller, seat)


# ---- deciding


@kernel
def _load_sheets(state: Record, scratch: Record) -> None:
    """Copy the sheets of a game to the scratch memory."""
    for seat in range(state.seats):
        scratch.sheets[seat] = state.sheets[seat]
        scratch.places[seat] = seat
        invalidate_sums(scratch, seat)
    if state.seats == 1:  # see `_solitaire_points`
        scratch.places[1] = 1
        invalidate_sums(scratch, 1)


@kernel
def _best_white(net: LoadedNet, state: Record, seat: int, closed: int, roller: int, noise: np.float32) -> int:
    """
    Return a passive seat's best action with the white sum, if all else is as in the scratch memory.

    `closed` are the rows that the others have closed there; what may be crossed depends on those closed before (C9).
    `noise` is the standard deviation of the seat's errors.
    """
    scratch = net.scratch
    menu = scratch.option_menu
    count = window.offers(net.layout, state.sheets[seat], state.closed, number_for_all(state), menu)
    if count == 1:
        return PASS
    best = PASS
    highest = WORST
    scratch.places[seat] = TRIED_SHEET
    for index in range(count):
        action = menu.actions[index]
        after = sheet_after(net.layout, state.sheets[seat], state.closed, action, scratch.sheets, TRIED_SHEET)
        invalidate_sums(scratch, TRIED_SHEET)
        value = win_logit(net, state.seats, closed | after, roller, seat)
        scratch.option_values[index] = value
        if noise > ZERO:
            value += noise * sheet_noise(scratch, state.turn, seat, scratch.sheets[TRIED_SHEET])
        if value > highest:
            highest = value
            best = action
    scratch.places[seat] = seat
    return int(best)


@kernel
def _best_color(
    net: LoadedNet, state: Record, from_: int, crossed: bool, closed: int, noise: np.float32
) -> tuple[int, np.float32]:
    """
    Return the active seat's best action with the color sums, and its logit; it counts a miss where one is due (C6).

    The seat's sheet has index `from_` in the scratch memory.
    """
    scratch = net.scratch
    active = state.active
    roller = (active + 1) % state.seats
    menu = scratch.next_menu
    count = dice.offers(net.layout, state, scratch.sheets[from_], closed, menu)
    best = PASS
    highest = WORST
    scratch.places[active] = TRIED_SHEET
    for index in range(count):
        action = menu.actions[index]
        after = sheet_after(net.layout, scratch.sheets[from_], closed, action, scratch.sheets, TRIED_SHEET)
        invalidate_sums(scratch, TRIED_SHEET)
        if action == PASS and not crossed:
            scratch.sheets[TRIED_SHEET].misses += 1
        value = win_logit(net, state.seats, closed | after, roller, active)
        scratch.next_values[index] = value
        if noise > ZERO:
            value += noise * sheet_noise(scratch, state.turn, active, scratch.sheets[TRIED_SHEET])
        if value > highest:
            highest = value
            best = action
    scratch.places[active] = active
    return int(best), highest


@kernel
def _predict_passive(net: LoadedNet, state: Record) -> int:
    """Predict each passive seat's white sum and store the resulting sheets; return the closed rows."""
    scratch = net.scratch
    _load_sheets(state, scratch)
    roller = (state.active + 1) % state.seats
    for seat in range(state.seats):
        scratch.predicted[seat] = PASS
        if seat != state.active:
            scratch.predicted[seat] = _best_white(net, state, seat, state.closed, roller, ZERO)
    closed = int(state.closed)
    for seat in range(state.seats):
        closed |= sheet_after(
            net.layout, state.sheets[seat], state.closed, scratch.predicted[seat], scratch.sheets, seat
        )
        invalidate_sums(scratch, seat)
    return closed


@kernel
def _plan(net: LoadedNet, state: Record, closed: int, noise: np.float32) -> None:
    """Plan the active seat's white and color sum together, against the predictions for the others (C5)."""
    layout, scratch = net.layout, net.scratch
    active = state.active
    menu = scratch.option_menu
    count = window.offers(layout, state.sheets[active], state.closed, number_for_all(state), menu)
    highest = WORST
    for index in range(count):
        white = menu.actions[index]
        after = closed | sheet_after(layout, state.sheets[active], state.closed, white, scratch.sheets, WHITE_SHEET)
        invalidate_sums(scratch, WHITE_SHEET)
        if ends_by_rows(layout, after):  # C11: no color sum then, and no miss
            scratch.places[active] = WHITE_SHEET
            color = NO_CHOICE
            value = win_logit(net, state.seats, after, active, active)
            if noise > ZERO:
                value += noise * sheet_noise(scratch, state.turn, active, scratch.sheets[WHITE_SHEET])
            scratch.places[active] = active
        else:
            color, value = _best_color(net, state, WHITE_SHEET, white != PASS, after, noise)
        scratch.option_values[index] = value
        if value > highest:
            highest = value
            scratch.plan[0] = white
            scratch.plan[1] = color


@kernel
def _apply_plan(layout: Record, state: Record, scratch: Record, closed: int) -> int:
    """Store the active seat's sheet as its plan leaves it; return the rows that are closed then."""
    active = state.active
    invalidate_sums(scratch, active)
    white, color = scratch.plan[0], scratch.plan[1]
    after = closed | sheet_after(layout, state.sheets[active], state.closed, white, scratch.sheets, WHITE_SHEET)
    if color == NO_CHOICE:
        scratch.sheets[active] = scratch.sheets[WHITE_SHEET]
        return after
    after |= sheet_after(layout, scratch.sheets[WHITE_SHEET], after, color, scratch.sheets, active)
    if white == PASS and color == PASS:
        scratch.sheets[active].misses += 1
    return after


@kernel
def _passive_response(net: LoadedNet, state: Record, seat: int, own: int) -> int:
    """Return a passive seat's white sum against the active seat's plan and the predictions for the others."""
    closed = int(own)
    known = 1 << seat | 1 << state.active
    for other in range(state.seats):
        if not known >> other & 1:
            closed |= net.scratch.sheets[other].locks
    roller = (state.active + 1) % state.seats
    return _best_white(net, state, seat, closed, roller, net.scratch.noise[seat])


@kernel
def decide_window(net: LoadedNet, state: Record, asked: int, choices: Ints) -> None:
    """
    Decide about the white sum for the seats in the mask `asked`, each by what it may see.

    A seat's own evaluations have its errors (`noise`); it predicts others without errors.
    """
    scratch = net.scratch
    active = state.active
    closed = _predict_passive(net, state)
    noise = scratch.noise[active] if asked >> active & 1 else ZERO
    others = asked & ~(1 << active)
    if others or noise == ZERO:
        _plan(net, state, closed, ZERO)
    if others:
        _apply_plan(net.layout, state, scratch, closed)
        own = state.closed | scratch.sheets[active].locks
        for seat in range(state.seats):
            if others >> seat & 1:
                choices[seat] = _passive_response(net, state, seat, own)
    if noise > ZERO:
        _plan(net, state, closed, noise)
    choices[active] = scratch.plan[0]
    scratch.predicted[active] = scratch.plan[0]


@kernel
def decide_color(net: LoadedNet, state: Record) -> int:
    """Return the active seat's decision about the color sums."""
    _load_sheets(state, net.scratch)
    active = state.active
    crossed = state.crossed != 0
    best, _ = _best_color(net, state, active, crossed, state.closed, net.scratch.noise[active])
    return best


@kernel
def solitaire_points(net: LoadedNet, state: Record) -> np.float32:
    """Return the expected final points of a solitaire game before a roll, in units of `POINTS_SCALE`."""
    _load_sheets(state, net.scratch)
    return _solitaire_points(net, state.closed, False)
