"""Grades of decisions (best, good, slip, mistake, blunder): by the loss, and by how sure the loss is."""

from __future__ import annotations

from typing import Final, Literal

from qwixx.coach.judges.judge import POINTS, WIN, Measure

Grade = Literal["best", "good", "slip", "mistake", "blunder"]
BEST: Final = "best"
GOOD: Final = "good"
SLIP: Final = "slip"
MISTAKE: Final = "mistake"
BLUNDER: Final = "blunder"
GRADES: Final[tuple[Grade, ...]] = (BEST, GOOD, SLIP, MISTAKE, BLUNDER)
"""From the best to the worst."""
THRESHOLDS: Final[dict[Measure, dict[Grade, float]]] = {
    WIN: {SLIP: 0.02, MISTAKE: 0.04, BLUNDER: 0.08},
    POINTS: {SLIP: 0.5, MISTAKE: 1.5, BLUNDER: 4.0},
}
"""The smallest loss of each grade: in win probability, and in solitaire in expected points."""
NOTHING: Final[dict[Measure, float]] = {WIN: 0.0005, POINTS: 0.005}
"""A smaller loss counts as zero: the numbers shown would not differ."""


def grade(measure: Measure, loss: float, error: float) -> Grade:
    """Return the grade of a loss. A loss below the error of the values is not a mistake: it may be no loss at all."""
    if loss < NOTHING[measure]:
        return BEST
    result: Grade = GOOD
    for name, least in THRESHOLDS[measure].items():
        if loss >= max(least, error):
            result = name
    return result


def is_close(measure: Measure, loss: float, error: float) -> bool:
    """Whether the values are too inexact to tell that a decision was worse than the best."""
    return NOTHING[measure] <= loss < error


def accuracy(measure: Measure, losses: list[float]) -> float | None:
    """
    Return 100 for decisions without a loss, and less for bigger losses: 50 for a loss at the threshold of a mistake.

    None if there was no decision with a choice.
    """
    if not losses:
        return None
    half = THRESHOLDS[measure][MISTAKE]
    return 100 * float(sum(0.5 ** (loss / half) for loss in losses)) / len(losses)
