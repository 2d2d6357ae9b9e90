"""
Updates by TD(lambda), from the last position of each game back to the first.

The win probability of a position is moved towards a target: a mixture of the net's predictions for the positions that
followed and of the result. At first results are softened: a share of the win by points, instead of all or nothing, has
more information about each game.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from qwixx.jit.decorators import borrowed, eager_entry, kernel
from qwixx.kernel.game_end import winners
from qwixx.kernel.state.records import DICE, Ints, Record, Records
from qwixx.nets.network import (
    OWN_POINTS,
    POINTS_SCALE,
    THEIR_POINTS,
    WIN,
    Floats,
    LoadedNet,
    NetArrays,
    backward,
    sigmoid,
)
from qwixx.nets.policy import can_evaluate, evaluate_position
from qwixx.nets.training.schedule import Stage

_POINTS_WEIGHT: Final = np.float32(0.1)
"""The weight of an error in points, relative to one in the win probability."""
_ONE: Final = np.float32(1.0)


@kernel
def _results(scores: Ints, seats: int, softness: np.float32, shares: Floats, points: Floats) -> None:
    """Write each seat's share of the win, softened by `softness` points, and its points."""
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


class _Targets(NamedTuple):
    """The right predictions, seat by seat."""

    shares: Floats
    """Of the win."""
    points: Floats
    others_points: Floats
    """The mean points of the other seats."""


@kernel
def _update_seat(
    net: LoadedNet, updates: Floats, position: Record, seat: int, targets: _Targets, stage: Stage
) -> float:
    """Update the net for one seat of a position, and mix its prediction into the target; return the squared error."""
    seats = len(targets.shares)
    shares, points, others_points = targets.shares, targets.points, targets.others_points
    lambda_ = np.float32(stage.lambda_)
    evaluate_position(net, position, position.kind, seats, seat)
    outputs = net.scratch.buffers.outputs
    errors = net.scratch.buffers.errors
    win_probability = sigmoid(outputs[WIN])
    errors[WIN] = win_probability - shares[seat]
    errors[OWN_POINTS] = _POINTS_WEIGHT * (outputs[OWN_POINTS] - points[seat])
    errors[THEIR_POINTS] = _POINTS_WEIGHT * (outputs[THEIR_POINTS] - others_points[seat])
    error = float(errors[WIN]) * float(errors[WIN])
    shares[seat] = lambda_ * shares[seat] + (_ONE - lambda_) * win_probability
    points[seat] = lambda_ * points[seat] + (_ONE - lambda_) * outputs[OWN_POINTS]
    others_points[seat] = lambda_ * others_points[seat] + (_ONE - lambda_) * outputs[THEIR_POINTS]
    backward(net.tables, net.layers, updates, net.scratch.buffers, seats - 1, np.float32(stage.rate))
    return error


@eager_entry
def td_update(arrays: NetArrays, updates: Floats, positions: Records, scores: Ints, seats: int, stage: Stage) -> float:
    """
    Update the net once with each position, from the end of each game to its start; return the mean squared error.

    `stage.lambda_` is the share of the later target in each target; the rest is the net's own prediction. `updates`
    counts the updates of each row of the tables.
    """
    net = LoadedNet(arrays.layouts[0], arrays.inputs[0], borrowed(arrays.tables), arrays.layers[0], arrays.scratches[0])
    shares = np.zeros(seats, np.float32)
    points = np.zeros(seats, np.float32)
    others_points = np.zeros(seats, np.float32)
    targets = _Targets(shares, points, others_points)
    game = -1
    total = 0.0
    for at in range(len(positions) - 1, -1, -1):
        position = positions[at]
        if position.game != game:
            game = position.game
            _results(scores[game], seats, np.float32(stage.softness), shares, points)
            total_points = points.sum()
            for seat in range(seats):
                others_points[seat] = (total_points - points[seat]) / np.float32(seats - 1)
        for seat in range(seats):
            if can_evaluate(net.layout, position, position.kind, seats, seat):
                total += _update_seat(net, updates, position, seat, targets, stage)
                if seats == 2 and net.layout.flow == DICE:  # what one wins the other loses
                    shares[1 - seat] = _ONE - shares[seat]
                    points[1 - seat] = others_points[seat]
                    others_points[1 - seat] = points[seat]
    return total / max(1, len(positions))
