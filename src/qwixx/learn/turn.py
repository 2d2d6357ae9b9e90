"""
Decisions with a value function, in games with dice and a sheet for each seat.

The white sum is a window in which all decide at once, and the active seat goes on with a color sum. So everybody first
guesses what the others do with the white sum if nothing else happened, and plans the active seat's whole turn
against these guesses: white and color are weighed together. The active seat follows the plan; the others reply to it.
With the color sum nothing has to be guessed any more.

All that is tried out are sheets: a `Bench` has the guessed sheet of each seat, and three places to try on.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel import dice, window
from qwixx.kernel.after import sheet_after
from qwixx.kernel.ends import ends_by_misses, ends_by_rows
from qwixx.kernel.flow import number_for_all
from qwixx.kernel.jit import kernel
from qwixx.kernel.paper import score
from qwixx.kernel.records import COLOR, MENU, NO_CHOICE, PASS, SEATS, SHEET, Ints, Record, record_type, type_int
from qwixx.learn.inputs import list_both, list_sheet
from qwixx.learn.net import (
    DESK,
    HIDDEN,
    NOTHING,
    WIN,
    Floats,
    add_positive,
    add_row,
    finish,
    forward,
    type_float,
)
from qwixx.variants.compile import compile_layout
from qwixx.variants.features import DICE_ON_SHEETS, features_of
from qwixx.variants.model import Variant

FEATURES: Final = DICE_ON_SHEETS
"""What can be decided here (`variants.features`); a sheet with anything else is refused."""
CERTAIN: Final = np.float32(1000.0)
"""What a won game is worth, where chances are logits; no net is ever as sure."""
_POINT: Final = np.float32(0.01)
"""What a point more is worth in a game that is over: nothing, but for breaking ties."""
_WORST: Final = np.float32(-1e9)

_WHITE, _TRIED, _SHEETS = SEATS, SEATS + 1, SEATS + 2
"""Places of the bench behind those of the seats, and how many there are in all."""
NOT_SUMMED: Final = -1


BENCH: Final = record_type(
    [
        ("desk", DESK),
        ("sheets", SHEET, (_SHEETS,)),  # the guessed sheet of each seat, then the places to try on
        ("places", type_int, (SEATS,)),  # which of the sheets each seat has, in the position that is weighed
        ("sums", type_float, (2 * _SHEETS, HIDDEN)),  # of the tables of single sheets: as one's own, as an opponent's
        ("summed_for", type_int, (2 * _SHEETS,)),  # the closed rows for which these were added up, or NOT_SUMMED
        ("white_menu", MENU),
        ("color_menu", MENU),
        ("guesses", type_int, (SEATS,)),
        ("plan", type_int, (2,)),  # the white and the color action of the active seat
    ]
)
"""Room to try decisions out."""


def refuse(variant: Variant, seats: int) -> None:
    """Refuse a game that cannot be decided here. Raises `QwixxError`."""
    variant.check_seats(seats)
    if seats < 2:
        raise QwixxError("A net weighs a seat against others, so it needs two seats or more.")
    unknown = features_of(compile_layout(variant)) - FEATURES
    if unknown:
        raise QwixxError(f"No net can learn {variant.id} yet: it has {', '.join(sorted(unknown))}.")


# ---- what a position is worth


@kernel
def _worth_at_end(layout: Record, bench: Record, seats: int, seat: int) -> np.float32:
    """Tell what a finished game is worth to a seat; equal totals share the win (C12)."""
    own = score(layout, bench.sheets[bench.places[seat]])
    best = -1000
    equal = 1
    for other in range(seats):
        if other != seat:
            theirs = score(layout, bench.sheets[bench.places[other]])
            best = max(best, theirs)
            equal += int(theirs == own)
    if own == best:
        return np.float32(-np.log(np.float32(equal - 1)))  # the logit of a win shared by so many
    return (CERTAIN if own > best else -CERTAIN) + _POINT * np.float32(own - best)


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
    own_turn = (seat - roller) % seats
    others = 0
    for step in range(1, seats):
        other = (seat + step) % seats
        sheet = bench.sheets[bench.places[other]]
        ids = desk.ids[others]
        if others:
            ids[:own_ids] = desk.ids[0, :own_ids]
        at = list_sheet(layout, inputs, sheet, closed, inputs.other_side, ids, own_ids)
        turns = own_turn * SEATS + (other - roller) % seats
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
    own_turn = (seat - roller) % seats
    desk.summed[:] = NOTHING
    hidden = desk.hidden[0]
    ids = desk.ids[0]
    for step in range(1, seats):
        other = (seat + step) % seats
        there = bench.places[other]
        other_sum = _sum_of(layout, inputs, tables, bench, there, closed, 1)
        turns = own_turn * SEATS + (other - roller) % seats
        count = list_both(layout, inputs, bench.sheets[place], bench.sheets[there], closed, turns, ids, 0)
        hidden[:] = NOTHING
        add_row(hidden, bench.sums, own_sum)
        add_row(hidden, bench.sums, other_sum)
        for index in range(count):
            add_row(hidden, tables, ids[index])
        add_positive(desk.summed, hidden)
    finish(layers, desk)
    return np.float32(desk.outputs[WIN])


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
    if is_over:
        return _worth_at_end(layout, bench, seats, seat)
    if seats == 2:
        win = _glance(layout, inputs, tables, layers, bench, seats, closed, roller, roller)
        return win if seat == roller else -win
    return _glance(layout, inputs, tables, layers, bench, seats, closed, roller, seat)


# ---- deciding


@kernel
def put_down(state: Record, bench: Record) -> None:
    """Put the sheets of a game on the bench."""
    for seat in range(state.seats):
        bench.sheets[seat] = state.sheets[seat]
        bench.places[seat] = seat
        changed(bench, seat)


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
) -> int:
    """
    Find what a passive seat does best with the white sum, if all else is as it lies on the bench.

    `closed` are the rows that the others have closed there; what may be crossed depends on those closed before (C9).
    """
    menu = bench.white_menu
    count = window.offers(layout, state.sheets[seat], state.closed, number_for_all(state), menu)
    if count == 1:
        return PASS
    best = PASS
    highest = _WORST
    bench.places[seat] = _TRIED
    for index in range(count):
        action = menu.actions[index]
        after = sheet_after(layout, state.sheets[seat], state.closed, action, bench.sheets, _TRIED)
        changed(bench, _TRIED)
        value = worth(layout, inputs, tables, layers, bench, state.seats, closed | after, roller, seat)
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
    highest = _WORST
    bench.places[active] = _TRIED
    for index in range(count):
        action = menu.actions[index]
        after = sheet_after(layout, bench.sheets[from_], closed, action, bench.sheets, _TRIED)
        changed(bench, _TRIED)
        if action == PASS and not crossed:
            bench.sheets[_TRIED].misses += 1
        value = worth(layout, inputs, tables, layers, bench, state.seats, closed | after, roller, active)
        if value > highest:
            highest = value
            best = action
    bench.places[active] = active
    return int(best), highest


@kernel
def _guess(layout: Record, inputs: Record, tables: Floats, layers: Record, state: Record, bench: Record) -> int:
    """Guess what each passive seat does with the white sum, put their sheets on the bench; give the closed rows."""
    put_down(state, bench)
    roller = (state.active + 1) % state.seats
    for seat in range(state.seats):
        bench.guesses[seat] = PASS
        if seat != state.active:
            bench.guesses[seat] = _best_white(layout, inputs, tables, layers, state, bench, seat, state.closed, roller)
    closed = int(state.closed)
    for seat in range(state.seats):
        closed |= sheet_after(layout, state.sheets[seat], state.closed, bench.guesses[seat], bench.sheets, seat)
        changed(bench, seat)
    return closed


@kernel
def _plan(
    layout: Record, inputs: Record, tables: Floats, layers: Record, state: Record, bench: Record, closed: int
) -> None:
    """Plan the active seat's white and color sum together, against what the others were guessed to do (C5)."""
    active = state.active
    menu = bench.white_menu
    count = window.offers(layout, state.sheets[active], state.closed, number_for_all(state), menu)
    highest = _WORST
    for index in range(count):
        white = menu.actions[index]
        after = closed | sheet_after(layout, state.sheets[active], state.closed, white, bench.sheets, _WHITE)
        changed(bench, _WHITE)
        if ends_by_rows(layout, after):  # C11: no color sum then, and no miss
            bench.places[active] = _WHITE
            color = NO_CHOICE
            value = worth(layout, inputs, tables, layers, bench, state.seats, after, active, active)
            bench.places[active] = active
        else:
            color, value = _best_color(layout, inputs, tables, layers, state, bench, _WHITE, white != PASS, after)
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
    after = closed | sheet_after(layout, state.sheets[active], state.closed, white, bench.sheets, _WHITE)
    if color == NO_CHOICE:
        bench.sheets[active] = bench.sheets[_WHITE]
        return after
    after |= sheet_after(layout, bench.sheets[_WHITE], after, color, bench.sheets, active)
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
    return _best_white(layout, inputs, tables, layers, state, bench, seat, closed, (state.active + 1) % state.seats)


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
    """Decide about the white sum for the seats that are asked, a mask; each knows what it may see and no more."""
    closed = _guess(layout, inputs, tables, layers, state, bench)
    _plan(layout, inputs, tables, layers, state, bench, closed)
    choices[state.active] = bench.plan[0]
    bench.guesses[state.active] = bench.plan[0]
    if asked == 1 << state.active:
        return
    _carry_out_plan(layout, state, bench, closed)
    own = state.closed | bench.sheets[state.active].locks
    for seat in range(state.seats):
        if asked >> seat & 1 and seat != state.active:
            choices[seat] = _reply(layout, inputs, tables, layers, state, bench, seat, own)


@kernel
def decide_color(layout: Record, inputs: Record, tables: Floats, layers: Record, state: Record, bench: Record) -> int:
    """Decide about the color sums for the active seat."""
    put_down(state, bench)
    best, _ = _best_color(layout, inputs, tables, layers, state, bench, state.active, state.crossed != 0, state.closed)
    return best


@kernel
def is_as_planned(seats: int, bench: Record, choices: Ints) -> bool:
    """Whether all have done with the white sum what was guessed: then the planned color sum is still the best."""
    differ = 0
    for seat in range(seats):
        differ += int(choices[seat] != bench.guesses[seat])
    return differ == 0


@kernel
def decide(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    state: Record,
    bench: Record,
    asked: int,
    choices: Ints,
) -> None:
    """Decide for the seats that are asked now, a mask."""
    if state.phase == COLOR:
        choices[state.active] = decide_color(layout, inputs, tables, layers, state, bench)
    else:
        decide_window(layout, inputs, tables, layers, state, bench, asked, choices)
