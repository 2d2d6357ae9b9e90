"""
A ladder: everybody against everybody else, and how strong that makes them.

In each match one player sits among others who are all the same, and takes every seat in turn. The games of all matches
have the same numbers and so the same dice. A player is as strong as explains its shares of the wins best: one of
strength a among n of strength b wins a / (a + n * b) of the games. Strengths are told as Elo: 400 points more are ten
times as strong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import log, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from qwixx.errors import QwixxError
from qwixx.players import rule_of_thumb
from qwixx.sim.run import simulate
from qwixx.variants.model import Variant

_Z = 1.959964
"""A normal variable lies within so many deviations with a chance of 95 %."""
_ELO = 400 / log(10)
"""Elo points of a strength that is e times as large."""
_STEPS = 50
_NEVER = 0.5
"""Games that a player who never won, or always, is taken to have won or lost: nobody is infinitely strong."""

Doubles = npt.NDArray[np.float64]
Report = Callable[[int, int], None]
"""Called with the matches played and the matches wanted."""


@dataclass(frozen=True, slots=True)
class Match:
    """What one player won among others who are all the same."""

    player: str
    others: str
    games: int
    win_share: float
    """A win of several counts in equal shares."""
    interval: float
    """Half the width of the 95 % confidence interval."""
    mean: float
    others_mean: float


@dataclass(frozen=True, slots=True)
class Rung:
    """How strong a player is."""

    player: str
    elo: float
    """0 for the rule of thumb, or for the first player where it does not take part."""
    interval: float
    mean: float
    """Mean score over all matches in which it sat among others."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """All matches, and the players by strength, the strongest first."""

    variant: str
    seats: int
    games: int
    seed: int
    rungs: tuple[Rung, ...]
    matches: tuple[Match, ...]

    def share(self, player: str, others: str) -> Match | None:
        """Find the match of one player among others."""
        return next((match for match in self.matches if (match.player, match.others) == (player, others)), None)

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain data."""
        return asdict(self)

    def to_json(self) -> str:
        """Give everything as JSON."""
        return json.dumps(self.to_dict(), indent=2)


def play_match(
    variant: Variant, seats: int, player: str, others: str, games: int, *, seed: int = 0, workers: int | None = None
) -> Match:
    """Let one player sit among others who are all the same."""
    bots = (player, *(others,) * (seats - 1))
    lines = simulate(variant, seats, bots, games, seed=seed, workers=workers).by_player()
    own = lines[0]
    # Shares of one game lie between 0 and 1: their spread is at most that of a coin with the same mean.
    spread = sqrt(own.win_share * (1 - own.win_share) / max(1, own.games))
    others_mean = sum(line.mean for line in lines[1:]) / (seats - 1)
    return Match(player, others, own.games, own.win_share, _Z * spread, own.mean, others_mean)


def climb(
    variant: Variant,
    seats: int,
    players: Sequence[str],
    games: int,
    *,
    seed: int = 0,
    workers: int | None = None,
    progress: Report | None = None,
) -> Ladder:
    """Play a round robin and work out how strong everybody is. Raises `QwixxError`."""
    names = tuple(dict.fromkeys(players))
    if len(names) < 2:
        raise QwixxError("A ladder needs two players or more.")
    if seats < 2:
        raise QwixxError("A ladder needs two seats or more; alone nobody can win.")
    # Of two seats either way round is the same match.
    pairs = [
        (one, two)
        for number, one in enumerate(names)
        for place, two in enumerate(names)
        if one != two and (seats > 2 or number < place)
    ]
    matches = []
    for done, (one, two) in enumerate(pairs):
        matches.append(play_match(variant, seats, one, two, games, seed=seed, workers=workers))
        if progress is not None:
            progress(done + 1, len(pairs))
    anchor = rule_of_thumb(variant)
    rungs = strengths(names, matches, seats, anchor if anchor in names else names[0])
    return Ladder(variant.id, seats, games, seed, rungs, tuple(matches))


def strengths(names: Sequence[str], matches: Sequence[Match], seats: int, anchor: str) -> tuple[Rung, ...]:
    """Find the strengths that explain the win shares best, by Newton's method; the anchor's is 0."""
    free = [name for name in names if name != anchor]
    found = np.zeros(len(free))
    for _ in range(_STEPS):
        slope, curve = _likelihood(free, found, matches, seats)
        step = np.linalg.solve(curve, slope)
        found += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-10:
            break
    _, curve = _likelihood(free, found, matches, seats)
    deviations = np.sqrt(np.diag(np.linalg.inv(curve)))
    by_name = {name: (float(found[at]), float(deviations[at])) for at, name in enumerate(free)} | {anchor: (0.0, 0.0)}
    rungs = [
        Rung(name, _ELO * by_name[name][0], _ELO * _Z * by_name[name][1], _mean_of(name, matches)) for name in names
    ]
    return tuple(sorted(rungs, key=lambda rung: -rung.elo))


def _likelihood(free: Sequence[str], found: Doubles, matches: Sequence[Match], seats: int) -> tuple[Doubles, Doubles]:
    """Give the slope of the logarithm of the likelihood, and how it curves down."""
    slope, curve = np.zeros(len(free)), np.zeros((len(free), len(free)))
    for match in matches:
        way = np.zeros(len(free))
        for name, sign in ((match.player, 1), (match.others, -1)):
            if name in free:
                way[free.index(name)] = sign
        expected = 1 / (1 + (seats - 1) * np.exp(-float(way @ found)))
        won = min(max(match.win_share * match.games, _NEVER), match.games - _NEVER)
        slope += (won - expected * match.games) * way
        curve += expected * (1 - expected) * match.games * np.outer(way, way)
    return slope, curve


def _mean_of(name: str, matches: Sequence[Match]) -> float:
    """Give a player's mean score over its matches."""
    means = [
        match.mean if match.player == name else match.others_mean
        for match in matches
        if name in (match.player, match.others)
    ]
    return sum(means) / len(means)
