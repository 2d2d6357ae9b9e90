"""
Games played on from given positions to their ends, by a net or by a rule of thumb: the slow way to a value.

Game number n has the same dice after every choice that is compared, so that differences show early.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from qwixx.kernel.records import Records
from qwixx.kernel.results import RESULT
from qwixx.learn.net import Net
from qwixx.players.learned import Company
from qwixx.players.weights import Weigher
from qwixx.variants.model import Variant

Doubles = npt.NDArray[np.float64]
_Z = 1.959964
"""A normal variable lies within so many deviations with a chance of 95 %."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of games played on: each seat's share of the win and points, game by game."""

    shares: Doubles
    points: Doubles

    @property
    def chances(self) -> tuple[float, ...]:
        """The mean share of the win of each seat."""
        return tuple(self.shares.mean(axis=0).tolist())

    @property
    def means(self) -> tuple[float, ...]:
        """The mean points of each seat."""
        return tuple(self.points.mean(axis=0).tolist())


def interval(first: Doubles, second: Doubles) -> float:
    """Give half the width of the 95 % interval of a mean difference, game by game."""
    return float(_Z * (first - second).std() / sqrt(max(len(first) - 1, 1)))


class Rollouts:
    """One who plays games on: all seats follow a net, or all follow a rule of thumb."""

    def __init__(self, variant: Variant, seats: int, who: Net | Weigher) -> None:
        """Sit down on all seats."""
        self._seats = seats
        if isinstance(who, Weigher):
            self._company = Company(variant, None, [who] * seats, rotate=False)
        else:
            self._company = Company(variant, who, [0.0] * seats, rotate=False)

    def play(self, states: Records, seed: int) -> Played:
        """Play each of the states to its end once; equal totals share the win (C12)."""
        results: Records = np.zeros(len(states), RESULT)
        self._company.play(np.uint64(seed), 0, results, states)
        points = results["score"][:, : self._seats].astype(np.float64)
        is_winner = points == points.max(axis=1, keepdims=True)
        return Played(is_winner / is_winner.sum(axis=1, keepdims=True), points)
