"""The protocol of judges: the value of a position for each seat, and the value of each legal choice there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from qwixx.game.game import Game
from qwixx.game.question import legal_actions
from qwixx.game.vocabulary import vocabulary_of
from qwixx.kernel import api
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ACTIONS, NO_CHOICE, STATE, Ints, Records
from qwixx.text.notation import Action

WIN, POINTS = "win", "points"
"""The measures: win probability (multiplayer) or final points (solitaire)."""
EXACT, LEARNED, ROLLOUTS, PLAYED_ON = "exact", "learned", "rollouts", "played on"
"""The source of a value: the exact solution, a net, rollouts of the net, rollouts of a heuristic player."""
SAMPLED = (ROLLOUTS, PLAYED_ON)
"""The sources whose values are means over random games, each with a confidence interval."""
Numbers = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ActionValue:
    """One legal action of a seat: its value for each seat, from what the deciding seat knows."""

    action: Action
    values: Numbers
    """In units of the measure, for each seat."""
    points: Numbers
    """The expected final points of each seat."""
    interval: float = 0.0
    """Half the width of the 95 % confidence interval of the difference to the best; 0 if nothing was sampled."""


@dataclass(frozen=True, slots=True)
class ActionValues:
    """A position with an open decision: its value for each seat, and all choices of each deciding seat."""

    values: Numbers
    points: Numbers
    choices: dict[int, list[ActionValue]]
    shows_cards: bool = False
    """Whether the decision reveals cards that its seat has not seen yet: then its result depends on chance, too."""
    sources: dict[int, str] = field(default_factory=dict)
    """By seat: the source of its values, if it is not the judge's usual source."""


@dataclass(frozen=True, slots=True)
class StateValue:
    """The value of a position for each seat, where chance is next or the game is over."""

    values: Numbers
    points: Numbers


class Judge(Protocol):
    """Evaluates positions."""

    by: str
    """The name of the player behind the values."""
    source: str
    measure: str
    error: float
    """The typical error of its values: a smaller loss is not a mistake."""

    def state_value(self, game: Game) -> StateValue:
        """Evaluate a position where chance is next, or the game is over."""

    def action_values(self, game: Game) -> ActionValues:
        """Evaluate all choices of all deciding seats, each only from what its seat may know."""

    def refine(
        self, game: Game, seat: int, evaluated: ActionValues, actions: Sequence[Action], games: int
    ) -> ActionValues | None:
        """Compare some choices of a seat more exactly, by `games` rollouts after each; None if it cannot."""


def best_of(options: Sequence[ActionValue], seat: int) -> ActionValue:
    """Return the choice with the highest value for a seat."""
    return max(options, key=lambda option: option.values[seat])


# ---- states for trying choices


def repeat_state(states: Records, times: int) -> Records:
    """Return an array of copies of one state; NumPy's copy works field by field and takes far longer."""
    return np.frombuffer(bytearray(states.tobytes() * times), STATE)


def reopened(layouts: Records, states: Records) -> Records:
    """Return a copy of a state as it was when its decision window opened, before any choice."""
    copies = repeat_state(states, 1)
    copies["waiting"] = api.asked(layouts, copies, 0)
    copies["choices"] = NO_CHOICE
    return copies


def legal_choices(game: Game, seat: int) -> list[Action]:
    """List the legal actions of a seat in the open window, whether or not it has decided."""
    layouts, states = game.raw()
    buffer = np.zeros(ACTIONS, np.int32)
    return legal_actions(vocabulary_of(game.variant, layouts), layouts, reopened(layouts, states), seat, buffer)


def deciding_seats(game: Game) -> tuple[int, ...]:
    """List the seats that decide in the open window, whether or not they have decided."""
    layouts, states = game.raw()
    mask = int(api.asked(layouts, states, 0))
    return tuple(seat for seat in range(game.seats) if mask >> seat & 1)


_LOG: Ints = new_log()


def apply_choices(layouts: Records, states: Records, at: int, choices: dict[int, int]) -> None:
    """Apply legal choices, by seat, to one of the states."""
    for seat, action in choices.items():
        refused = api.decide(layouts, states, at, seat, action, _LOG)
        assert not refused, "a legal action was refused"
