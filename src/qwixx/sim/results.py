"""What came out of a simulation: for people as a table, for programs as plain data."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np

from qwixx.kernel.records import ENDINGS
from qwixx.sim.tally import LOWEST, Counts, Tally
from qwixx.variants.model import Variant

_Z = 1.959964
"""A normal variable lies within so many deviations with a chance of 95 %."""


@dataclass(frozen=True, slots=True)
class Line:
    """Scores of one player, or of whoever sat on one seat."""

    name: str
    games: int
    mean: float
    deviation: float
    interval: float
    """Half the width of the 95 % confidence interval of the mean."""
    wins: float
    """Share of games won alone."""
    ties: float
    """Share of games won together with others."""
    misses: float
    locks: float


@dataclass(frozen=True, slots=True)
class Results:
    """A finished simulation, or what had been played of it when it was stopped."""

    variant: Variant
    bots: tuple[str, ...]
    seed: int
    rotated: bool
    tally: Tally
    seconds: float
    stopped: bool = False

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.tally.games

    @property
    def seats(self) -> int:
        """How many seats played."""
        return len(self.bots)

    @property
    def turns(self) -> float:
        """Turns in an average game."""
        return self.tally.turns / max(1, self.games)

    @property
    def endings(self) -> dict[str, float]:
        """The share of games that ended for each reason (C11, K8, D8)."""
        pairs = zip(ENDINGS, self.tally.endings, strict=True)
        return {name: int(count) / max(1, self.games) for name, count in pairs if name and count}

    def by_seat(self) -> list[Line]:
        """Give the scores of each seat, whoever sat there; seat 0 begins."""
        return [self._line(f"seat {seat}", (seat, slice(None))) for seat in range(self.seats)]

    def by_player(self) -> list[Line]:
        """Give the scores of each player of the line-up, wherever they sat."""
        return [self._line(name, (slice(None), player)) for player, name in enumerate(self.bots)]

    def histogram(self) -> dict[int, int]:
        """Count how often each score came, over all seats."""
        counts = self.tally.histogram.sum(axis=(0, 1))
        return {int(at) + LOWEST: int(counts[at]) for at in np.flatnonzero(counts)}

    def first_seat_advantage(self) -> float | None:
        """Tell by how many points seat 0 beats the average of the other seats; None in solitaire."""
        if self.seats == 1 or not self.games:
            return None
        lines = self.by_seat()
        return lines[0].mean - sum(line.mean for line in lines[1:]) / (self.seats - 1)

    def _line(self, name: str, place: tuple[int | slice, int | slice]) -> Line:
        def total(counts: Counts) -> int:
            return int(counts[place].sum())

        games = total(self.tally.played)
        some = max(1, games)
        mean = total(self.tally.scores) / some
        variance = max(0.0, total(self.tally.squares) / some - mean * mean) * some / max(1, some - 1)
        return Line(
            name=name,
            games=games,
            mean=mean,
            deviation=sqrt(variance),
            interval=_Z * sqrt(variance / some),
            wins=total(self.tally.wins) / some,
            ties=total(self.tally.ties) / some,
            misses=total(self.tally.misses) / some,
            locks=total(self.tally.locks) / some,
        )

    def to_dict(self) -> dict[str, Any]:
        """Give everything but the time it took as plain data: the same seed gives the same data."""
        return {
            "variant": self.variant.id,
            "sheet": self.variant.sheet or None,
            "seats": self.seats,
            "bots": list(self.bots),
            "seed": self.seed,
            "rotated": self.rotated,
            "stopped": self.stopped,
            "games": self.games,
            "turns": self.turns,
            "endings": self.endings,
            "first_seat_advantage": self.first_seat_advantage(),
            "by_seat": [asdict(line) for line in self.by_seat()],
            "by_player": [asdict(line) for line in self.by_player()],
            "histogram": {str(score): count for score, count in self.histogram().items()},
        }

    def to_json(self) -> str:
        """Give the plain data as JSON."""
        return json.dumps(self.to_dict(), indent=2)
