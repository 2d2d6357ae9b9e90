"""Counting up games: whole numbers only, so that the order in which blocks come in cannot change a digit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from qwixx.kernel.jit import kernel
from qwixx.kernel.records import ENDINGS, Records

LOWEST = -400
HIGHEST = 1600
"""Scores outside this are counted at its ends; no sheet of the family comes near."""

Counts = npt.NDArray[np.int64]


@kernel
def _count(
    results: Records,
    seats: int,
    first_game: int,
    tables: int,
    played: Counts,
    scores: Counts,
    squares: Counts,
    wins: Counts,
    ties: Counts,
    misses: Counts,
    locks: Counts,
    histogram: Counts,
) -> None:
    """Count games at the speed at which they are played, and without the interpreter lock."""
    for index in range(len(results)):
        result = results[index]
        best = result.score[0]
        for seat in range(seats):
            best = max(best, result.score[seat])
        winners = 0
        for seat in range(seats):
            winners += int(result.score[seat] == best)
        for seat in range(seats):
            player = (seat + (first_game + index) % tables) % seats
            score = int(result.score[seat])
            played[seat, player] += 1
            scores[seat, player] += score
            squares[seat, player] += score * score
            wins[seat, player] += int(score == best) & int(winners == 1)
            ties[seat, player] += int(score == best) & int(winners > 1)
            misses[seat, player] += result.misses[seat]
            locks[seat, player] += result.locks[seat]
            histogram[seat, player, min(max(score, LOWEST), HIGHEST) - LOWEST] += 1


@dataclass(slots=True)
class Tally:
    """
    What was seen in some games.

    The arrays have a place for each seat and each player of the line-up; players change seats from game to game.
    """

    games: int
    turns: int
    endings: Counts
    played: Counts
    scores: Counts
    squares: Counts
    wins: Counts
    ties: Counts
    misses: Counts
    locks: Counts
    histogram: Counts

    @classmethod
    def empty(cls, seats: int) -> Tally:
        """Begin with nothing."""

        def places(*more: int) -> Counts:
            return np.zeros((seats, seats, *more), np.int64)

        return cls(
            games=0,
            turns=0,
            endings=np.zeros(len(ENDINGS), np.int64),
            played=places(),
            scores=places(),
            squares=places(),
            wins=places(),
            ties=places(),
            misses=places(),
            locks=places(),
            histogram=places(HIGHEST - LOWEST + 1),
        )

    def add_games(self, results: Records, seats: int, first_game: int, tables: int) -> None:
        """Count the results of consecutive games; game g was played at table g modulo their number."""
        self.games += len(results)
        self.turns += int(results["turns"].sum())
        self.endings += np.bincount(results["ending"], minlength=len(ENDINGS))
        _count(
            results,
            seats,
            first_game,
            tables,
            self.played,
            self.scores,
            self.squares,
            self.wins,
            self.ties,
            self.misses,
            self.locks,
            self.histogram,
        )

    def add(self, other: Tally) -> None:
        """Add what was seen in other games."""
        self.games += other.games
        self.turns += other.turns
        for name in ("endings", "played", "scores", "squares", "wins", "ties", "misses", "locks", "histogram"):
            getattr(self, name).__iadd__(getattr(other, name))
