"""`evaluate`: the exact expected score of a policy, by the fastest exact way that fits it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod

import numpy as np

from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.game.question import Question
from qwixx.game.view import View
from qwixx.kernel import api
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import COLORS, OVER, ROLL, STATE, Records
from qwixx.solver.build.induction import Report
from qwixx.solver.build.solution import Solution, new_game, to_come
from qwixx.solver.encoding.sheet_index import Values
from qwixx.solver.policies.distribution import distribution_of
from qwixx.solver.policies.ranking import ranking_values
from qwixx.text.arguments import describe_value
from qwixx.text.notation import Action

PolicyLike = str | Values | Callable[[View, Sequence[Action]], Action | str | int]
"""The name of a bot, a table of values, or a function such as `Player.choose`."""
MOST_QUESTIONS = 2_000_000
"""A policy in Python is asked at most so often, which takes some minutes."""
_Answer = Callable[[Question], Action]


def evaluate(
    solution: Solution, policy: PolicyLike, start: Game | None = None, *, progress: Report | None = None
) -> float:
    """Return the exact expected final score of a policy; `Solution.evaluate` explains the arguments."""
    states = new_game(solution) if start is None else _opening(solution, start)
    if isinstance(policy, np.ndarray):
        place = None if start is None else states
        return distribution_of(solution.sheet, solution.lucky, policy, place, progress).mean
    if isinstance(policy, str):
        return _evaluate_bot(solution, policy, states, progress)
    if not callable(policy):
        raise QwixxError(
            f"A policy is a function, the name of a bot or a table of values, not {describe_value(policy)}."
        )
    from qwixx.players.player import read_answer  # noqa: PLC0415 - players use the solver

    return _Enumeration(solution, lambda asked: read_answer(asked, policy(asked.view, list(asked.legal)))).value(states)


def _opening(solution: Solution, start: Game) -> Records:
    layouts, states = start.raw()
    if layouts.tobytes() != solution.layouts.tobytes():
        raise QwixxError(f"This table was solved for another sheet than the game's: for {solution.variant!r}.")
    solution.check(states)
    if states[0].phase != ROLL:
        raise QwixxError("A policy is evaluated from the empty sheet, or from a position before its roll.")
    return states


def _evaluate_bot(solution: Solution, name: str, states: Records, progress: Report | None) -> float:
    from qwixx.players import find  # noqa: PLC0415 - players use the solver

    player = find(name)
    if name == "optimal":
        return solution.expected(states)
    ranking = player.ranking(solution.sheet)
    if ranking is not None and not solution.folds[0].remembers:
        work, values = ranking_values(solution.sheet, solution.lucky, ranking, progress)
        return solution.score(states) + to_come(work.layouts, work.folds, work.firsts, values, states, 0)
    if player.remembers or (ranking is not None and ranking.random_share):
        raise QwixxError(
            f"The decisions of {name!r} are not a function of the position, so it has no exact score here."
        )
    pads = None if solution.lucky is None else (solution.lucky,)
    return _Enumeration(solution, player.sit(solution.sheet, 1, pads=pads).answer).value(states)


class _Enumeration:
    """Every roll of every position that a policy reaches, each position once."""

    def __init__(self, solution: Solution, answer: _Answer) -> None:
        self._solution = solution
        self._answer = answer
        self._known: dict[bytes, float] = {}
        self._questions = 0

    def value(self, states: Records) -> float:
        """Return the expected final score from a position in any phase."""
        phase = states[0].phase
        if phase == OVER:
            return float(self._solution.score(states))
        if phase != ROLL:
            return self.value(self._decided(states))
        states = states.copy()
        states["turn"] = 1  # the number of turns does not matter to the score
        states["dice"] = 0
        key = states.tobytes()
        if key not in self._known:
            self._known[key] = self._average(states)
        return self._known[key]

    def _average(self, states: Records) -> float:
        layouts = self._solution.layouts
        faces = range(1, int(layouts[0].sides) + 1)
        dice = [faces, faces, *(range(1) if states[0].gone >> color & 1 else faces for color in range(COLORS))]
        total = 0.0
        for roll in product(*dice):
            thrown = states.copy()
            api.set_dice(layouts, thrown, 0, np.array(roll, np.int32), new_log())
            total += self.value(thrown)
        return total / prod(map(len, dice))

    def _decided(self, states: Records) -> Records:
        self._questions += 1
        if self._questions > MOST_QUESTIONS:
            raise QwixxError(
                f"This policy would be asked more than {MOST_QUESTIONS:,} times. Evaluate it from a late position, on a"
                " small sheet, or as a table of values."
            )
        after: Records = np.frombuffer(bytearray(states.tobytes()), STATE)
        action = self._answer(Question(self._solution.sheet, self._solution.layouts, states, 0))
        api.decide(self._solution.layouts, after, 0, 0, action.id, new_log())
        return after
