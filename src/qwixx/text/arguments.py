"""
Checks of arguments: a value of a wrong type is refused with a sentence, never converted by a guess.

Also numbers in sentences: one seat, two seats.
"""

from __future__ import annotations

import operator
from typing import SupportsIndex

from qwixx.errors import NotationError, QwixxError


def require_int(value: object, what: str) -> int:
    """Return a value as an int, NumPy integers too; `what` names it in the error for anything else."""
    if type(value) is int:
        return value
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:  # an array, or a NumPy bool
            pass
    raise QwixxError(f"{what} is a whole number, not {describe_value(value)}.")


def require_text(value: object, what: str) -> str:
    """Return a value if it is a text; `what` begins the error for anything else."""
    if isinstance(value, str):
        return value
    raise NotationError(f"{what}, not {describe_value(value)}.")


def describe_value(value: object) -> str:
    """Describe a value of a wrong type in a few words, for an error message."""
    if isinstance(value, str):
        return f"the text {value if len(value) <= 40 else value[:37] + '...'!r}"
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    return f"a value of type {type(value).__name__}"


def with_noun(number: int, noun: str) -> str:
    """Return a number with its noun: 1 game, 2 games, 1,000 games; words in -s get -es."""
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{number:,} {noun if abs(number) == 1 else plural}"
