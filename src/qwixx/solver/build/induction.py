"""Backward induction on several threads: all positions, from the last reach to the empty sheet, or a sample again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from qwixx.kernel.state.records import Records
from qwixx.solver.build.plan import Plan
from qwixx.solver.build.sweep import reach_sizes, sweep, value_position
from qwixx.solver.encoding.marked_state import write_sheet
from qwixx.solver.encoding.sheet_index import REACHES, Values, place
from qwixx.solver.lookahead.turn import NOW, TURN

_SAMPLES = 500
"""Positions of a stored table that are computed again before it is trusted."""
_NEAR = 1e-9
_BLOCKS_PER_WORKER = 8
"""Blocks are cut by number of positions, not by work, so several for each thread keep all of them busy."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a solve: a reach is done when all its positions are known."""

    reach: int
    """The reach computed last; 0 is the empty sheet, the end of the work."""
    done: int
    """Positions of the table that are done, including finished games, not counted by misses."""
    total: int
    solved: int
    """Positions of unfinished games, counted once for every number of misses."""


Report = Callable[[Progress], None]
Fill = Callable[[int, tuple[int, int]], int]
"""Computes the positions of a reach whose upper half is in a range of couples; returns how many, by misses."""


def _blocks(sizes: Values, count: int) -> Iterator[tuple[int, int]]:
    """Cut the upper couples of a reach into blocks of about equally many positions."""
    behind = np.concatenate([[0.0], np.cumsum(sizes)])
    if behind[-1] == 0:
        return
    cuts = np.searchsorted(behind, np.linspace(0, behind[-1], count + 1), side="left")
    cuts[-1] = len(sizes)
    for first, last in pairwise(cuts.tolist()):
        if last > first:
            yield first, last


def solving(work: Plan, values: Values) -> Fill:
    """Return the function that computes the values of best play."""

    def fill(reach: int, block: tuple[int, int]) -> int:
        return sweep(work.layouts, work.folds, work.firsts, np.empty(1, TURN), values, reach, *block)

    return fill


def induce(work: Plan, fill: Fill, reach: int | None, workers: int | None, solved: int = 0) -> Iterator[Progress]:
    """
    Fill a table of values, and yield the progress after every reach.

    `reach` is the last one that a table from an earlier, interrupted run already holds, None for an empty table.
    """
    workers = workers or os.cpu_count() or 1
    sizes = np.zeros((2 * REACHES, int(work.folds[0].couples[0])))
    reach_sizes(work.folds, work.firsts, np.empty(1, TURN), sizes)
    per_reach = sizes.sum(axis=1)
    last = int(np.flatnonzero(per_reach)[-1])

    with ThreadPoolExecutor(workers) as pool:
        for now in range(last if reach is None else reach - 1, -1, -1):
            blocks = _blocks(sizes[now], workers * _BLOCKS_PER_WORKER)
            solved += sum(pool.map(partial(fill, now), blocks))
            yield Progress(now, int(per_reach[now:].sum()), int(per_reach.sum()), solved)


def agrees(work: Plan, values: Values, reach: int) -> bool:
    """
    Return whether a table agrees with the current rules, by a sample of its positions and the empty sheet.

    A checksum finds a damaged file; this finds a correct file of an older version of the rules.
    Only positions from the last finished `reach` on are compared.
    """
    fold = work.folds[0]
    turns: Records = np.empty(1, TURN)
    rng = np.random.default_rng(0)
    found = np.zeros(int(fold.end_misses))
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
