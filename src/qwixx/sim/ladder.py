"""
A ladder: a round robin of players, and their Elo ratings.

In each match one player plays against copies of another player, and takes every seat in turn. The games of all matches
have the same numbers and so the same dice. The strengths are those of maximum likelihood, where a player of strength a
against n of strength b wins a / (a + n * b) of the games. They are reported as Elo: 400 points more are ten times as
strong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from qwixx.errors import QwixxError
from qwixx.players import built_in_names, default_heuristic, find
from qwixx.players.built_in.optimal import OPTIMAL
from qwixx.sim.run import check_settings, simulate
from qwixx.sim.statistics import Z_95, share_range
from qwixx.variants import variant_of
from qwixx.variants.model import Variant

_ELO = 400 / log(10)
"""Elo points of a strength that is e times as large."""
_STEPS = 50
_NEVER = 0.5
"""A player who never won, or always, counts as having won or lost this many games: no strength is infinite."""

Doubles = npt.NDArray[np.float64]
Report = Callable[[int, int], None]
"""Called with the matches played and the matches wanted."""


@dataclass(frozen=True, slots=True)
class Match:
    """The result of one player against copies of another player."""

    player: str
    others: str
    games: int
    win_share: float
    """A win of k players counts 1/k for each of them."""
    interval: float
    """Half the width of the 95 % confidence interval."""
    mean: float
    others_mean: float


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of a player."""

    player: str
    elo: float
    """0 for the default heuristic, or for the first player if the heuristic does not take part."""
    interval: float
    mean: float
    """Mean score over all its matches."""


@dataclass(frozen=True, slots=True, repr=False)
class Ladder:
    """All matches, and the players by strength, the strongest first."""

    variant: str
    seats: int
    games: int
    seed: int
    rungs: tuple[Rating, ...]
    matches: tuple[Match, ...]

    def share(self, player: str, others: str) -> Match | None:
        """Return the match of one player against others, or None."""
        return next((match for match in self.matches if (match.player, match.others) == (player, others)), None)

    def __repr__(self) -> str:
        return f"<Ladder of {self.variant} with {self.seats} seats: {', '.join(rung.player for rung in self.rungs)}>"

    def __str__(self) -> str:
        lines = [f"{self.variant} with {self.seats} seats, {self.games:,} games in each match, seed {self.seed}"]
        width = max(len(rung.player) for rung in self.rungs)
        lines += [f"  {each.player:{width}}  {each.elo:+7.0f} ± {each.interval:.0f} Elo" for each in self.rungs]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return asdict(self)

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(), indent=2)


def play_match(
    variant: Variant, seats: int, player: str, others: str, games: int, *, seed: int = 0, workers: int | None = None
) -> Match:
    """Play a match of one player against copies of another."""
    bots = (player, *(others,) * (seats - 1))
    lines = simulate(variant, seats, bots, games, seed=seed, workers=workers).by_player()
    own = lines[0]
    # The share of one game is between 0 and 1: its deviation is at most that of a coin with the same mean.
    low, high = share_range(own.win_share, own.games)
    others_mean = sum(line.mean for line in lines[1:]) / (seats - 1)
    return Match(player, others, own.games, own.win_share, (high - low) / 2, own.mean, others_mean)


def ladder(
    variant: str | Path | Variant = "classic",
    seats: int = 2,
    players: Sequence[str] | None = None,
    games: int = 10_000,
    *,
    seed: int = 0,
    workers: int | None = None,
    sheet: str | Path | None = None,
    progress: Report | None = None,
) -> Ladder:
    """
    Let players play a round robin with the same dice, and rate the strength of each, as `qwixx ladder` does.

    Without `players` all suitable built-in ones but `optimal` take part. `games` is the number for each match.

    >>> [rung.player for rung in ladder("classic", players=("random", "gap"), games=200).rungs]
    ['gap', 'random']
    """
    chosen = variant_of(variant, sheet)
    chosen.check_seats(seats)
    named = tuple(
        [name for name in built_in_names() if name != OPTIMAL.name and find(name).plays(chosen, seats)]
        if players is None
        else players
    )
    for name in named:
        check_settings(chosen, seats, (name,), games, seed=seed, workers=workers)
    return run_ladder(chosen, seats, named, games, seed=seed, workers=workers, progress=progress)


def run_ladder(
    variant: Variant,
    seats: int,
    players: Sequence[str],
    games: int,
    *,
    seed: int = 0,
    workers: int | None = None,
    progress: Report | None = None,
) -> Ladder:
    """Play a round robin and compute the ratings. Raises `QwixxError`."""
    names = tuple(dict.fromkeys(players))
    if len(names) < 2:
        twice = " Each player takes part once." if len(players) > 1 else ""
        raise QwixxError(f"A ladder needs two different players or more.{twice}")
    if seats < 2:
        raise QwixxError("A ladder needs two seats or more; alone nobody can win.")
    # With two seats, both orders of a pair are the same match.
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
    anchor = default_heuristic(variant)
    ratings = strengths(names, matches, seats, anchor if anchor in names else names[0])
    return Ladder(variant.id, seats, games, seed, ratings, tuple(matches))


def strengths(names: Sequence[str], matches: Sequence[Match], seats: int, anchor: str) -> tuple[Rating, ...]:
    """Return the ratings of maximum likelihood, by Newton's method; the anchor's is 0."""
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
    ratings = [
        Rating(name, _ELO * by_name[name][0], _ELO * Z_95 * by_name[name][1], _mean_of(name, matches)) for name in names
    ]
    return tuple(sorted(ratings, key=lambda rating: -rating.elo))


def _likelihood(free: Sequence[str], found: Doubles, matches: Sequence[Match], seats: int) -> tuple[Doubles, Doubles]:
    """Return the gradient of the log-likelihood and its negative Hessian."""
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
    """Return a player's mean score over its matches."""
    means = [
        match.mean if match.player == name else match.others_mean
        for match in matches
        if name in (match.player, match.others)
    ]
    return sum(means) / len(means)
