"""What a net is worth beside players that everybody knows: one seat follows the net, the others weigh."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from qwixx.kernel.records import Records
from qwixx.kernel.results import RESULT
from qwixx.learn.net import Net
from qwixx.players import find
from qwixx.players.learned import Company
from qwixx.players.seating import seat_of
from qwixx.players.weights import Weigher
from qwixx.variants.model import Variant

YARDSTICKS: Final = ("gap:1", "gap:2", "greedy")
_SEED: Final = np.uint64(0x9A2D)
"""Games of the yardsticks are the same for every net, so that nets can be compared."""
_Z: Final = 1.959964
"""A normal variable lies within so many deviations with a chance of 95 %."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the wins, a win of k players counting 1/k for each of them."""

    wins: float
    interval: float
    """Half the width of the 95 % confidence interval."""
    mean: float
    others_mean: float


def yardsticks_of(variant: Variant, seats: int) -> tuple[str, ...]:
    """Name the yardsticks that can play a game."""
    return tuple(name for name in YARDSTICKS if find(name).plays(variant, seats))


def measure(variant: Variant, seats: int, net: Net, yardstick: Weigher, games: int) -> Share:
    """Let a net play against a yardstick on all other seats, taking every seat in turn."""
    results: Records = np.zeros(games, RESULT)
    Company(variant, net, [0.0, *[yardstick] * (seats - 1)]).play(_SEED, 0, results)
    scores = results["score"][:, :seats]
    won = scores == scores.max(axis=1, keepdims=True)
    own_seats = np.array([seat_of(0, table, seats) for table in range(seats)])
    at = np.arange(games), own_seats[np.arange(games) % seats]
    shares = won[at] / won.sum(axis=1)
    own = float(scores[at].mean())
    others = (float(scores.sum(axis=1).mean()) - own) / (seats - 1)
    return Share(float(shares.mean()), _Z * float(shares.std()) / sqrt(games), own, others)


def measure_all(variant: Variant, seats: int, net: Net, games: int) -> dict[str, Share]:
    """Measure a net against every yardstick that can play the game."""
    found = {}
    for name in yardsticks_of(variant, seats):
        yardstick = find(name)
        assert isinstance(yardstick, Weigher)
        found[name] = measure(variant, seats, net, yardstick, games)
    return found
