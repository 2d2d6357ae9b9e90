"""The theme of a puzzle: what a decision is about, from the effects of the best choice and its best rival."""

from __future__ import annotations

from typing import Final

from qwixx.coach.reasons.decision_effects import DecisionEffects

SKIP, CLOSE, ROW, MISS, DRAW, PLAY, CAPTURE = "skip", "close", "row", "miss", "draw", "play", "capture"
THEMES: Final = (SKIP, CLOSE, ROW, MISS, DRAW, PLAY, CAPTURE)
"""Skip cells or not, close or wait, which row, take the miss, which cards to draw and to play, capture or stack."""


def theme_of(best: DecisionEffects, rival: DecisionEffects) -> str:
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
