"""
Decisions with a value function, in games with dice and a sheet for each seat.

The white sum is a window in which all decide at once, and the active seat goes on with a color sum. So everybody first
guesses what the others do with the white sum if nothing else happened, and plans the active seat's whole turn
against these guesses: white and color are weighed together. The active seat follows the plan; the others reply to it.
With the color sum nothing has to be guessed any more.

All that is tried out are sheets: the bench has the guessed sheet of each seat, and two places to try on.
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel import dice, window
from qwixx.kernel.after import sheet_after
from qwixx.kernel.ends import ends_by_misses, ends_by_rows
from qwixx.kernel.flow import number_for_all
from qwixx.kernel.jit import kernel
from qwixx.kernel.paper import score
from qwixx.kernel.records import NO_CHOICE, PASS, Ints, Record
from qwixx.learn.bench import NOT_SUMMED, TRIED_SHEET, WHITE_SHEET, WORST, worth_of_scores
from qwixx.learn.inputs import list_both, list_sheet, turns_of
from qwixx.learn.net import NOTHING, OWN_POINTS, POINTS_SCALE, WIN, Floats, add_positive, add_row, finish, forward
from qwixx.learn.noise import error_about_sheet

# ---- what a position is worth


@kernel
def look(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    bench: Record,
    seats: int,
    closed: int,
    roller: int,
    seat: int,
) -> None:
    """Work out what the net says to a seat about the position on the bench, before a seat rolls."""
    desk = bench.desk
    own = bench.sheets[bench.places[seat]]
    own_ids = list_sheet(layout, inputs, own, closed, 0, desk.ids[0], 0)
    others = 0
    for step in range(1, seats):
        other = (seat + step) % seats
        sheet = bench.sheets[bench.places[other]]
        ids = desk.ids[others]
        if others:
            ids[:own_ids] = desk.ids[0, :own_ids]
        at = list_sheet(layout, inputs, sheet, closed, inputs.other_side, ids, own_ids)
        turns = turns_of(seats, roller, seat, other)
        desk.counts[others] = list_both(layout, inputs, own, sheet, closed, turns, ids, at)
        others += 1
    forward(tables, layers, desk, others)


@kernel
def changed(bench: Record, place: int) -> None:
    """Forget what was added up for a sheet of the bench, since it is another one now."""
    bench.summed_for[2 * place] = NOT_SUMMED
    bench.summed_for[2 * place + 1] = NOT_SUMMED


@kernel
def _sum_of(
    layout: Record, inputs: Record, tables: Floats, bench: Record, place: int, closed: int, is_other: int
) -> int:
    """Add up what the tables of single sheets say of a sheet, unless that was done before; give where it stands."""
    at = 2 * place + is_other
    if bench.summed_for[at] != closed:
        bench.summed_for[at] = closed
        total = bench.sums[at]
        total[:] = NOTHING
        ids = bench.desk.ids[0]
        count = list_sheet(layout, inputs, bench.sheets[place], closed, is_other * inputs.other_side, ids, 0)
        for index in range(count):
            add_row(total, tables, ids[index])
    return at


@kernel
def _glance(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    bench: Record,
    seats: int,
    closed: int,
    roller: int,
    seat: int,
) -> np.float32:
    """Work out what `look` does, from sums that were made before, and give the logit of the chance of winning."""
    desk = bench.desk
    place = bench.places[seat]
    own_sum = _sum_of(layout, inputs, tables, bench, place, closed, 0)
    desk.summed[:] = NOTHING
    share = np.float32(1.0) / np.float32(seats - 1)
    hidden = desk.hidden[0]
    ids = desk.ids[0]
    for step in range(1, seats):
        other = (seat + step) % seats
        there = bench.places[other]
        other_sum = _sum_of(layout, inputs, tables, bench, there, closed, 1)
        turns = turns_of(seats, roller, seat, other)
        count = list_both(layout, inputs, bench.sheets[place], bench.sheets[there], closed, turns, ids, 0)
        hidden[:] = NOTHING
        add_row(hidden, bench.sums, own_sum)
        add_row(hidden, bench.sums, other_sum)
        for index in range(count):
            add_row(hidden, tables, ids[index])
        add_positive(desk.summed, hidden, share)
    finish(layers, desk)
    return np.float32(desk.outputs[WIN])


@kernel
def _points_alone(
    layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, closed: int, is_over: bool
) -> np.float32:
    """
    Tell what the only sheet on the bench is worth: the points it ends with, of which a net for two seats has an idea.

    Beside it lies a sheet on which nobody ever crosses anything.
    """
    if is_over:
        return np.float32(np.float32(score(layout, bench.sheets[bench.places[0]])) / POINTS_SCALE)
    _glance(layout, inputs, tables, layers, bench, 2, closed, 0, 0)
    return np.float32(bench.desk.outputs[OWN_POINTS])


@kernel
def worth(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    bench: Record,
    seats: int,
    closed: int,
    roller: int,
    seat: int,
) -> np.float32:
    """
    Tell what the position on the bench is worth to a seat, before a seat rolls: the logit of its chance of winning.

    Of two seats one wins what the other loses, so the net is asked only about the one who rolls.
    """
    is_over = ends_by_rows(layout, closed)
    for other in range(seats):
        is_over = is_over or ends_by_misses(layout, bench.sheets[bench.places[other]].misses)
    if seats == 1:
        return _points_alone(layout, inputs, tables, layers, bench, closed, is_over)
    if is_over:
        for other in range(seats):
            bench.scores[other] = score(layout, bench.sheets[bench.places[other]])
        return worth_of_scores(bench.scores, seats, seat)
    if seats == 2:
        win = _glance(layout, inputs, tables, layers, bench, seats, closed, roller, roller)
        return win if seat == roller else -win
    return _glance(layout, inputs, tables, layers, bench, seats, closed, roller, seat)


# ---- deciding


@kernel
def _put_down(state: Record, bench: Record) -> None:
    """Put the sheets of a game on the bench."""
    for seat in range(state.seats):
        bench.sheets[seat] = state.sheets[seat]
        bench.places[seat] = seat
        changed(bench, seat)
    if state.seats == 1:  # see `_points_alone`
        bench.places[1] = 1
        changed(bench, 1)


@kernel
def _best_white(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    state: Record,
    bench: Record,
    seat: int,
    closed: int,
    roller: int,
    noise: np.float32,
) -> int:
    """
    Find what a passive seat does best with the white sum, if all else is as it lies on the bench.

    `closed` are the rows that the others have closed there; what may be crossed depends on those closed before (C9).
    With `noise` the seat misjudges what it weighs.
    """
    menu = bench.white_menu
    count = window.offers(layout, state.sheets[seat], state.closed, number_for_all(state), menu)
    if count == 1:
        return PASS
    best = PASS
    highest = WORST
    bench.places[seat] = TRIED_SHEET
    for index in range(count):
        action = menu.actions[index]
        after = sheet_after(layout, state.sheets[seat], state.closed, action, bench.sheets, TRIED_SHEET)
        changed(bench, TRIED_SHEET)
        value = worth(layout, inputs, tables, layers, bench, state.seats, closed | after, roller, seat)
        bench.white_worths[index] = value
        if noise > NOTHING:
            value += noise * error_about_sheet(bench, state.turn, seat, bench.sheets[TRIED_SHEET])
        if value > highest:
            highest = value
            best = action
    bench.places[seat] = seat
    return int(best)


@kernel
def _best_color(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    state: Record,
    bench: Record,
    from_: int,
    crossed: bool,
    closed: int,
    noise: np.float32,
) -> tuple[int, np.float32]:
    """
    Find what the active seat does best with a color sum, and what that is worth; a miss is booked where it is due (C6).

    The seat's sheet lies at `from_` on the bench; where the best decision leaves it is found at `places`.
    """
    active = state.active
    roller = (active + 1) % state.seats
    menu = bench.color_menu
    count = dice.offers(layout, state, bench.sheets[from_], closed, menu)
    best = PASS
    highest = WORST
    bench.places[active] = TRIED_SHEET
    for index in range(count):
        action = menu.actions[index]
        after = sheet_after(layout, bench.sheets[from_], closed, action, bench.sheets, TRIED_SHEET)
        changed(bench, TRIED_SHEET)
        if action == PASS and not crossed:
            bench.sheets[TRIED_SHEET].misses += 1
        value = worth(layout, inputs, tables, layers, bench, state.seats, closed | after, roller, active)
        bench.color_worths[index] = value
        if noise > NOTHING:
            value += noise * error_about_sheet(bench, state.turn, active, bench.sheets[TRIED_SHEET])
        if value > highest:
            highest = value
            best = action
    bench.places[active] = active
    return int(best), highest


@kernel
def _guess(layout: Record, inputs: Record, tables: Floats, layers: Record, state: Record, bench: Record) -> int:
    """Guess what each passive seat does with the white sum, put their sheets on the bench; give the closed rows."""
    _put_down(state, bench)
    roller = (state.active + 1) % state.seats
    for seat in range(state.seats):
        bench.guesses[seat] = PASS
        if seat != state.active:
            bench.guesses[seat] = _best_white(
                layout, inputs, tables, layers, state, bench, seat, state.closed, roller, NOTHING
            )
    closed = int(state.closed)
    for seat in range(state.seats):
        closed |= sheet_after(layout, state.sheets[seat], state.closed, bench.guesses[seat], bench.sheets, seat)
        changed(bench, seat)
    return closed


@kernel
def _plan(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    state: Record,
    bench: Record,
    closed: int,
    noise: np.float32,
) -> None:
    """Plan the active seat's white and color sum together, against what the others were guessed to do (C5)."""
    active = state.active
    menu = bench.white_menu
    count = window.offers(layout, state.sheets[active], state.closed, number_for_all(state), menu)
    highest = WORST
    for index in range(count):
        white = menu.actions[index]
        after = closed | sheet_after(layout, state.sheets[active], state.closed, white, bench.sheets, WHITE_SHEET)
        changed(bench, WHITE_SHEET)
        if ends_by_rows(layout, after):  # C11: no color sum then, and no miss
            bench.places[active] = WHITE_SHEET
            color = NO_CHOICE
            value = worth(layout, inputs, tables, layers, bench, state.seats, after, active, active)
            if noise > NOTHING:
                value += noise * error_about_sheet(bench, state.turn, active, bench.sheets[WHITE_SHEET])
            bench.places[active] = active
        else:
            color, value = _best_color(
                layout, inputs, tables, layers, state, bench, WHITE_SHEET, white != PASS, after, noise
            )
        bench.white_worths[index] = value
        if value > highest:
            highest = value
            bench.plan[0] = white
            bench.plan[1] = color


