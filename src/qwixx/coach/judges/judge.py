"""The protocol of judges: the value of a position for each seat, and the value of each legal choice there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Protocol

import numpy as np
from msgspec import Struct

from qwixx.errors import QwixxError
from qwixx.game.choice import Choice
from qwixx.game.game import Game
from qwixx.game.question import legal_actions
from qwixx.game.vocabulary import Vocabulary
from qwixx.kernel import api
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ACTIONS, DRAW, NO_CHOICE, STATE, Ints, Records
from qwixx.text.arguments import require_int
from qwixx.text.notation import Action

Measure = Literal["win", "points"]
WIN: Final = "win"
POINTS: Final = "points"
"""The measures: win probability (multiplayer) or final points (solitaire)."""
Source = Literal["exact", "learned", "rollouts", "played on"]
EXACT: Final = "exact"
LEARNED: Final = "learned"
ROLLOUTS: Final = "rollouts"
PLAYED_ON: Final = "played on"
"""The source of a value: the exact solution, a net, rollouts of the net, rollouts of a heuristic player."""
SAMPLED = (ROLLOUTS, PLAYED_ON)
"""The sources whose values are means over random games, each with a confidence interval."""
MOST_GAMES: Final = 1_000_000
_MARGIN: Final = 2.0
"""Choices within this many errors of the best get rollouts: one of them may be the best."""
Numbers = tuple[float, ...]


class ActionValue(Struct, frozen=True):
    """One legal action of a seat: its value for each seat, from what the deciding seat knows."""

    action: Action
    values: Numbers
    """In units of the measure, for each seat."""
    points: Numbers
    """The expected final points of each seat."""
    interval: float = 0.0
    """Half the width of the 95 % confidence interval of the difference to the best; 0 if nothing was sampled."""


class ActionValues(Struct, frozen=True):
    """A position with an open decision: its value for each seat, and all choices of each deciding seat."""

    values: Numbers
    points: Numbers
    choices: dict[int, list[ActionValue]]
    shows_cards: bool = False
    """Whether the decision reveals cards that its seat has not seen yet: then its result depends on chance, too."""
    sources: dict[int, Source] = {}
    """By seat: the source of its values, if it is not the judge's usual source."""


class StateValue(Struct, frozen=True):
    """The value of a position for each seat, where chance is next or the game is over."""

    values: Numbers
    points: Numbers


class Judge(Protocol):
    """Evaluates positions. A class that inherits from it needs `state_value`, and `options` or `action_values`."""

    by: str
    """The name of the player behind the values."""
    source: Source
    measure: Measure
    unit: str
    """The unit of its values in a few words, for people."""
    error: float
    """The typical error of its values: a smaller loss is not a mistake."""

    def state_value(self, game: Game) -> StateValue:
        """Evaluate a position where chance is next, or the game is over."""

    def options(self, game: Game, seat: int) -> list[ActionValue]:
        """Evaluate all choices of one deciding seat, only from what it may know."""
        return self.action_values(game).choices[seat]

    def action_values(self, game: Game) -> ActionValues:
        """Evaluate all choices of all deciding seats, each only from what its seat may know."""
        choices = {seat: self.options(game, seat) for seat in deciding_seats(game)}
        best = {seat: best_of(options, seat) for seat, options in choices.items()}
        if len(best) == 1:
            (only,) = best.values()
            return ActionValues(only.values, only.points, choices, shows_cards(game))
        values = tuple(best[seat].values[seat] for seat in range(game.seats))
        return ActionValues(values, tuple(best[seat].points[seat] for seat in range(game.seats)), choices)

    def refine(
        self, game: Game, seat: int, evaluated: ActionValues, actions: Sequence[Action], games: int
    ) -> ActionValues | None:
        """Compare some choices of a seat more exactly, by `games` rollouts after each; None if it cannot."""
        return None


def best_of(options: Sequence[ActionValue], seat: int) -> ActionValue:
    """Return the choice with the highest value for a seat."""
    return max(options, key=lambda option: option.values[seat])


def ranked(options: Sequence[ActionValue], seat: int) -> tuple[Choice, ...]:
    """Return the choices of a seat, best first, each with its loss."""
    top = best_of(options, seat).values[seat]
    choices = [
        Choice(option.action, option.values[seat], option.points[seat], top - option.values[seat], option.interval)
        for option in options
    ]
    return tuple(sorted(choices, key=lambda choice: choice.loss))


def settled(judge: Judge, game: Game, seat: int, evaluated: ActionValues, chosen: str, games: int) -> ActionValues:
    """Compare a choice with those near the best one by rollouts, if it is one of them and the judge can."""
    top = best_of(evaluated.choices[seat], seat).values[seat]
    near = [option.action for option in evaluated.choices[seat] if top - option.values[seat] < _MARGIN * judge.error]
    near.sort(key=lambda action: action.text != chosen)  # the chosen one first
    if len(near) < 2 or near[0].text != chosen:
        return evaluated
    return judge.refine(game, seat, evaluated, near, games) or evaluated


# ---- questions to judges


def check_games(games: int, least: int = 0) -> None:
    """Refuse a number of rollouts that makes no sense."""
    if not least <= require_int(games, "The number of games") <= MOST_GAMES:
        raise QwixxError(f"The number of games must be from {least} to {MOST_GAMES}, not {games}.")


def deciding_seat(game: Game, seat: int | None) -> int:
    """Return the given seat if it has to decide, or else the only seat that has to. Raises `QwixxError`."""
    if seat is None:
        asked = game.deciders()
        if len(asked) > 1:
            raise QwixxError(f"Name a seat: {', '.join(map(str, asked))} have to decide.")
        if not asked:
            raise QwixxError("There is no decision here: chance comes first, or the game is over.")
        (seat,) = asked
    if not game.legal(seat):
        raise QwixxError(f"Seat {seat} has nothing to decide here.")
    return int(seat)


def deciding_seats(game: Game) -> tuple[int, ...]:
    """List the seats that decide in the open window, whether or not they have decided."""
    layouts, states = game.raw()
    mask = int(api.asked(layouts, states, 0))
    return tuple(seat for seat in range(game.seats) if mask >> seat & 1)


def shows_cards(game: Game) -> bool:
    """Whether the open decision reveals cards (K3)."""
    return bool(game.raw()[1]["phase"][0] == DRAW)


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
    return legal_actions(game.variant.derived(Vocabulary), layouts, reopened(layouts, states), seat, buffer)


_LOG: Ints = new_log()


def apply_choice(layouts: Records, states: Records, seat: int, action: Action) -> None:
    """Apply a legal choice of a seat to all states."""
    for at in range(len(states)):
        refused = api.decide(layouts, states, at, seat, action.id, _LOG)
        assert not refused, "a legal action was refused"
