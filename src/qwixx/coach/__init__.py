"""
The coach: the value of decisions, the effect of luck, and the reasons for a choice.

`analyse` (in `review`) covers a whole game, `hint` (in `hints`) one decision; grades are in `grades`. The values come
from `judges`, the sentences from `reasons`. docs/analysis.md explains the method. Puzzles are in `qwixx.puzzles`.
"""

from qwixx.coach.hints import Hint, RankedChoice, hint
from qwixx.coach.judges.select import find_judge
from qwixx.coach.reasons.sentences import Reason, sentence
from qwixx.coach.review.analysis import analyse
from qwixx.coach.review.report import Analysis, Decision, ValueBreakdown, ValueChange
from qwixx.game.choice import Choice

__all__ = [
    "Analysis",
    "Choice",
    "Decision",
    "Hint",
    "RankedChoice",
    "Reason",
    "ValueBreakdown",
    "ValueChange",
    "analyse",
    "find_judge",
    "hint",
    "sentence",
]
