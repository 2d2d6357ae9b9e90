"""
The coach: what decisions were worth, what luck did, and why a choice is the best.

`analyse` looks at a whole game, `hint` at one decision. How values come about is told in docs/analysis.md.
"""

from qwixx.analysis.analyse import analyse
from qwixx.analysis.choosing import find_judge
from qwixx.analysis.hint import Advised, Hint, hint
from qwixx.analysis.reasons import Reason, sentence
from qwixx.analysis.review import Account, Analysis, Choice, Decision, Swing

__all__ = [
    "Account",
    "Advised",
    "Analysis",
    "Choice",
    "Decision",
    "Hint",
    "Reason",
    "Swing",
    "analyse",
    "find_judge",
    "hint",
    "sentence",
]
