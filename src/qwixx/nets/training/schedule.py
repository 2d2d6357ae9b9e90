"""The training schedule: learning rate, lambda and softness of results, from the first game to the last."""

from __future__ import annotations

from typing import Final, NamedTuple

RATE: Final = 0.01
"""The learning rate."""
_AGAIN: Final = 0.2
"""The factor of the rate when a net starts from another: a higher rate would destroy what it knows."""
_SHARE_WITH_CARDS: Final = 0.6
"""The factor of the rate with cards: there a position has twice as many table rows, and each of them moves."""
_LAST_RATE: Final = 0.05
"""The factor of the rate at the end."""
_STEADY: Final = 0.5
"""The share of the games with a constant rate; then it falls linearly."""
_FIRST_LAMBDA, _LAST_LAMBDA = 0.8, 0.6
"""Lambda of TD(lambda) at the start and at the end."""
SOFTNESS: Final = 15.0
"""Points that soften a result at the start; from `_HARD_FROM` on only the win counts."""
_HARD_FROM: Final = 0.6
EXPLORE_PER_MILLE: Final = 10
"""Exploration: how many of a thousand decisions of self-play are random."""
PASSES: Final = 3
"""How often each game is used."""


_LESSON_RATE: Final = 0.02
"""The learning rate of lessons for one seat: their targets have no noise, so steps can be larger."""


class Stage(NamedTuple):
    """The parameters of the updates of one round."""

    lambda_: float
    softness: float
    rate: float


def stage_at(done: float, *, soft: bool = True, cards: bool = False, lessons: bool = False) -> Stage:
    """
    Return the parameters when this share of the games is done.

    Without `soft` the net starts from another: only the win counts from the start, and the rate is lower. For `lessons`
    only the rate has a meaning.

    >>> stage_at(0.0)
    Stage(lambda_=0.8, softness=15.0, rate=0.01)
    >>> stage_at(1.0).softness
    0.0
    """
    fallen = max(0.0, done - _STEADY) / (1 - _STEADY)
    first = _LESSON_RATE if lessons else RATE
    return Stage(
        lambda_=_FIRST_LAMBDA + (_LAST_LAMBDA - _FIRST_LAMBDA) * done,
        softness=SOFTNESS * max(0.0, 1 - done / _HARD_FROM) if soft else 0.0,
        rate=first * (1 if soft else _AGAIN) * (_SHARE_WITH_CARDS if cards else 1) * (1 - (1 - _LAST_RATE) * fallen),
    )
