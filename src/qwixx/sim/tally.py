"""Counts of games: integers only, so that the order in which blocks arrive cannot change a digit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qwixx.jit.decorators import borrowed, eager_entry
from qwixx.kernel import game_end
from qwixx.kernel.state.records import ENDINGS, Records
from qwixx.players.rotation import player_of

LOWEST = -400
HIGHEST = 1600
"""Scores outside this range are counted at its ends; no known sheet comes near."""
LONGEST = 1000
"""Games of more turns are counted here; no known game comes near."""

Numbers = npt.NDArray[np.int64]


class Counts(NamedTuple):
    """
    What is counted.

    Arrays by seat and player have an entry for each seat and each player of the lineup; players change seats from game
    to game.
    """

    endings: Numbers
    turns: Numbers
    """The number of games, by number of turns."""
    won: Numbers
    """By seat, player and number of winners: games won alone, by two, ...; those at 0 were lost (C12)."""
    scores: Numbers
    squares: Numbers
    misses: Numbers
    locks: Numbers
    histogram: Numbers
    """By seat, player and score, counted from LOWEST."""
    lead_squares: Numbers
    """
    By the player on seat 0: the squares of its lead over the other seats of the same game, added up.

    The lead is (seats - 1) times its score less all others, which is an integer. The sum of the leads is not counted:
    it follows from `scores`.
    """


@eager_entry
def _count(counts: Counts, results: Records, seats: int, first_game: int, tables: int) -> None:
    """Count games. Compiled, so that counting is as fast as playing and releases the interpreter lock."""
    counts = borrowed(counts)
    for index in range(len(results)):
        result = results[index]
        table = (first_game + index) % tables
        counts.endings[result.ending] += 1
        counts.turns[min(result.turns, LONGEST)] += 1
        winners = game_end.winners(result.score, seats)
        shared_by = 0
        total = 0
        for seat in range(seats):
            shared_by += winners >> seat & 1
            total += int(result.score[seat])
        for seat in range(seats):
            player = player_of(seat, table, seats)
            score = int(result.score[seat])
            counts.won[seat, player, shared_by if winners >> seat & 1 else 0] += 1
            counts.scores[seat, player] += score
            counts.squares[seat, player] += score * score
            counts.misses[seat, player] += result.misses[seat]
            counts.locks[seat, player] += result.locks[seat]
            counts.histogram[seat, player, min(max(score, LOWEST), HIGHEST) - LOWEST] += 1
        lead = seats * int(result.score[0]) - total
        counts.lead_squares[table] += lead * lead


@dataclass(slots=True)
class Tally:
    """Counts over some games."""

    games: int
    counts: Counts

    @classmethod
    def empty(cls, seats: int) -> Tally:
        """Return a tally of no games."""

        def places(*more: int) -> Numbers:
            return np.zeros((seats, seats, *more), np.int64)

        counts = Counts(
            endings=np.zeros(len(ENDINGS), np.int64),
            turns=np.zeros(LONGEST + 1, np.int64),
            won=places(seats + 1),
            scores=places(),
            squares=places(),
            misses=places(),
            locks=places(),
            histogram=places(HIGHEST - LOWEST + 1),
            lead_squares=np.zeros(seats, np.int64),
        )
        return cls(0, counts)

    def add_games(self, results: Records, seats: int, first_game: int, tables: int) -> None:
        """Count the results of consecutive games; game g was played at table g modulo their number."""
        self.games += len(results)
        _count(self.counts, results, seats, first_game, tables)

    def add(self, other: Tally) -> None:
        """Add the counts of other games."""
        self.games += other.games
        for mine, theirs in zip(self.counts, other.counts, strict=True):
            np.add(mine, theirs, out=mine)
