"""
What every choice of everybody who decides is worth, by a net: weighed in compiled code, for Python and the page alike.

What a choice is worth to a seat is what the net says at the end of the turn, if all others who decide do what is best
for them and the turn goes on as the net would play it. In a window that is an equilibrium: everybody's choice is the
best reply to the choices of the others. With cards the hands that a seat cannot see are dealt many times, and the mean
is taken; each seat's chance is then the one that it could see itself. Alone the measure is points, of which a net for
two seats has an idea.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel import flow, rng
from qwixx.kernel.jit import bulk, kernel
from qwixx.kernel.observe import redact
from qwixx.kernel.records import (
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
from qwixx.learn.dealing import deal_unseen
from qwixx.learn.deciding import decide
from qwixx.learn.games import POSITION
from qwixx.learn.lessons import chance_of
from qwixx.learn.net import Floats, type_float
from qwixx.learn.value import value_state

_ROUNDS: Final = 4
"""How often a better reply is looked for before a window is left as it is."""
_BETTER: Final = 1e-6
_WORLDS: Final = 8
"""How often the hands of others are dealt in the card game, where somebody decides about the number for all."""
_DEALS: Final = 64
"""How many deals tell what a card game is worth before its cards are dealt."""
_SEED: Final = np.uint64(0x71A9)
_SURE: Final = np.float32(50.0)
"""Logits beyond this are certain."""

_NOW, _TRIED, _WORLD, _STATES = range(4)
"""Places of states: the window as it was opened, a choice that is tried, a table with other hands; how many."""
ROOM: Final = record_type(
    [
        ("values", np.float64, (SEATS,)),  # what the position is worth to each seat: a chance, alone points
        ("points", np.float64, (SEATS,)),  # points that each seat will have at the end
        ("tried_values", np.float64, (SEATS,)),
        ("tried_points", np.float64, (SEATS,)),
        ("chances", type_float, (SEATS,)),
        ("means", type_float, (SEATS,)),
        ("profile", type_int, (SEATS,)),  # what each seat does while others look for replies
        ("choices", type_int, (SEATS,)),
        ("best", type_int, (SEATS,)),  # where each seat's best choice stands in the list
        ("states", STATE, (_STATES,)),
        ("position", POSITION),
        ("menu", MENU),
    ]
)
"""Room to weigh in, and what a position was found to be worth."""
CHOICE: Final = record_type(
    [
        ("values", np.float64, (SEATS,)),
        ("points", np.float64, (SEATS,)),
        ("seat", type_int),
        ("action", type_int),
    ]
)
"""One legal action of a seat, and what it leaves to every seat."""
MOST_CHOICES: Final = 2048
"""More than any window has, all seats together."""


@kernel
def _tell(layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, room: Record) -> None:
    """
    Say what the state that is tried is worth to each seat; its turn is played to the end first.

    Of hands each seat's chance depends on its own alone; with dice the chances are made to add up to 1.
    """
    state = room.states[_TRIED]
    seats = state.seats
    value_state(layout, inputs, tables, layers, state, bench, room.position, room.chances, room.means)
    total = 0.0
    for seat in range(seats):
        total += np.float64(room.chances[seat])
    if layout.flow == CARDS or seats == 1:
        total = 1.0
    for seat in range(seats):
        room.tried_points[seat] = np.float64(room.means[seat])
        room.tried_values[seat] = np.float64(room.chances[seat]) / total if seats > 1 else room.tried_points[seat]


@kernel
def _put(room: Record, choice: Record) -> None:
    """Write down what was tried."""
    for seat in range(room.states[_NOW].seats):
        choice.values[seat] = room.tried_values[seat]
        choice.points[seat] = room.tried_points[seat]


@kernel
def _take(room: Record, choice: Record) -> None:
    """Let the position be worth to each seat what a choice leaves."""
    for seat in range(room.states[_NOW].seats):
        room.values[seat] = choice.values[seat]
        room.points[seat] = choice.points[seat]


# ---- choices


@kernel
def _list_choices(layout: Record, room: Record, found: Records, asked: int) -> int:
    """List what everybody may decide, seat by seat; give how many there are."""
    now = room.states[_NOW]
    count = 0
    for seat in range(now.seats):
        if asked >> seat & 1:
            for index in range(flow.legal(layout, now, seat, room.menu.actions)):
                found[count].seat = seat
                found[count].action = room.menu.actions[index]
                count += 1
    return count


@kernel
def _carry_out(layout: Record, room: Record, asked: int, own: int, action: int) -> None:
    """Let everybody decide as they are thought to, but for one seat that does something else."""
    state = room.states[_TRIED]
    for seat in range(state.seats):
        if asked >> seat & 1:
            flow.decide(layout, state, seat, action if seat == own else room.profile[seat], None)


@kernel
def _find_best(room: Record, found: Records, count: int) -> None:
    """Find each seat's best choice; of equal ones the first."""
    for seat in range(room.states[_NOW].seats):
        room.best[seat] = -1
    for index in range(count):
        seat = found[index].seat
        best = room.best[seat]
        if best < 0 or found[index].values[seat] > found[best].values[seat]:
            room.best[seat] = index


