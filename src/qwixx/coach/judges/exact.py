"""The judge of solitaire: expected final points with best play, from the table of the solved sheet."""

from __future__ import annotations

from collections.abc import Sequence

from qwixx.analysis.judging import EXACT, POINTS, Weighed, Weight, Worth
from qwixx.game import Game
from qwixx.notation import Action
from qwixx.players.house.optimal import OPTIMAL
from qwixx.solver import Solution


class Exact:
    """Knows every position of a solitaire."""

    by = OPTIMAL.name
    source = EXACT
    measure = POINTS
    error = 0.0

    def __init__(self, solution: Solution) -> None:
        """Take the table."""
        self._solution = solution

    def worth(self, game: Game) -> Worth:
        """Look a position up."""
        value = (self._solution.expected(game.raw()[1]),)
        return Worth(value, value)

    def weigh(self, game: Game) -> Weighed:
        """Look up what each choice leaves."""
        actions = {action.id: action for action in game.legal(0)}
        found = self._solution.best(game.raw()[1])
        choices = [Weight(actions[number], (value,), (value,)) for number, value, _ in found]
        return Weighed(choices[0].values, choices[0].points, {0: choices})

    def settle(self, game: Game, seat: int, weighed: Weighed, actions: Sequence[Action], games: int) -> Weighed | None:
        """Say nothing: there is nothing to settle."""
        return None
