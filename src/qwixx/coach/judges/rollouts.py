"""
Rollouts: games played from a position to their end, by a net or by a heuristic player on all seats.

They start from what a seat knows. Game number n has the same dice after every choice that is compared, so that few
games show a difference.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from qwixx.coach.judges.judge import Numbers, apply_choice, reopened, repeat_state
from qwixx.game.game import Game
from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import MENU, STATE, Records
from qwixx.nets.network import Net
from qwixx.players.game_loop import play_block
from qwixx.players.heuristics import SEATING, HeuristicPlayer
from qwixx.players.net_games import NetFollower, NetGames
from qwixx.sim.statistics import Z_95
from qwixx.text.notation import Action
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant

SEED: Final = 0x71A9
_SEEDS: Final = 1 << 64
Doubles = npt.NDArray[np.float64]


class RolloutResult(Struct, frozen=True):
    """The results of rollouts: each seat's share of the win and its points, game by game."""

    shares: Doubles
    points: Doubles

    @property
    def win_probabilities(self) -> Numbers:
        """The mean share of the win of each seat."""
        return means(self.shares)

    @property
    def mean_points(self) -> Numbers:
        """The mean points of each seat."""
        return means(self.points)

    @property
    def leads(self) -> Doubles:
        """The points of each seat minus those of the best other seat."""
        best_others = [np.delete(self.points, seat, 1).max(axis=1) for seat in range(self.points.shape[1])]
        leads: Doubles = self.points - np.stack(best_others, 1)
        return leads


def means(results: Doubles) -> Numbers:
    """Return the mean over all games, seat by seat."""
    return tuple(results.mean(axis=0).tolist())


def interval(first: Doubles, second: Doubles) -> float:
    """Return half the width of the 95 % confidence interval of the mean of paired differences."""
    return float(Z_95 * (first - second).std() / sqrt(max(len(first) - 1, 1)))


class Rollouts:
    """Plays games to their end: a net plays all seats, or a heuristic player does."""

    def __init__(
        self, variant: Variant, seats: int, player: Net | HeuristicPlayer, *, worlds: int, seed: int = SEED
    ) -> None:
        """Let `player` play all seats; rollouts of a card game start from up to `worlds` determinizations."""
        self._seats = seats
        self._worlds = worlds
        self._seed = seed
        self._is_cards = variant.is_cards
        self._layouts = compile_layout(variant)
        self._net_games: NetGames | None = None
        self._seatings: Records = np.zeros(1, SEATING)
        if isinstance(player, HeuristicPlayer):
            self._seatings["players"] = player.record(variant)[0]
        else:
            self._net_games = NetGames(variant, player, [NetFollower()] * seats, rotate=False)

    def starts(self, game: Game, seat: int, games: int) -> Records:
        """
        Return the states from which a seat's rollouts start: the real one, or with cards determinizations.

        An open decision window begins again: no seat has decided there.
        """
        if not self._is_cards:
            return _opened(game)
        worlds = range(min(self._worlds, games))
        drawn = [_opened(game.imagine(seat, (self._seed + n) % _SEEDS)).tobytes() for n in worlds]
        return np.frombuffer(bytearray(b"".join(drawn)), STATE)

    def play(
        self, starts: Records, games: int, seat: int = 0, action: Action | None = None, *, first: int = 0
    ) -> RolloutResult:
        """
        Play games from these states in turn, after an action of a seat; equal totals share the win (C12).

        `first` is the number of the first game: a run can be continued.
        """
        states = repeat_state(starts, 1)
        if action is not None:
            apply_choice(self._layouts, states, seat, action)
        results: Records = np.zeros(games, RESULT)
        seed = np.uint64(self._seed)
        if self._net_games is not None:
            self._net_games.play(seed, first, results, states)
        else:
            room, menus = np.zeros(1, STATE), np.zeros(1, MENU)
            play_block(self._layouts, room, self._seats, self._seatings, seed, first, results, menus, states)
        points = results["score"][:, : self._seats].astype(np.float64)
        is_winner = points == points.max(axis=1, keepdims=True)
        return RolloutResult(is_winner / is_winner.sum(axis=1, keepdims=True), points)


def _opened(game: Game) -> Records:
    """Return a copy of the state; an open decision window is reset to its start."""
    layouts, states = game.raw()
    return repeat_state(states, 1) if game.awaits_chance or game.is_over else reopened(layouts, states)
