"""The judge where nothing better is known: games are played on many times, all seats by the same rule of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from qwixx.analysis.judging import (
    PLAYED_ON,
    POINTS,
    WIN,
    Weighed,
    Weight,
    Worth,
    asked_of,
    best_of,
    carry_out,
    choices_of,
    fresh,
    repeated,
)
from qwixx.analysis.rollouts import Doubles, Played, Rollouts, interval
from qwixx.game import Game
from qwixx.kernel.records import DRAW, OVER, STATE, Records
from qwixx.notation import Action
from qwixx.players.weights import Weigher
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant

GAMES: Final = 200
"""Games that are played on after each choice."""
_WORLDS: Final = 20
"""Tables that a seat imagines in the card game; the games are shared out among them."""
_SEED: Final = 0x71A9


class PlayedOn:
    """Plays on, and counts."""

    source = PLAYED_ON

    def __init__(self, variant: Variant, seats: int, weigher: Weigher, games: int = GAMES) -> None:
        """Sit down on all seats."""
        self.by = weigher.name
        self.measure = WIN if seats > 1 else POINTS
        self.error = 0.0
        """Each choice has an interval of its own."""
        self._seats = seats
        self._games = games
        self._is_cards = variant.is_cards
        self._layouts = compile_layout(variant)
        self._rollouts = Rollouts(variant, seats, weigher)

    def worth(self, game: Game) -> Worth:
        """Play on as it is; each seat's value is from tables that it can imagine."""
        played = [self._play_on(game, seat, None) for seat in self._imagining()]
        if len(played) == 1:
            return Worth(tuple(self._values(played[0]).mean(axis=0).tolist()), played[0].means)
        values = tuple(float(self._values(each)[:, seat].mean()) for seat, each in enumerate(played))
        return Worth(values, tuple(each.means[seat] for seat, each in enumerate(played)))

    def _imagining(self) -> range:
        """List the seats whose tables differ: with dice everybody sees the same one."""
        return range(self._seats if self._is_cards else 1)

    def _values(self, played: Played) -> Doubles:
        return played.shares if self.measure == WIN else played.points

    def _play_on(self, game: Game, seat: int, action: Action | None) -> Played:
        states = self._tables(game, seat)
        if action is not None:
            for at in range(len(states)):
                carry_out(self._layouts, states, at, {seat: action.id})
        return self._rollouts.play(states, _SEED)

    def _tables(self, game: Game, seat: int) -> Records:
        """Give a table for each game: the real one, or with cards such as a seat can imagine."""
        if not self._is_cards:
            return repeated(_opened(game), self._games)
        drawn = [_opened(game.imagine(seat, _SEED + n)).tobytes() for n in range(min(_WORLDS, self._games))]
        return np.frombuffer(bytearray(b"".join(drawn[n % len(drawn)] for n in range(self._games))), STATE)

    def weigh(self, game: Game) -> Weighed:
        """Play on after every choice of all who decide."""
        found = {seat: self._choices(game, seat) for seat in asked_of(game)}
        best = {seat: best_of(weights, seat) for seat, weights in found.items()}
        if len(best) == 1:
            (only,) = best.values()
            return Weighed(only.values, only.points, found, bool(game.raw()[1]["phase"][0] == DRAW))
        everybody = range(self._seats)
        values = tuple(best[seat].values[seat] for seat in everybody)
        return Weighed(values, tuple(best[seat].points[seat] for seat in everybody), found)

    def _choices(self, game: Game, seat: int) -> list[Weight]:
        actions = choices_of(game, seat)
        played = [self._play_on(game, seat, action) for action in actions]
        top = max((self._values(each)[:, seat] for each in played), key=lambda line: float(line.mean()))
        return [
            Weight(
                action,
                tuple(self._values(each).mean(axis=0).tolist()),
                each.means,
                interval(self._values(each)[:, seat], top),
            )
            for action, each in zip(actions, played, strict=True)
        ]

    def settle(self, game: Game, seat: int, weighed: Weighed, actions: Sequence[Action], games: int) -> Weighed | None:
        """Say nothing more: all choices were played on already."""
        return None


def _opened(game: Game) -> Records:
    """Copy where a game stands, with its window as it was opened."""
    layouts, states = game.raw()
    if game.awaits_chance or states["phase"][0] == OVER:
        return repeated(states, 1)
    return fresh(layouts, states)
