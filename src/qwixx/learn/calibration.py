"""Whether a net's chances are what they say: of the positions it gives 30 %, three in ten should be won."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from qwixx.kernel.ends import winners
from qwixx.kernel.jit import bulk
from qwixx.kernel.records import SEATS, Ints, Records
from qwixx.learn.bench import BENCH
from qwixx.learn.deciding import look_at
from qwixx.learn.games import play_games
from qwixx.learn.lessons import chance_of
from qwixx.learn.net import WIN, Floats, Net
from qwixx.learn.tables import lay_out

BINS: Final = 10


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
    said: Floats,
    won: Floats,
) -> None:
    """Ask about each position, for the seat that rolls next, and write down what came of it."""
    for at in range(len(positions)):
        position = positions[at]
        seat = position.active
        look_at(layouts[0], inputs[0], tables, layers[0], benches[0], position, seats, seat)
        said[at] = chance_of(benches[0].desk.outputs[WIN])
        mask = winners(scores[position.game], seats)
        count = 0
        for other in range(SEATS):
            count += mask >> other & 1
        won[at] = np.float32(mask >> seat & 1) / np.float32(count)


def calibration(layouts: Records, net: Net, seats: int, games: int, *, seed: int = 0) -> list[Bin]:
    """Let a net play against itself, and compare its chances before each roll with what came of them, in ten bins."""
    inputs = lay_out(layouts)
    positions, scores = play_games(layouts, inputs, net, seats, games, seed=seed, first=0, per_mille=0)
    said, won = np.zeros(len(positions), np.float32), np.zeros(len(positions), np.float32)
    benches: Records = np.zeros(1, BENCH)
    part = net.for_seats(seats)
    _ask_all(layouts, inputs, part.tables, part.layers, benches, seats, positions, scores, said, won)
    numbers = np.minimum((said * BINS).astype(np.int64), BINS - 1)
    found = []
    for number in range(BINS):
        there = numbers == number
        count = int(there.sum())
        means = (float(said[there].mean()), float(won[there].mean())) if count else (0.0, 0.0)
        found.append(Bin(count, *means))
    return found
