"""Strength of a net against baselines: one seat follows the net, heuristic players have the others."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import Records
from qwixx.nets.network import Net
from qwixx.players import find
from qwixx.players.heuristics import HeuristicPlayer
from qwixx.players.net_games import NetFollower, NetGames
from qwixx.players.rotation import seat_of
from qwixx.sim.statistics import Z_95
from qwixx.variants.model import Variant

BASELINES: Final = ("gap:1", "gap:2", "greedy")
_SEED: Final = np.uint64(0x9A2D)
"""The games against baselines have the same dice for every net, so that nets can be compared."""


@dataclass(frozen=True, slots=True)
class WinShare:
    """The result of a match: the share of wins (a win of k players counts 1/k for each) and the mean points."""

    wins: float
    interval: float
    """Half the width of the 95 % confidence interval."""
    mean: float
    others_mean: float


def baselines_of(variant: Variant, seats: int) -> tuple[str, ...]:
    """Return the names of the baselines that can play a game."""
    return tuple(name for name in BASELINES if find(name).plays(variant, seats))


def play_against(variant: Variant, seats: int, net: Net, baseline: HeuristicPlayer, games: int) -> WinShare:
    """Return the result of a net against a baseline on all other seats; the net takes every seat in turn."""
    results: Records = np.zeros(games, RESULT)
    NetGames(variant, net, [NetFollower(), *[baseline] * (seats - 1)]).play(_SEED, 0, results)
    scores = results["score"][:, :seats]
    won = scores == scores.max(axis=1, keepdims=True)
    own_seats = np.array([seat_of(0, table, seats) for table in range(seats)])
    at = np.arange(games), own_seats[np.arange(games) % seats]
    shares = won[at] / won.sum(axis=1)
    own = float(scores[at].mean())
    others = (float(scores.sum(axis=1).mean()) - own) / (seats - 1)
    return WinShare(float(shares.mean()), Z_95 * float(shares.std()) / sqrt(games), own, others)


def mean_points(variant: Variant, net: Net, games: int) -> tuple[float, float]:
    """Return the mean points of solitaire games by a net for one seat, and half the width of the 95 % interval."""
    results: Records = np.zeros(games, RESULT)
    NetGames(variant, net, [NetFollower()]).play(_SEED, 0, results)
    points = results["score"][:, 0]
    return float(points.mean()), Z_95 * float(points.std()) / sqrt(games)


def play_against_all(variant: Variant, seats: int, net: Net, games: int) -> dict[str, WinShare]:
    """Return the results of a net against every baseline that can play the game."""
    shares_by_name = {}
    for name in baselines_of(variant, seats):
        baseline = find(name)
        assert isinstance(baseline, HeuristicPlayer)
        shares_by_name[name] = play_against(variant, seats, net, baseline, games)
    return shares_by_name
