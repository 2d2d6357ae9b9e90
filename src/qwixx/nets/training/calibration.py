"""
Whether a net's chances are what they say: of the positions it gives 30 %, three in ten should be won.

A net learns from its own word as well as from results, and by rows that it has seen a few times only: so it ends a
little too careful or too sure. `set_right` fits its last layer to what comes of what it says: first by a line, with
which the player decides as before, then by a little more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from qwixx.kernel.ends import winners
from qwixx.kernel.jit import bulk
from qwixx.kernel.records import SEATS, Ints, Records
from qwixx.learn.bench import BENCH
from qwixx.learn.deciding import look_at
from qwixx.learn.games import play_games
from qwixx.learn.net import MIXED, NOTHING, WIN, Floats, Net
from qwixx.learn.tables import lay_out

BINS: Final = 10
_PART: Final = 250
"""Games that are played at a time: positions take room."""
_STEPS: Final = 8
"""Newton's steps; four are enough."""
_CLOSE: Final = 0.003
"""Bins that err by less than this are as good as right."""
_STAY: Final = 2000.0
"""Games that weigh as much as what the last layer was before."""
_ALIKE: Final = 4
"""Positions of one game that lie in one bin, about: they are won or lost together."""
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bin:
    """Positions whose chances lie close together."""

    positions: int
    said: float
    """The mean of the chances that the net gave."""
    won: float
    """The share of the wins that came of them, a shared win counting in part."""


@bulk
def _ask_all(
    layouts: Records,
    inputs: Records,
    tables: Floats,
    layers: Records,
    benches: Records,
    seats: int,
    positions: Records,
    scores: Ints,
    mixed: Floats,
    won: Floats,
) -> None:
    """Ask about each position, for the seat that rolls next; note what goes into the last layer, and the result."""
    for at in range(len(positions)):
        position = positions[at]
        seat = position.active
        look_at(layouts[0], inputs[0], tables, layers[0], benches[0], position, seats, seat)
        for unit in range(MIXED):
            mixed[at, unit] = max(benches[0].desk.mixed[unit], NOTHING)
        mask = winners(scores[position.game], seats)
        count = 0
        for other in range(SEATS):
            count += mask >> other & 1
        won[at] = np.float32(mask >> seat & 1) / np.float32(count)


def _mixed_and_won(layouts: Records, net: Net, seats: int, games: int, seed: int) -> tuple[Doubles, Doubles]:
    """Let a net play against itself; give what goes into its last layer before each roll, and what came of it."""
    inputs = lay_out(layouts)
    part = net.for_seats(seats)
    benches: Records = np.zeros(1, BENCH)
    all_mixed, all_won = [], []
    for first in range(0, games, _PART):
        count = min(_PART, games - first)
        positions, scores = play_games(layouts, inputs, net, seats, count, seed=seed, first=first, per_mille=0)
        # The last column is for the bias.
        mixed, won = np.ones((len(positions), MIXED + 1), np.float32), np.zeros(len(positions), np.float32)
        _ask_all(layouts, inputs, part.tables, part.layers, benches, seats, positions, scores, mixed, won)
        all_mixed.append(mixed)
        all_won.append(won)
    return np.concatenate(all_mixed).astype(np.float64), np.concatenate(all_won).astype(np.float64)


def _last_layer(net: Net, seats: int) -> Doubles:
    """Give the weights by which a net says who wins, the bias last."""
    layers = net.for_seats(seats).layers[0]
    return np.append(layers.out[:, WIN], layers.out_bias[WIN]).astype(np.float64)


def _chances(logits: Doubles) -> Doubles:
    return 1 / (1 + np.exp(-logits))


def _in_bins(said: Doubles) -> npt.NDArray[np.int64]:
    """Give the bin of each chance: tenths."""
    return np.minimum((said * BINS).astype(np.int64), BINS - 1)


def calibration(layouts: Records, net: Net, seats: int, games: int, *, seed: int = 0) -> list[Bin]:
    """Let a net play against itself, and compare its chances before each roll with what came of them, in ten bins."""
    mixed, won = _mixed_and_won(layouts, net, seats, games, seed)
    said = _chances(mixed @ _last_layer(net, seats))
    numbers = _in_bins(said)
    found = []
    for number in range(BINS):
        there = numbers == number
        count = int(there.sum())
        means = (float(said[there].mean()), float(won[there].mean())) if count else (0.0, 0.0)
        found.append(Bin(count, *means))
    return found


def _step(line: Doubles, logits: Doubles, won: Doubles) -> Doubles | None:
    """Say how a line has to change for the ten bins to err less; None where games say too little."""
    said = _chances(line[0] * logits + line[1])
    numbers = _in_bins(said)
    steep = said * (1 - said)
    counts = np.bincount(numbers, minlength=BINS)
    filled = counts > 0
    errors, by_slope, by_shift = (
        np.bincount(numbers, each, BINS)[filled] / counts[filled] for each in (won - said, steep * logits, steep)
    )
    weights = 1 / np.sqrt(_CLOSE**2 + by_shift * _ALIKE / counts[filled])
    step, _, rank, _ = np.linalg.lstsq(np.stack([by_slope, by_shift], 1) * weights[:, None], errors * weights)
    return step.astype(np.float64) if rank == len(line) else None


def _line(logits: Doubles, won: Doubles) -> Doubles | None:
    """Find the slope and the shift with which the ten bins err least; None where games say too little."""
    line = np.array([1.0, 0.0])
    for _ in range(_STEPS):
        step = _step(line, logits, won)
        if step is None:
            return None
        line += step
    return line if 0.5 < line[0] < 2.0 and abs(line[1]) <= 1.0 else None


def _bent(weights: Doubles, mixed: Doubles, won: Doubles, games: int) -> Doubles:
    """Fit a last layer to results, all bins alike, and the less far from where it was the fewer games there are."""
    numbers = _in_bins(_chances(mixed @ weights))
    counts = np.bincount(numbers, minlength=BINS)
    each = (1 / (np.count_nonzero(counts) * np.maximum(counts, 1)))[numbers]
    stay = _STAY / games
    found = weights.copy()
    for _ in range(_STEPS):
        said = _chances(mixed @ found)
        slopes = mixed.T @ (each * (won - said)) - stay * (found - weights)
        bends = (mixed * (each * said * (1 - said))[:, np.newaxis]).T @ mixed + stay * np.eye(len(found))
        found += np.linalg.solve(bends, slopes)
    return found


def set_right(layouts: Records, net: Net, seats: int, games: int, *, seed: int = 0) -> tuple[float, float] | None:
    """
    Change a net so that its chances are what comes of them, for a number of seats; give the slope and the shift.

    The ten bins are to err least. All of them count, whether many positions lie in one or few, but for what may be
    luck: with five seats hardly anybody ever has nine chances in ten, and those who do want to know it, too. Where
    games say too little, nothing is changed: None.
    """
    mixed, won = _mixed_and_won(layouts, net, seats, games, seed)
    weights = _last_layer(net, seats)
    line = _line(mixed @ weights, won)
    if line is None:
        return None
    slope, shift = (float(number) for number in line)
    weights *= slope
    weights[-1] += shift
    weights = _bent(weights, mixed, won, games)
    layers = net.for_seats(seats).layers[0]
    layers.out[:, WIN] = weights[:-1]
    layers.out_bias[WIN] = weights[-1]
    return slope, shift
