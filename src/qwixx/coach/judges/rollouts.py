"""
Rollouts: games played from given positions to their end, by a net or by a heuristic player.

Game number n has the same dice after every choice that is compared, so that few games show a difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import Records
from qwixx.nets.network import Net
from qwixx.players.heuristics import HeuristicPlayer
from qwixx.players.net_games import NetFollower, NetGames
from qwixx.sim.statistics import Z_95
from qwixx.variants.model import Variant

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RolloutResult:
    """The results of rollouts: each seat's share of the win and its points, game by game."""

    shares: Doubles
    points: Doubles

    @property
    def win_probabilities(self) -> tuple[float, ...]:
        """The mean share of the win of each seat."""
        return tuple(self.shares.mean(axis=0).tolist())

    @property
    def mean_points(self) -> tuple[float, ...]:
        """The mean points of each seat."""
        return tuple(self.points.mean(axis=0).tolist())


def interval(first: Doubles, second: Doubles) -> float:
    """Return half the width of the 95 % confidence interval of the mean of paired differences."""
    return float(Z_95 * (first - second).std() / sqrt(max(len(first) - 1, 1)))


class Rollouts:
    """Plays games to their end: a net plays all seats, or a heuristic player does."""

    def __init__(self, variant: Variant, seats: int, player: Net | HeuristicPlayer) -> None:
        """Let `player` play all seats."""
        self._seats = seats
        if isinstance(player, HeuristicPlayer):
            self._table = NetGames(variant, None, [player] * seats, rotate=False)
        else:
            self._table = NetGames(variant, player, [NetFollower()] * seats, rotate=False)

    def play(self, states: Records, seed: int) -> RolloutResult:
        """Play each of the states to its end once; equal totals share the win (C12)."""
        results: Records = np.zeros(len(states), RESULT)
        self._table.play(np.uint64(seed), 0, results, states)
        points = results["score"][:, : self._seats].astype(np.float64)
        is_winner = points == points.max(axis=1, keepdims=True)
        return RolloutResult(is_winner / is_winner.sum(axis=1, keepdims=True), points)