@kernel
def _own_best(room: Record, found: Records) -> None:
    """Let the position be worth to each seat what its own best choice leaves to it."""
    for seat in range(room.states[_NOW].seats):
        if room.best[seat] >= 0:
            room.values[seat] = found[room.best[seat]].values[seat]
            room.points[seat] = found[room.best[seat]].points[seat]


@kernel
def _better_reply(room: Record, found: Records, count: int) -> int:
    """Find the seat that gains most by another choice than it was thought to make; -1 if nobody does."""
    who = -1
    most = _BETTER
    for index in range(count):
        seat = found[index].seat
        if found[index].action == room.profile[seat]:
            best = found[room.best[seat]]
            gain = best.values[seat] - found[index].values[seat]
            if gain > most:
                most = gain
                who = seat
    return int(who)


@kernel
def _weigh_window(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    bench: Record,
    room: Record,
    found: Records,
    count: int,
    asked: int,
) -> None:
    """Weigh the choices of all who decide at once, each against the best replies of the others."""
    now = room.states[_NOW]
    is_alone = asked & (asked - 1) == 0
    for seat in range(now.seats):
        if asked >> seat & 1 and not is_alone:
            room.states[_TRIED] = now
            decide(layout, inputs, tables, layers, room.states[_TRIED], bench, 1 << seat, room.choices)
            room.profile[seat] = room.choices[seat]
    for _ in range(1 if is_alone else _ROUNDS):
        for index in range(count):
            room.states[_TRIED] = now
            _carry_out(layout, room, asked, found[index].seat, found[index].action)
            _tell(layout, inputs, tables, layers, bench, room)
            _put(room, found[index])
        _find_best(room, found, count)
        who = -1 if is_alone else _better_reply(room, found, count)
        if who < 0:
            break
        room.profile[who] = found[room.best[who]].action
    _take(room, found[room.best[found[0].seat]])
    _own_best(room, found)


# ---- cards


@kernel
def _chance_of_draw(bench: Record, place: int) -> float:
    """Tell which chance of winning the net gives a draw on the menu."""
    return float(chance_of(np.float32(min(max(bench.white_worths[place], -_SURE), _SURE))))


@kernel
def _weigh_draw(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    bench: Record,
    room: Record,
    found: Records,
    count: int,
) -> None:
    """
    Weigh draws by the backs of their cards (K3); what they are worth to others is not told by the net.

    The net compares draws before anybody has used the number for all. So the best leaves what the position is worth,
    and the others as much less as the net finds between them.
    """
    now = room.states[_NOW]
    seat = now.active
    room.states[_TRIED] = now
    _tell(layout, inputs, tables, layers, bench, room)
    for each in range(now.seats):
        room.values[each] = room.tried_values[each]
        room.points[each] = room.tried_points[each]
    redact(layout, room.states, _NOW, room.states, _TRIED, seat)
    decide(layout, inputs, tables, layers, room.states[_TRIED], bench, 1 << seat, room.choices)
    best = 0.0
    for place in range(count):
        best = max(best, _chance_of_draw(bench, place))
    for index in range(count):
        _put(room, found[index])
        for place in range(count):
            if bench.white_menu.actions[place] == found[index].action:
                found[index].values[seat] = max(0.0, room.values[seat] + _chance_of_draw(bench, place) - best)


