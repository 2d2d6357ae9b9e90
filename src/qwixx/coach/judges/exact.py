"""The judge of solitaire: expected final points with best play, from the table of the solved sheet."""

from __future__ import annotations

from collections.abc import Sequence

from qwixx.coach.judges.judge import EXACT, POINTS, ActionValue, ActionValues, StateValue
from qwixx.game.game import Game
from qwixx.players.built_in.optimal import OPTIMAL
from qwixx.solver import Solution
from qwixx.text.notation import Action


class ExactJudge:
    """Looks up the value of every position of a solitaire."""

    by = OPTIMAL.name
    source = EXACT
    measure = POINTS
    error = 0.0

    def __init__(self, solution: Solution) -> None:
        """Use this solution."""
        self._solution = solution

    def state_value(self, game: Game) -> StateValue:
        """Look up the value of a position."""
        value = (self._solution.expected(game.raw()[1]),)
        return StateValue(value, value)

    def action_values(self, game: Game) -> ActionValues:
        """Look up the value of each choice."""
        actions = {action.id: action for action in game.legal(0)}
        found = self._solution.best(game.raw()[1])
        choices = [ActionValue(actions[number], (value,), (value,)) for number, value, _ in found]
        return ActionValues(choices[0].values, choices[0].points, {0: choices})

    def refine(
        self, game: Game, seat: int, evaluated: ActionValues, actions: Sequence[Action], games: int
    ) -> ActionValues | None:
        """Return None: exact values cannot be improved."""
        return None
