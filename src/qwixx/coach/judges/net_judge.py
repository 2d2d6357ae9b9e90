"""
The judge of games without an exact solution: a net that was trained for the game evaluates positions.

The evaluation is compiled, because the page runs it too (`qwixx.nets.evaluate`). This module wraps its results, and
adds rollouts for close calls. In solitaire a net for one seat estimates the final points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from qwixx.coach.judges.judge import (
    LEARNED,
    POINTS,
    ROLLOUTS,
    WIN,
    ActionValue,
    ActionValues,
    Judge,
    Measure,
    Numbers,
    StateValue,
    best_of,
    deciding_seats,
    legal_choices,
    repeat_state,
    shows_cards,
)
from qwixx.coach.judges.net_errors import error_of
from qwixx.coach.judges.rollouts import Rollouts, interval
from qwixx.game.game import Game
from qwixx.kernel.state.records import Record, Records
from qwixx.nets.evaluate import CHOICE, MOST_CHOICES, WORKSPACE, action_values, state_value
from qwixx.nets.feature_tables import load_net
from qwixx.nets.network import copy_net
from qwixx.players.built_in.master import MASTER, net_of
from qwixx.text.notation import Action
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant

_DEEP_WORLDS: Final = 100
"""Card games: the rollouts of a choice start from this many determinizations."""


class NetJudge(Judge):
    """Evaluates positions with a net."""

    by = MASTER.name
    source = LEARNED

    def __init__(self, variant: Variant, seats: int) -> None:
        """Load the net. Raises `QwixxError` if there is none."""
        self.measure: Measure = WIN if seats > 1 else POINTS
        self.unit = "chance to win" if seats > 1 else "expected final points"
        self._seats = seats
        self.error = error_of(variant, seats)
        net = net_of(variant, seats)
        # A writable copy, as in training: arrays of the same type use the same compiled code.
        self._arrays = load_net(compile_layout(variant), copy_net(net), seats)
        self.rollouts = Rollouts(variant, seats, net, worlds=_DEEP_WORLDS) if seats > 1 else None

    # ---- positions and choices

    def state_value(self, game: Game) -> StateValue:
        """Evaluate a position; before the deal, average over many deals."""
        workspaces: Records = np.zeros(1, WORKSPACE)
        state_value(self._arrays.with_scratch(), workspaces, repeat_state(game.raw()[1], 1))
        return StateValue(*self._values_and_points(workspaces[0]))

    def action_values(self, game: Game) -> ActionValues:
        """Evaluate all choices of all deciding seats."""
        workspaces: Records = np.zeros(1, WORKSPACE)
        found: Records = np.zeros(MOST_CHOICES, CHOICE)
        count = action_values(self._arrays.with_scratch(), workspaces, repeat_state(game.raw()[1], 1), found)
        actions = {(seat, action.id): action for seat in deciding_seats(game) for action in legal_choices(game, seat)}
        choices: dict[int, list[ActionValue]] = {}
        for each in found[:count]:
            option = ActionValue(actions[int(each.seat), int(each.action)], *self._values_and_points(each))
            choices.setdefault(int(each.seat), []).append(option)
        return ActionValues(*self._values_and_points(workspaces[0]), choices, shows_cards(game))

    def _values_and_points(self, record: Record) -> tuple[Numbers, Numbers]:
        return tuple(record.values[: self._seats].tolist()), tuple(record.points[: self._seats].tolist())

    # ---- rollouts

    def refine(
        self, game: Game, seat: int, evaluated: ActionValues, actions: Sequence[Action], games: int
    ) -> ActionValues | None:
        """
        Play rollouts after some choices of a seat. The first keeps its value; the rollouts give the others' distance.

        The best choice of the net is among them; choices without rollouts keep their distance to it.
        """
        if self.rollouts is None:
            return None
        starts = self.rollouts.starts(game, seat, games)
        played = [self.rollouts.play(starts, games, seat, action) for action in actions]
        before = {option.action.id: option for option in evaluated.choices[seat]}
        anchor = before[actions[0].id]
        top = max(played, key=lambda each: float(each.shares[:, seat].mean()))
        after = {}
        for action, each in zip(actions, played, strict=True):
            values = _shifted(anchor.values, each.win_probabilities, played[0].win_probabilities)
            points = _shifted(anchor.points, each.mean_points, played[0].mean_points)
            after[action.id] = ActionValue(action, values, points, interval(each.shares[:, seat], top.shares[:, seat]))
        preferred = best_of(evaluated.choices[seat], seat).action.id
        for option in evaluated.choices[seat]:
            if option.action.id not in after:
                values = _shifted(option.values, after[preferred].values, before[preferred].values)
                after[option.action.id] = ActionValue(option.action, values, option.points)
        if evaluated.shows_cards:  # the value of a draw for the other seats is not estimated (`nets.evaluate`)
            after = {number: _changed_for(seat, option, before[number]) for number, option in after.items()}
        return _with_choices(evaluated, seat, list(after.values()))


def _changed_for(seat: int, option: ActionValue, before: ActionValue) -> ActionValue:
    """Return `before` with the new value of one seat only."""
    values = tuple(
        new if at == seat else old for at, (new, old) in enumerate(zip(option.values, before.values, strict=True))
    )
    return ActionValue(option.action, values, before.points, option.interval)


def _with_choices(evaluated: ActionValues, seat: int, options: list[ActionValue]) -> ActionValues:
    """Replace the choices of a seat; the value of the position for the seat is that of the best one."""
    best = best_of(options, seat)
    values = evaluated.values
    if not evaluated.shows_cards:
        is_only = len(evaluated.choices) == 1
        values = tuple(best.values[at] if at == seat or is_only else value for at, value in enumerate(values))
    choices, sources = {**evaluated.choices, seat: options}, {**evaluated.sources, seat: ROLLOUTS}
    return ActionValues(values, evaluated.points, choices, evaluated.shows_cards, sources)


def _shifted(start: Numbers, here: Numbers, there: Numbers) -> Numbers:
    """Shift values by the difference of two others."""
    return tuple(value + a - b for value, a, b in zip(start, here, there, strict=True))
