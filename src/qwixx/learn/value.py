"""
What a net says about a position: the chance of winning of every seat, and the points it expects them to end with.

Before a roll the net is asked directly. After it, the rest of the turn is played out first as the net itself would play
it: then chance is next again, or the game is over.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel import flow
from qwixx.kernel.ends import winners
from qwixx.kernel.jit import bulk, kernel
from qwixx.kernel.records import CARDS, OVER, ROLL, SEATS, STATE, Record, Records
from qwixx.learn.bench import BENCH
from qwixx.learn.deciding import decide, is_asked, look_at
from qwixx.learn.games import POSITION, keep
from qwixx.learn.hand import TURN
from qwixx.learn.lessons import chance_of
from qwixx.learn.net import OWN_POINTS, POINTS_SCALE, THEIR_POINTS, WIN, Floats, Net
from qwixx.learn.tables import lay_out


@dataclass(frozen=True, slots=True)
class Value:
    """What a position is worth, seat by seat."""

    chances: tuple[float, ...]
    """The chance of winning of each seat; they add up to 1, since a shared win counts in part."""
    points: tuple[float, ...]
    """The points that each seat will have at the end, on average."""


@kernel
def _finish_turn(layout: Record, inputs: Record, tables: Floats, layers: Record, state: Record, bench: Record) -> None:
    """Play on until chance has its turn or the game is over."""
    choices = np.zeros(SEATS, np.int32)
    while state.phase not in (ROLL, OVER):
        asked = flow.asked(layout, state)
        state.waiting = asked  # what others have chosen already is hidden: they choose anew
        decide(layout, inputs, tables, layers, state, bench, asked, choices)
        for seat in range(state.seats):
            if asked >> seat & 1:
                flow.decide(layout, state, seat, choices[seat], None)


@bulk
def _value(
    layouts: Records,
    inputs: Records,
    tables: Floats,
    layers: Records,
    states: Records,
    benches: Records,
    positions: Records,
    chances: Floats,
    points: Floats,
) -> None:
    """Write down chances and points of each seat; the state is played on."""
    state = states[0]
    bench = benches[0]
    _finish_turn(layouts[0], inputs[0], tables, layers[0], state, bench)
    seats = state.seats
    if state.phase == OVER:
        scores = np.zeros(SEATS, np.int32)
        for seat in range(seats):
            scores[seat] = flow.score(layouts[0], state, seat)
            points[seat] = np.float32(scores[seat])
        mask = winners(scores, seats)
        for seat in range(seats):
            chances[seat] = np.float32(mask >> seat & 1)
    else:
        position = positions[0]
        keep(layouts[0], state, position, 0, TURN)
        outputs = bench.desk.outputs
        for seat in range(seats):
            if is_asked(layouts[0], position, seats, seat):
                look_at(layouts[0], inputs[0], tables, layers[0], bench, position, seats, seat)
                chances[seat] = chance_of(outputs[WIN])
                points[seat] = outputs[OWN_POINTS] * POINTS_SCALE
                if seats == 2:
                    chances[1 - seat] = 1 - chances[seat]
                    points[1 - seat] = outputs[THEIR_POINTS] * POINTS_SCALE
    chances[:seats] /= chances[:seats].sum()


def value_of(layouts: Records, net: Net, states: Records) -> Value:
    """
    Say what a net thinks of a position; `states` holds one state, and nothing hidden of it is looked at.

    With cards a net knows what a position is worth only to a seat whose hand it sees. Raises `QwixxError`.
    """
    if layouts["flow"][0] == CARDS:
        raise QwixxError("What a position with cards is worth to everybody depends on hands that nobody sees.")
    copies: Records = np.zeros(1, STATE)
    copies[0] = states[0]
    copies["rng"] = 0
    chances, points = np.zeros(SEATS, np.float32), np.zeros(SEATS, np.float32)
    benches: Records = np.zeros(1, BENCH)
    positions: Records = np.zeros(1, POSITION)
    seats = int(states["seats"][0])
    part = net.for_seats(seats)
    _value(layouts, lay_out(layouts), part.tables, part.layers, copies, benches, positions, chances, points)
    return Value(tuple(chances[:seats].tolist()), tuple(points[:seats].tolist()))
