"""The judge of last resort: rollouts in which the same heuristic player plays all seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from qwixx.coach.judges.judge import (
    PLAYED_ON,
    POINTS,
    WIN,
    ActionValue,
    ActionValues,
    StateValue,
    apply_choices,
    best_of,
    deciding_seats,
    legal_choices,
    reopened,
    repeat_state,
)
from qwixx.coach.judges.rollouts import Doubles, RolloutResult, Rollouts, interval
from qwixx.game.game import Game
from qwixx.kernel.state.records import DRAW, OVER, STATE, Records
from qwixx.players.heuristics import HeuristicPlayer
from qwixx.text.notation import Action
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant

GAMES: Final = 200
"""Rollouts after each choice."""
_WORLDS: Final = 20
"""Card games: the rollouts start from this many determinizations."""
_SEED: Final = 0x71A9


class RolloutJudge:
    """Evaluates positions by rollouts of a heuristic player."""

    source = PLAYED_ON

    def __init__(self, variant: Variant, seats: int, player: HeuristicPlayer, games: int = GAMES) -> None:
        """Let `player` play all seats."""
        self.by = player.name
        self.measure = WIN if seats > 1 else POINTS
        self.error = 0.0
        """Each choice has its own confidence interval."""
        self._seats = seats
        self._games = games
        self._is_cards = variant.is_cards
        self._layouts = compile_layout(variant)
        self._rollouts = Rollouts(variant, seats, player)

    def state_value(self, game: Game) -> StateValue:
        """Play rollouts from the position; each seat's value comes from its own determinizations."""
        played = [self._roll_out(game, seat, None) for seat in self._viewpoints()]
        if len(played) == 1:
            return StateValue(tuple(self._values(played[0]).mean(axis=0).tolist()), played[0].mean_points)
        values = tuple(float(self._values(each)[:, seat].mean()) for seat, each in enumerate(played))
        return StateValue(values, tuple(each.mean_points[seat] for seat, each in enumerate(played)))

    def _viewpoints(self) -> range:
        """List the seats that see different states; with dice all seats see the same one."""
        return range(self._seats if self._is_cards else 1)

    def _values(self, played: RolloutResult) -> Doubles:
        return played.shares if self.measure == WIN else played.points

    def _roll_out(self, game: Game, seat: int, action: Action | None) -> RolloutResult:
        states = self._start_states(game, seat)
        if action is not None:
            for at in range(len(states)):
                apply_choices(self._layouts, states, at, {seat: action.id})
        return self._rollouts.play(states, _SEED)

    def _start_states(self, game: Game, seat: int) -> Records:
        """Return a start state for each rollout: the real one, or with cards determinizations for the seat."""
        if not self._is_cards:
            return repeat_state(_opened(game), self._games)
        drawn = [_opened(game.imagine(seat, _SEED + n)).tobytes() for n in range(min(_WORLDS, self._games))]
        return np.frombuffer(bytearray(b"".join(drawn[n % len(drawn)] for n in range(self._games))), STATE)

    def action_values(self, game: Game) -> ActionValues:
        """Play rollouts after every choice of all deciding seats."""
        choices = {seat: self._choices(game, seat) for seat in deciding_seats(game)}
        best = {seat: best_of(options, seat) for seat, options in choices.items()}
        if len(best) == 1:
            (only,) = best.values()
            return ActionValues(only.values, only.points, choices, bool(game.raw()[1]["phase"][0] == DRAW))
        all_seats = range(self._seats)
        values = tuple(best[seat].values[seat] for seat in all_seats)
        return ActionValues(values, tuple(best[seat].points[seat] for seat in all_seats), choices)

    def _choices(self, game: Game, seat: int) -> list[ActionValue]:
        actions = legal_choices(game, seat)
        played = [self._roll_out(game, seat, action) for action in actions]
        top = max((self._values(each)[:, seat] for each in played), key=lambda line: float(line.mean()))
        return [
            ActionValue(
                action,
                tuple(self._values(each).mean(axis=0).tolist()),
                each.mean_points,
                interval(self._values(each)[:, seat], top),
            )
            for action, each in zip(actions, played, strict=True)
        ]

    def refine(
        self, game: Game, seat: int, evaluated: ActionValues, actions: Sequence[Action], games: int
    ) -> ActionValues | None:
        """Return None: all choices had their rollouts already."""
        return None


def _opened(game: Game) -> Records:
    """Return a copy of the state; an open decision window is reset to its start."""
    layouts, states = game.raw()
    if game.awaits_chance or states["phase"][0] == OVER:
        return repeat_state(states, 1)
    return reopened(layouts, states)
