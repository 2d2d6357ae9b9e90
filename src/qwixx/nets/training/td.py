"""
Learning from games: TD(lambda), from the last position of each game back to the first.

The chance of winning of a position is drawn towards what came of it: a mixture of the net's own word on the positions
that followed and of the result. Results are softened at first: a share of the win by the points, instead of all or
nothing, says more about each game.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel.ends import winners
from qwixx.kernel.jit import bulk, kernel
from qwixx.kernel.records import DICE, SEATS, Ints, Record, Records
from qwixx.learn.deciding import is_asked, look_at
from qwixx.learn.net import OWN_POINTS, POINTS_SCALE, THEIR_POINTS, WIN, Floats, backward

_POINTS_WEIGHT: Final = np.float32(0.1)
"""How much an error in points counts beside one in the chance of winning."""
_ONE: Final = np.float32(1.0)


@kernel
def chance_of(logit: np.float32) -> np.float32:
    """Turn a logit into a chance."""
    return np.float32(_ONE / (_ONE + np.exp(-logit)))


@kernel
def _results(scores: Ints, seats: int, softness: np.float32, shares: Floats, points: Floats) -> None:
    """Write down each seat's share of the win, softened by so many points, and its points."""
    best = scores[0]
    for seat in range(seats):
        best = max(best, scores[seat])
        points[seat] = np.float32(scores[seat]) / POINTS_SCALE
    mask = winners(scores, seats)
    total = np.float32(0.0)
    for seat in range(seats):
        if softness > 0:
            shares[seat] = np.exp(np.float32(scores[seat] - best) / softness)
        else:
            shares[seat] = np.float32(mask >> seat & 1)
        total += shares[seat]
    for seat in range(seats):
        shares[seat] /= total


@kernel
def _study(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    seen: Floats,
    bench: Record,
    position: Record,
    seats: int,
    seat: int,
    shares: Floats,
    points: Floats,
    others_points: Floats,
    keep: np.float32,
    rate: np.float32,
) -> float:
    """Learn what a position was worth to a seat, and mix the net's word into that; give the squared error."""
    look_at(layout, inputs, tables, layers, bench, position, seats, seat)
    outputs = bench.desk.outputs
    errors = bench.desk.errors
    chance = chance_of(outputs[WIN])
    errors[WIN] = chance - shares[seat]
    errors[OWN_POINTS] = _POINTS_WEIGHT * (outputs[OWN_POINTS] - points[seat])
    errors[THEIR_POINTS] = _POINTS_WEIGHT * (outputs[THEIR_POINTS] - others_points[seat])
    error = float(errors[WIN]) * float(errors[WIN])
    shares[seat] = keep * shares[seat] + (_ONE - keep) * chance
    points[seat] = keep * points[seat] + (_ONE - keep) * outputs[OWN_POINTS]
    others_points[seat] = keep * others_points[seat] + (_ONE - keep) * outputs[THEIR_POINTS]
    backward(tables, layers, seen, bench.desk, seats - 1, rate)
    return error


@bulk
def learn(
    layouts: Records,
    inputs: Records,
    tables: Floats,
    layers: Records,
    seen: Floats,
    benches: Records,
    seats: int,
    positions: Records,
    scores: Ints,
    keep: np.float32,
    softness: np.float32,
    rate: np.float32,
) -> float:
    """
    Learn from games once, each from its end to its beginning; give the mean squared error of the chances.

    `keep` is the lambda of TD(lambda): how much of what came later is kept beside the net's own word. `seen` counts the
    lessons that each row of the tables has had.
    """
    shares = np.zeros(SEATS, np.float32)
    points = np.zeros(SEATS, np.float32)
    others_points = np.zeros(SEATS, np.float32)
    bench = benches[0]
    game = -1
    total = 0.0
    for at in range(len(positions) - 1, -1, -1):
        position = positions[at]
        if position.game != game:
            game = position.game
            _results(scores[game], seats, softness, shares, points)
            everybody = points[:seats].sum()
            for seat in range(seats):
                others_points[seat] = (everybody - points[seat]) / np.float32(seats - 1)
        for seat in range(seats):
            if is_asked(layouts[0], position, seats, seat):
                total += _study(
                    layouts[0],
                    inputs[0],
                    tables,
                    layers[0],
                    seen,
                    bench,
                    position,
                    seats,
                    seat,
                    shares,
                    points,
                    others_points,
                    keep,
                    rate,
                )
                if seats == 2 and layouts[0].flow == DICE:  # what one wins the other loses
                    shares[1 - seat] = _ONE - shares[seat]
                    points[1 - seat] = others_points[seat]
                    others_points[1 - seat] = points[seat]
    return total / max(1, len(positions))
