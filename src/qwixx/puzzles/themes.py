"""The theme of a puzzle: what a decision is about, from the effects of the best choice and its best rival."""

from __future__ import annotations

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


def theme_of(best: DecisionEffects, rival: DecisionEffects) -> Theme:
    """Return the theme of the choice between two actions."""
    if best.taken:
        return DRAW
    if best.played:
        return PLAY
    if any(each.captured or each.stacked for each in (best, rival)):
        return CAPTURE
    if bool(best.locked) != bool(rival.locked):
        return CLOSE
    if best.is_miss != rival.is_miss:
        return MISS
    if best.is_pass or rival.is_pass:
        return SKIP
    return SKIP if best.rows == rival.rows else ROW
