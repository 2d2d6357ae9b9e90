"""How bad a decision was, in a word: by what it lost, and by how sure that is."""

from __future__ import annotations

from typing import Final

from qwixx.analysis.judging import POINTS, WIN

BEST, GOOD, SLIP, MISTAKE, BLUNDER = "best", "good", "slip", "mistake", "blunder"
GRADES: Final = (BEST, GOOD, SLIP, MISTAKE, BLUNDER)
"""From good to bad."""
THRESHOLDS: Final[dict[str, dict[str, float]]] = {
    WIN: {SLIP: 0.02, MISTAKE: 0.04, BLUNDER: 0.08},
    POINTS: {SLIP: 0.5, MISTAKE: 1.5, BLUNDER: 4.0},
}
"""What a decision loses at least to be called so: of the chance of winning, and alone of the expected points."""
NOTHING: Final[dict[str, float]] = {WIN: 0.0005, POINTS: 0.005}
"""A smaller loss is none: nobody would see the difference in the figures that are shown."""


def grade(measure: str, loss: float, error: float) -> str:
    """Name a loss. One below the error of the values is no mistake: it may not even be a loss."""
    if loss < NOTHING[measure]:
        return BEST
    found = GOOD
    for name, least in THRESHOLDS[measure].items():
        if loss >= max(least, error):
            found = name
    return found


def is_close(measure: str, loss: float, error: float) -> bool:
    """Whether nobody can say that a decision was worse than the best."""
    return NOTHING[measure] <= loss < error


def accuracy(measure: str, losses: list[float]) -> float | None:
    """
    Give 100 for decisions that lost nothing, and less the more they lost: half of it for a loss that is a mistake.

    None where there was nothing to choose.
    """
    if not losses:
        return None
    half = THRESHOLDS[measure][MISTAKE]
    return 100 * float(sum(0.5 ** (loss / half) for loss in losses)) / len(losses)
