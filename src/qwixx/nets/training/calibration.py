"""
Calibration of a net: of the positions with a win probability of 30 %, three in ten should be won.

A net learns from its own predictions as well as from results, and many table rows have few updates. So its final
predictions are slightly too careful or too sure. `fit_calibration` fits its last layer to results: first by a linear
map of the logits, which does not change decisions, then with a little more freedom.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from qwixx.jit.decorators import borrowed, eager_entry
from qwixx.kernel.game_end import winners
from qwixx.kernel.state.records import SEATS, Ints, Records
from qwixx.nets.feature_tables import load_net
from qwixx.nets.network import MIXED, WIN, ZERO, Floats, LoadedNet, Net, NetArrays
from qwixx.nets.policy import evaluate_position
from qwixx.nets.training.self_play import self_play

BINS: Final = 10
_PART: Final = 250
"""Games that are played at a time: positions take memory."""
_STEPS: Final = 8
"""Newton steps; four are enough."""
_CLOSE: Final = 0.003
"""Errors of a bin below this do not matter."""
_STAY: Final = 2000.0
"""Regularization: this many games weigh as much as the previous last layer."""
_ALIKE: Final = 4
"""About how many positions of one game are in one bin: they are won or lost together."""
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bin:
    """Positions with similar predicted win probabilities."""

    positions: int
    predicted: float
    """The mean predicted win probability."""
    won: float
    """The share of positions that were won; a win of k seats counts 1/k."""


@eager_entry
def _evaluate_all(
    arrays: NetArrays,
    seats: int,
    positions: Records,
    scores: Ints,
    mixed: Floats,
    won: Floats,
) -> None:
    """Evaluate each position for the seat that rolls next; store the inputs of the last layer, and the result."""
    net = LoadedNet(arrays.layouts[0], arrays.inputs[0], borrowed(arrays.tables), arrays.layers[0], arrays.scratches[0])
    for at in range(len(positions)):
        position = positions[at]
        seat = position.active
        evaluate_position(net, position, position.kind, seats, seat)
        for unit in range(MIXED):
            mixed[at, unit] = max(net.scratch.buffers.mixed[unit], ZERO)
        mask = winners(scores[position.game], seats)
        count = 0
        for other in range(SEATS):
            count += mask >> other & 1
        won[at] = np.float32(mask >> seat & 1) / np.float32(count)


def _mixed_and_won(layouts: Records, net: Net, seats: int, games: int, seed: int) -> tuple[Doubles, Doubles]:
    """Play games of a net against itself; return the inputs of its last layer before each roll, and the results."""
    arrays = load_net(layouts, net, seats)
    all_mixed, all_won = [], []
    for first in range(0, games, _PART):
        count = min(_PART, games - first)
        positions, scores = self_play(arrays, seats, count, seed=seed, first=first, explore_per_mille=0)
        # The last column is for the bias.
        mixed, won = np.ones((len(positions), MIXED + 1), np.float32), np.zeros(len(positions), np.float32)
        _evaluate_all(arrays, seats, positions, scores, mixed, won)
        all_mixed.append(mixed)
        all_won.append(won)
    return np.concatenate(all_mixed).astype(np.float64), np.concatenate(all_won).astype(np.float64)


def _last_layer(net: Net, seats: int) -> Doubles:
    """Return the last-layer weights of the win output, the bias last."""
    layers = net.for_seats(seats).layers[0]
    return np.append(layers.out[:, WIN], layers.out_bias[WIN]).astype(np.float64)


def _sigmoid(logits: Doubles) -> Doubles:
    return 1 / (1 + np.exp(-logits))


def _in_bins(predicted: Doubles) -> npt.NDArray[np.int64]:
    """Return the bin of each probability: tenths."""
    return np.minimum((predicted * BINS).astype(np.int64), BINS - 1)


def calibration(layouts: Records, net: Net, seats: int, games: int, *, seed: int = 0) -> list[Bin]:
    """Return ten bins with predicted win probabilities before each roll and the results, from games against itself."""
    mixed, won = _mixed_and_won(layouts, net, seats, games, seed)
    predicted = _sigmoid(mixed @ _last_layer(net, seats))
    numbers = _in_bins(predicted)
    result = []
    for number in range(BINS):
        there = numbers == number
        count = int(there.sum())
        means = (float(predicted[there].mean()), float(won[there].mean())) if count else (0.0, 0.0)
        result.append(Bin(count, *means))
    return result


def _line_step(line: Doubles, logits: Doubles, won: Doubles) -> Doubles | None:
    """Return the change of slope and shift that reduces the errors of the bins; None if there are too few data."""
    predicted = _sigmoid(line[0] * logits + line[1])
    numbers = _in_bins(predicted)
    steep = predicted * (1 - predicted)
    counts = np.bincount(numbers, minlength=BINS)
    filled = counts > 0
    errors, by_slope, by_shift = (
        np.bincount(numbers, each, BINS)[filled] / counts[filled] for each in (won - predicted, steep * logits, steep)
    )
    weights = 1 / np.sqrt(_CLOSE**2 + by_shift * _ALIKE / counts[filled])
    step, _, rank, _ = np.linalg.lstsq(np.stack([by_slope, by_shift], 1) * weights[:, None], errors * weights)
    return step.astype(np.float64) if rank == len(line) else None


def _fit_line(logits: Doubles, won: Doubles) -> Doubles | None:
    """Return the slope and shift with the smallest errors of the ten bins; None if there are too few data."""
    line = np.array([1.0, 0.0])
    for _ in range(_STEPS):
        step = _line_step(line, logits, won)
        if step is None:
            return None
        line += step
    return line if 0.5 < line[0] < 2.0 and abs(line[1]) <= 1.0 else None


def _fit_last_layer(weights: Doubles, mixed: Doubles, won: Doubles, games: int) -> Doubles:
    """Return a last layer fitted to results. All bins count equally; with few games it stays near the old weights."""
    numbers = _in_bins(_sigmoid(mixed @ weights))
    counts = np.bincount(numbers, minlength=BINS)
    each = (1 / (np.count_nonzero(counts) * np.maximum(counts, 1)))[numbers]
    stay = _STAY / games
    result = weights.copy()
    for _ in range(_STEPS):
        predicted = _sigmoid(mixed @ result)
        slopes = mixed.T @ (each * (won - predicted)) - stay * (result - weights)
        bends = (mixed * (each * predicted * (1 - predicted))[:, np.newaxis]).T @ mixed + stay * np.eye(len(result))
        result += np.linalg.solve(bends, slopes)
    return result


def fit_calibration(layouts: Records, net: Net, seats: int, games: int, *, seed: int = 0) -> tuple[float, float] | None:
    """
    Calibrate a net in place for a number of seats; return the slope and the shift of the linear fit.

    This minimizes the errors of the ten bins. Each bin counts, with many positions or with few, apart from statistical
    noise: with five seats a win probability of 90 % is rare, but it should be right too. With too few data nothing
    changes, and the result is None.
    """
    mixed, won = _mixed_and_won(layouts, net, seats, games, seed)
    weights = _last_layer(net, seats)
    line = _fit_line(mixed @ weights, won)
    if line is None:
        return None
    slope, shift = (float(number) for number in line)
    weights *= slope
    weights[-1] += shift
    weights = _fit_last_layer(weights, mixed, won, games)
    layers = net.for_seats(seats).layers[0]
    layers.out[:, WIN] = weights[:-1]
    layers.out_bias[WIN] = weights[-1]
    return slope, shift
