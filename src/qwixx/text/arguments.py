"""
What callers hand in, checked with words: a value of a wrong type gets a sentence, and is never guessed at.

Also how sentences count: one seat, two seats.
"""

from __future__ import annotations

import operator
from typing import SupportsIndex

from qwixx.errors import NotationError, QwixxError


def whole_number(value: object, what: str) -> int:
    """Take a whole number, also one of NumPy's; `what` names it in the sentence that refuses anything else."""
    if type(value) is int:
        return value
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:  # an array, or a truth value of NumPy's
            pass
    raise QwixxError(f"{what} is a whole number, not {described(value)}.")


def text(value: object, what: str) -> str:
    """Take a text; `what` names it in the sentence that refuses anything else."""
    if isinstance(value, str):
        return value
    raise NotationError(f"{what}, not {described(value)}.")


def described(value: object) -> str:
    """Describe a value of a wrong type so that one sees what is wrong with it, in a few words."""
    if isinstance(value, str):
        return f"the text {value if len(value) <= 40 else value[:37] + '...'!r}"
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    return f"a value of type {type(value).__name__}"


def counted(number: int, noun: str) -> str:
    """Write a number of things: 1 game, 2 games, 1,000 games; the plural of a word in -ss has -es."""
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{number:,} {noun if abs(number) == 1 else plural}"
