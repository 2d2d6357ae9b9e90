"""A second look at a stored table: some of its positions are worked out again from the others."""

from __future__ import annotations

import numpy as np

from qwixx.kernel.records import Records
from qwixx.solver.fold import Values, place
from qwixx.solver.memory import write_sheet
from qwixx.solver.plan import Plan
from qwixx.solver.sweep import value_position
from qwixx.solver.turn import NOW, TURN

_SAMPLES = 500
_NEAR = 1e-9


def agrees(work: Plan, values: Values, reach: int) -> bool:
    """
    Tell whether a table says what today's rules say, by a sample of its positions and the empty sheet.

    A checksum finds a damaged file; this finds one that an older version of the package wrote in good faith.
    Only positions behind the last finished `reach` are looked at.
    """
    fold = work.folds[0]
    turns: Records = np.empty(1, TURN)
    rng = np.random.default_rng(0)
    found = np.zeros(int(fold.misses))
    for sample in range(_SAMPLES):
        rows = [0 if sample == 0 else int(rng.integers(count)) for count in fold.classes]
        if sum(int(fold.next[slot, row]) for slot, row in enumerate(rows)) < reach:
            continue
        turns[0].rows[:] = rows
        at = place(fold, *rows)
        if fold.remembers:
            begin, end = int(work.firsts[at]), int(work.firsts[at + 1])
            if begin == end:
                continue
            at = int(rng.integers(begin, end))
            if not write_sheet(work.layouts[0], fold, turns[0].rows, at - begin, turns[0].sheets[NOW]):
                continue
        if value_position(work.layouts, work.folds, work.firsts, turns, values, found) and not np.allclose(
            found, values[at], rtol=0, atol=_NEAR
        ):
            return False
    return True
