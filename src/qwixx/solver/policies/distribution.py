"""The exact distribution of the final score, of best play or of any policy that a table of values describes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel.state.records import Records
from qwixx.solver.build.induction import Progress, Report
from qwixx.solver.build.plan import Plan, plan
from qwixx.solver.encoding.sheet_index import REACHES, Values, place
from qwixx.solver.lookahead.turn import TURN
from qwixx.solver.policies.counted_sheet import (
    class_points,
    counted_plan,
    merged_classes,
    place_start,
    score_range,
    spread_values,
)
from qwixx.solver.policies.forward import forward, tally
from qwixx.variants.model import Pad, Variant


@dataclass(frozen=True, repr=False, eq=False)
class Distribution:
    """The probability of every final score of a solitaire, exact up to rounding."""

    least: int
    """The score that `chances` begins with."""
    chances: Values

    @property
    def mean(self) -> float:
        """The expected score."""
        return float(self.chances @ self._scores)

    @property
    def deviation(self) -> float:
        """The standard deviation of the score."""
        return float(np.sqrt(self.chances @ (self._scores - self.mean) ** 2))

    def chance(self, score: int) -> float:
        """Return the probability of exactly this score."""
        at = score - self.least
        return float(self.chances[at]) if 0 <= at < len(self.chances) else 0.0

    def at_least(self, target: int) -> float:
        """Return the probability of this score or more."""
        return float(self.chances[max(0, target - self.least) :].sum())

    def quantile(self, share: float) -> int:
        """Return the lowest score that is not exceeded with at least this probability, 0.5 for the median."""
        if not 0.0 < share < 1.0:
            raise QwixxError(f"A share of games lies between 0 and 1, not at {share}.")
        return self.least + int(np.searchsorted(np.cumsum(self.chances), share))

    @property
    def _scores(self) -> Values:
        return np.arange(self.least, self.least + len(self.chances), dtype=np.float64)

    def __repr__(self) -> str:
        return f"<Distribution of scores: mean {self.mean:.4f}, deviation {self.deviation:.2f}>"


def distribution_of(
    variant: Variant,
    lucky: Pad | None,
    values: Values,
    start: Records | None = None,
    progress: Report | None = None,
) -> Distribution:
    """
    Return the distribution of the score if every turn goes to the successor with the most points and values together.

    `values` are points still to come, numbered as the table of a `Solution`. Equals are decided for the first
    successor, so policies with the same expected score may differ in the rest. `start` is a position before a roll, the
    empty sheet if it is None.
    """
    merged = plan(variant, lucky)
    if values.shape != merged.shape:
        raise QwixxError(f"A table of values for {variant.id} has the shape {merged.shape}, not {values.shape}.")
    work = counted_plan(variant, lucky)
    turns: Records = np.zeros(1, TURN)
    spread = np.zeros(work.shape)
    spread_values(work.folds, turns, merged.folds, merged_classes(work, merged), values, spread)
    return _play_forward(work, spread, start, progress)


def _play_forward(work: Plan, values: Values, start: Records | None, progress: Report | None) -> Distribution:
    fold = work.folds[0]
    turns: Records = np.zeros(1, TURN)
    mass = np.zeros((work.places, int(fold.end_misses) + 1))
    if start is None:
        mass[place(fold, 0, 0, 0, 0), 0] = 1.0
    else:
        mass[place_start(work.layouts, work.folds, work.firsts, start), int(start[0].sheets[0].misses)] = 1.0
    last = 2 * REACHES
    for reach in range(last):
        forward(work.layouts, work.folds, work.firsts, turns, values, mass, reach)
        if progress is not None:
            progress(Progress(last - 1 - reach, reach + 1, last, 0))
    least, most = score_range(work)
    chances = np.zeros(most - least + 1)
    tally(work.folds, turns, class_points(work), int(work.layouts[0].miss_points), mass, least, chances)
    return Distribution(least, chances)
