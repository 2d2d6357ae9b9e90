"""
Exact solitaire: the value of every position and the best decision there, by backward induction.

One seat, always active, plays for the highest expected score; the game ends by C11. `solve` returns a `Solution`, from
disk if the sheet was solved before. `docs/solving.md` explains how it works.
"""

from qwixx.game.choice import Choice
from qwixx.solver.build.induction import Progress
from qwixx.solver.build.plan import Plan, plan
from qwixx.solver.build.run import recall, solve
from qwixx.solver.build.solution import Solution, best_actions, new_game
from qwixx.solver.play.choice_values import (
    WhiteRoll,
    advise,
    check_solitaire,
    lucky_of,
    opening_values,
    white_rolls,
)
from qwixx.solver.play.choose import choose_optimal
from qwixx.solver.play.games import play_optimal, play_steps
from qwixx.solver.policies.distribution import Distribution
from qwixx.solver.policies.ranking import Ranking
from qwixx.solver.policies.regret import Loss, Regret
from qwixx.solver.policies.targets import TargetSolution, solve_target

__all__ = [
    "ChoiceValue",
    "Distribution",
    "Loss",
    "Plan",
    "Progress",
    "Ranking",
    "Regret",
    "Solution",
    "TargetSolution",
    "WhiteRoll",
    "advise",
    "best_actions",
    "check_solitaire",
    "choose_optimal",
    "lucky_of",
    "new_game",
    "opening_values",
    "plan",
    "play_optimal",
    "play_steps",
    "recall",
    "solve",
    "solve_target",
    "white_rolls",
]

Advice = ChoiceValue = Choice
"""Former names of this class."""
