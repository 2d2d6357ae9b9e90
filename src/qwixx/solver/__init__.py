"""
Exact solitaire: what every position is worth and what to do there, by backward induction.

One seat, always active, plays for the highest expected score; the game ends by C11. `solve` gives a `Solution`,
from disk if one was made before. How it works is told in `docs/solving.md`.
"""

from qwixx.solver.advice import Advice, advise, check_solitaire, lucky_of
from qwixx.solver.choose import choose_optimal
from qwixx.solver.games import play_optimal, play_steps
from qwixx.solver.induction import Progress
from qwixx.solver.opening import WhiteRoll, opening_values, white_rolls
from qwixx.solver.plan import Plan, plan
from qwixx.solver.run import solve
from qwixx.solver.solution import Solution, best_actions, new_game

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
    "solve",
    "white_rolls",
]
