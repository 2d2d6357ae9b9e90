"""How the learning changes on its way from the first game to the last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

RATE: Final = 0.01
"""How far a lesson moves the net."""
_RATE_AGAIN: Final = 0.002
"""The same where a net goes on from another: more would shake what it knows already."""
_SHARE_WITH_CARDS: Final = 0.6
"""The share of it with cards: twice as many rows of tables speak of a position there, and each of them is moved."""
_LAST_RATE: Final = 0.05
"""The share of it that is left at the end."""
_STEADY: Final = 0.5
"""The share of the games in which the rate stays as it is; then it falls evenly."""
_KEEP_FIRST, _KEEP_LAST = 0.8, 0.6
"""Lambda at the beginning and at the end."""
SOFTNESS: Final = 15.0
"""Points that soften a result at the beginning; the win counts and nothing else from `_HARD_FROM` on."""
_HARD_FROM: Final = 0.6
PER_MILLE: Final = 10
"""How often a decision of self-play is drawn by lot."""
PASSES: Final = 3
"""How often each game is used."""


@dataclass(frozen=True, slots=True)
class Stage:
    """How a round is learned from."""

    keep: float
    softness: float
    rate: float


def stage_at(done: float, *, soft: bool = True, cards: bool = False) -> Stage:
    """
    Say how to learn when this share of the games is done.

    Without `soft` a net goes on from another: results are hard from the start, and lessons are smaller.

    >>> stage_at(0.0)
    Stage(keep=0.8, softness=15.0, rate=0.01)
    >>> stage_at(1.0).softness
    0.0
    """
    fallen = max(0.0, done - _STEADY) / (1 - _STEADY)
    return Stage(
        keep=_KEEP_FIRST + (_KEEP_LAST - _KEEP_FIRST) * done,
        softness=SOFTNESS * max(0.0, 1 - done / _HARD_FROM) if soft else 0.0,
        rate=(RATE if soft else _RATE_AGAIN) * (_SHARE_WITH_CARDS if cards else 1) * (1 - (1 - _LAST_RATE) * fallen),
    )