@kernel
def _weigh_number(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    bench: Record,
    room: Record,
    found: Records,
    count: int,
    asked: int,
) -> None:
    """Weigh what each seat does with the number for all, at tables as it can imagine them (K4)."""
    now = room.states[_NOW]
    for index in range(count):
        found[index].values[:] = 0.0
        found[index].points[:] = 0.0
    for seat in range(now.seats):
        for number in range(_WORLDS if asked >> seat & 1 else 0):
            room.states[_WORLD] = now
            deal_unseen(layout, room.states[_WORLD], seat, rng.luck_of(_SEED, np.uint64(number)))
            for other in range(now.seats):
                if other != seat and asked >> other & 1:
                    room.states[_TRIED] = room.states[_WORLD]
                    decide(layout, inputs, tables, layers, room.states[_TRIED], bench, 1 << other, room.choices)
                    room.profile[other] = room.choices[other]
            for index in range(count):
                if found[index].seat == seat:
                    room.states[_TRIED] = room.states[_WORLD]
                    _carry_out(layout, room, asked, seat, found[index].action)
                    _finish_play(layout, inputs, tables, layers, bench, room)
                    _tell(layout, inputs, tables, layers, bench, room)
                    for each in range(now.seats):
                        found[index].values[each] += room.tried_values[each] / _WORLDS
                        found[index].points[each] += room.tried_points[each] / _WORLDS
    _find_best(room, found, count)
    _own_best(room, found)


@kernel
def _finish_play(layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, room: Record) -> None:
    """Let whoever is active play cards as the net would, where that comes next."""
    state = room.states[_TRIED]
    if state.phase == PLAY:
        active = state.active
        decide(layout, inputs, tables, layers, state, bench, 1 << active, room.choices)
        flow.decide(layout, state, active, room.choices[active], None)


# ---- what Python and the page call


@bulk
def weigh(
    layouts: Records,
    inputs: Records,
    tables: Floats,
    layers: Records,
    benches: Records,
    rooms: Records,
    states: Records,
    found: Records,
) -> int:
    """
    List all choices of all who decide with what each is worth, and what the position is worth; give how many there are.

    Whether somebody has decided already makes no difference.
    """
    layout = layouts[0]
    room = rooms[0]
    room.states[_NOW] = states[0]
    now = room.states[_NOW]
    asked = flow.asked(layout, now)
    now.waiting = asked
    for seat in range(SEATS):
        now.choices[seat] = NO_CHOICE
    count = _list_choices(layout, room, found, asked)
    if now.phase == DRAW:
        _weigh_draw(layout, inputs[0], tables, layers[0], benches[0], room, found, count)
    elif now.phase == NUMBER:
        _weigh_number(layout, inputs[0], tables, layers[0], benches[0], room, found, count, asked)
    else:
        _weigh_window(layout, inputs[0], tables, layers[0], benches[0], room, found, count, asked)
    return count


@bulk
def worth(
    layouts: Records,
    inputs: Records,
    tables: Floats,
    layers: Records,
    benches: Records,
    rooms: Records,
    states: Records,
) -> None:
    """Say what a position is worth where chance is next; before the cards are dealt, on the mean of many deals."""
    room = rooms[0]
    deals = _DEALS if states[0].phase == DEAL else 1
    seats = states[0].seats
    room.states[_NOW] = states[0]
    room.values[:] = 0.0
    room.points[:] = 0.0
    for deal in range(deals):
        room.states[_TRIED] = states[0]
        if deals > 1:
            rng.seed_stream(room.states[_TRIED], _SEED, np.uint64(deal))
            flow.roll(layouts[0], room.states[_TRIED], None)
        _tell(layouts[0], inputs[0], tables, layers[0], benches[0], room)
        for seat in range(seats):
            room.values[seat] += room.tried_values[seat] / deals
            room.points[seat] += room.tried_points[seat] / deals
