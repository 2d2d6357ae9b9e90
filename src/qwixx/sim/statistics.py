"""
Statistics from counts: means, deviations, quantiles and confidence intervals.

The intervals hold for few games, too. That of a mean is Student's, and infinite if the games show no spread: two equal
scores do not prove that all others are the same. That of a share is Wilson's, which never claims certainty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from qwixx.sim.tally import LOWEST, Numbers, Tally

Z_95 = 1.959964
"""A normal variable is within this many standard deviations of its mean with a probability of 95 %."""
PERCENTS = (5, 25, 50, 75, 95)
"""The reported quantiles."""


@dataclass(frozen=True, slots=True)
class Line:
    """Statistics of one player, or of all players on one seat."""

    name: str
    games: int
    mean: float
    deviation: float
    interval: float
    """Half the width of the 95 % confidence interval of the mean; infinite if the games show no spread."""
    quantiles: dict[int, int]
    """For 5, 25, 50, 75 and 95: the lowest score that this percentage of the games does not exceed."""
    wins: float
    """Share of games won alone."""
    ties: float
    """Share of games won together with others."""
    win_share: float
    """Share of all wins, a win of k players counting 1/k for each of them."""
    misses: float
    locks: float


@dataclass(frozen=True, slots=True)
class Turns:
    """The length of games, in turns of all seats together."""

    mean: float
    deviation: float
    shortest: int
    longest: int
    histogram: dict[int, int]
    """The number of games by their number of turns."""


@dataclass(frozen=True, slots=True)
class FirstSeat:
    """
    The first-seat advantage: seat 0 against the others of the same game.

    The intervals are those of 95 % confidence. They come from the differences within games, because scores of one
    game are correlated: its dice are the same for all, and so is its end. Where different players rotate, each
    seating is measured against its own mean, so that a strong player on seat 0 in every other game does not look
    like chance.
    """

    points: float
    """How many more points seat 0 makes than the other seats on average."""
    points_interval: float
    """Half the width of its interval; infinite if a seating has one game, or if the games show no spread."""
    win_share: float
    """The share of seat 0 in all wins, a win of k players counting 1/k for each of them."""
    win_share_range: tuple[float, float]
    """The ends of its interval, which is not symmetric."""
    fair_share: float
    """The share of seat 0 if all seats were equal."""


def scores_of(tally: Tally, place: tuple[int | slice, int | slice]) -> dict[int, int]:
    """Count how often each score occurred on some seats and for some players."""
    counts = tally.counts.histogram[place].reshape(-1, tally.counts.histogram.shape[-1]).sum(axis=0)
    return {score + LOWEST: count for score, count in _counted(counts).items()}


def line_of(tally: Tally, name: str, place: tuple[int | slice, int | slice]) -> Line:
    """Return the statistics of some seats and players."""

    def total(counts: Numbers) -> int:
        return int(counts[place].sum())

    won = tally.counts.won[place].reshape(-1, tally.counts.won.shape[-1]).sum(axis=0)
    games = int(won.sum())
    some = max(1, games)
    mean = total(tally.counts.scores) / some
    variance = _variance(games, total(tally.counts.scores), total(tally.counts.squares))
    return Line(
        name=name,
        games=games,
        mean=mean,
        deviation=sqrt(variance),
        interval=_interval_of_mean(variance / some, games - 1),
        quantiles=_quantiles(scores_of(tally, place)),
        wins=int(won[1]) / some,
        ties=int(won[2:].sum()) / some,
        win_share=_shares(won) / some,
        misses=total(tally.counts.misses) / some,
        locks=total(tally.counts.locks) / some,
    )


def turns_of(tally: Tally) -> Turns:
    """Return the statistics of the lengths of games."""
    lengths = _counted(tally.counts.turns)
    total = sum(turns * count for turns, count in lengths.items())
    squares = sum(turns * turns * count for turns, count in lengths.items())
    return Turns(
        mean=total / max(1, tally.games),
        deviation=sqrt(_variance(tally.games, total, squares)),
        shortest=min(lengths, default=0),
        longest=max(lengths, default=0),
        histogram=lengths,
    )


def first_seat_of(tally: Tally) -> FirstSeat | None:
    """Return the first-seat advantage; None in solitaire."""
    seats = len(tally.counts.lead_squares)
    if seats == 1 or not tally.games:
        return None
    leads, shares = 0, 0.0
    of_leads = below = above = 0.0
    seatings = [int(won.sum()) for won in tally.counts.won[0, :seats] if won.any()]
    freedom = tally.games - len(seatings) if min(seatings) > 1 else 0
    for table in range(seats):
        won = tally.counts.won[0, table]
        games = int(won.sum())
        # Players move by one seat from table to table, so these are the scores of one table, seat by seat.
        scores = [int(tally.counts.scores[seat, (seat + table) % seats]) for seat in range(seats)]
        lead = seats * scores[0] - sum(scores)
        leads += lead
        of_leads += games * _variance(games, lead, int(tally.counts.lead_squares[table]))
        shares += _shares(won)
        low, high = share_range(_shares(won) / max(1, games), games)
        below += (_shares(won) - games * low) ** 2
        above += (games * high - _shares(won)) ** 2
    others = seats - 1
    share = shares / tally.games
    return FirstSeat(
        points=leads / others / tally.games,
        points_interval=_interval_of_mean(of_leads / (others * tally.games) ** 2, freedom),
        win_share=share,
        win_share_range=(share - sqrt(below) / tally.games, share + sqrt(above) / tally.games),
        fair_share=1 / seats,
    )


def _counted(counts: Numbers) -> dict[int, int]:
    """Return the nonzero counts by index."""
    return {int(at): int(counts[at]) for at in np.flatnonzero(counts)}


def _shares(won: Numbers, power: int = 1) -> float:
    """Sum shares of wins, or their squares, from counts by number of winners."""
    return float(sum(int(count) / winners**power for winners, count in enumerate(won) if winners))


def _variance(games: int, total: float, squares: float) -> float:
    """Estimate the variance of a value over `games` games from its sum and the sum of its squares."""
    return max(0.0, squares - total * total / games) / (games - 1) if games > 1 else 0.0


def share_range(share: float, games: int) -> tuple[float, float]:
    """Return the ends of Wilson's 95 % interval of a share: with two wins in two games it is from 34 % to 100 %."""
    if not games:
        return 0.0, 1.0
    middle = share + Z_95**2 / (2 * games)
    side = Z_95 * sqrt(share * (1 - share) / games + (Z_95 / (2 * games)) ** 2)
    whole = 1 + Z_95**2 / games
    return max(0.0, (middle - side) / whole), min(1.0, (middle + side) / whole)


def _interval_of_mean(variance: float, freedom: int) -> float:
    """Return half the width of Student's 95 % interval of a mean with this variance; infinite if nothing varies."""
    return _student(freedom) * sqrt(variance) if freedom > 0 and variance else inf


def _student(freedom: int) -> float:
    """
    Return the number that Student's variable exceeds in size with a probability of 5 %.

    Exact for one and two degrees of freedom; else the expansion of Cornish and Fisher, which is off by 0.2 % at most.
    """
    if freedom <= 2:
        return (12.706205, 4.302653)[freedom - 1]
    z = Z_95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum([term * float(freedom) ** -power for power, term in enumerate(terms, 1)], 0.0)


def _quantiles(histogram: Mapping[int, int]) -> dict[int, int]:
    """Find the lowest score that each share of the games does not exceed."""
    games = sum(histogram.values())
    found: dict[int, int] = {}
    seen = 0
    for score, count in histogram.items():
        seen += count
        for percent in PERCENTS:
            if percent not in found and 100 * seen >= percent * games:
                found[percent] = score
    return found