@kernel
def _carry_out_plan(layout: Record, state: Record, bench: Record, closed: int) -> int:
    """Put the active seat's sheet on the bench as its plan would leave it; give the rows that are closed then."""
    active = state.active
    changed(bench, active)
    white, color = bench.plan[0], bench.plan[1]
    after = closed | sheet_after(layout, state.sheets[active], state.closed, white, bench.sheets, WHITE_SHEET)
    if color == NO_CHOICE:
        bench.sheets[active] = bench.sheets[WHITE_SHEET]
        return after
    after |= sheet_after(layout, bench.sheets[WHITE_SHEET], after, color, bench.sheets, active)
    if white == PASS and color == PASS:
        bench.sheets[active].misses += 1
    return after


@kernel
def _reply(
    layout: Record, inputs: Record, tables: Floats, layers: Record, state: Record, bench: Record, seat: int, own: int
) -> int:
    """Find what a passive seat does with the white sum against the active seat's plan and the others' guesses."""
    closed = int(own)
    for other in range(state.seats):
        if other not in (seat, state.active):
            closed |= bench.sheets[other].locks
    roller = (state.active + 1) % state.seats
    return _best_white(layout, inputs, tables, layers, state, bench, seat, closed, roller, bench.noise[seat])


@kernel
def decide_window(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    state: Record,
    bench: Record,
    asked: int,
    choices: Ints,
) -> None:
    """
    Decide about the white sum for the seats that are asked, a mask; each knows what it may see and no more.

    Seats misjudge what they weigh themselves (`noise`); of others they think that these do not.
    """
    active = state.active
    closed = _guess(layout, inputs, tables, layers, state, bench)
    noise = bench.noise[active] if asked >> active & 1 else NOTHING
    others = asked & ~(1 << active)
    if others or noise == NOTHING:
        _plan(layout, inputs, tables, layers, state, bench, closed, NOTHING)
    if others:
        _carry_out_plan(layout, state, bench, closed)
        own = state.closed | bench.sheets[active].locks
        for seat in range(state.seats):
            if others >> seat & 1:
                choices[seat] = _reply(layout, inputs, tables, layers, state, bench, seat, own)
    if noise > NOTHING:
        _plan(layout, inputs, tables, layers, state, bench, closed, noise)
    choices[active] = bench.plan[0]
    bench.guesses[active] = bench.plan[0]


@kernel
def decide_color(layout: Record, inputs: Record, tables: Floats, layers: Record, state: Record, bench: Record) -> int:
    """Decide about the color sums for the active seat."""
    _put_down(state, bench)
    active = state.active
    crossed = state.crossed != 0
    best, _ = _best_color(
        layout, inputs, tables, layers, state, bench, active, crossed, state.closed, bench.noise[active]
    )
    return best


@kernel
def points_alone(
    layout: Record, inputs: Record, tables: Floats, layers: Record, state: Record, bench: Record
) -> np.float32:
    """Tell how many points a game alone will end with, before a roll: in the net's own scale."""
    _put_down(state, bench)
    return _points_alone(layout, inputs, tables, layers, bench, state.closed, False)
