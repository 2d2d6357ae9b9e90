"""The judge of solitaire: expected final points with best play, from the table of the solved sheet."""

from __future__ import annotations

from qwixx.coach.judges.judge import EXACT, POINTS, ActionValue, Judge, StateValue
from qwixx.game.game import Game
from qwixx.players.built_in.optimal import OPTIMAL
from qwixx.solver import Solution, advise


class ExactJudge(Judge):
    """Looks up the value of every position of a solitaire."""

    by = OPTIMAL.name
    source = EXACT
    measure = POINTS
    unit = "expected final points with best play, exactly"
    error = 0.0

    def __init__(self, solution: Solution) -> None:
        """Use this solution."""
        self._solution = solution

    def state_value(self, game: Game) -> StateValue:
        """Look up the value of a position."""
        value = (self._solution.expected(game.raw()[1]),)
        return StateValue(value, value)

    def options(self, game: Game, seat: int) -> list[ActionValue]:
        """Look up the value of each choice."""
        return [ActionValue(each.action, (each.value,), (each.value,)) for each in advise(game, self._solution)]
