"""The theme of a puzzle: what a decision is about, from the effects of the best choice and its best rival."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, get_args

from qwixx.coach.reasons.decision_effects import DecisionEffects

Theme = Literal["skip", "close", "row", "miss", "draw", "play", "capture"]
SKIP: Final = "skip"
CLOSE: Final = "close"
ROW: Final = "row"
MISS: Final = "miss"
DRAW: Final = "draw"
PLAY: Final = "play"
CAPTURE: Final = "capture"
THEMES: Final[tuple[Theme, ...]] = get_args(Theme)
"""Skip cells or not, close or wait, which row, take the miss, which cards to draw and to play, capture or stack."""


def theme_of(best: DecisionEffects, rivals: Sequence[DecisionEffects]) -> Theme:
    """
    Return the theme of a decision: of the choice between the best action and the next best one.

    It is also about closing if one of the rivals closes a row and the best action waits.
    """
    rival = rivals[0]
    if best.taken:
        return DRAW
    if best.played:
        return PLAY
    if any(each.captured or each.stacked for each in (best, rival)):
        return CAPTURE
    if (best.locked and not rival.locked) or (not best.locked and any(each.locked for each in rivals)):
        return CLOSE
    if best.is_miss != rival.is_miss:
        return MISS
    if best.is_pass or rival.is_pass:
        return SKIP
    return SKIP if best.rows == rival.rows else ROW


def answer_of(theme: Theme, best: DecisionEffects) -> bool | None:
    """Return which of two answers is right: whether to close, to take the miss, to pass; None for other themes."""
    if theme == CLOSE:
        return bool(best.locked)
    if theme == MISS:
        return best.is_miss
    return best.is_pass if theme == SKIP else None
