"""
Exact solitaire: what every position is worth and what to do there, by backward induction.

One seat, always active, plays for the highest expected score; the game ends by C11. `solve` gives a `Solution`,
from disk if one was made before. How it works is told in `docs/solving.md`.
"""

from qwixx.solver.play.advice import Advice, WhiteRoll, advise, check_solitaire, lucky_of, opening_values, white_rolls
from qwixx.solver.play.choose import choose_optimal
from qwixx.solver.play.games import play_optimal, play_steps
from qwixx.solver.work.induction import Progress
from qwixx.solver.work.plan import Plan, plan
from qwixx.solver.work.run import recall, solve
from qwixx.solver.work.solution import Solution, best_actions, new_game

__all__ = [
    "Advice",
    "Plan",
    "Progress",
    "Solution",
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
    "white_rolls",
]
