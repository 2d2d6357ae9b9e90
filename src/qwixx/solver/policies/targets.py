"""
The highest probability of reaching a target score, and the decision that has it.

The backward induction is that of the expected score, on a sheet whose positions determine the score: no cross is worth
points, and a finished game is worth 1 if it reaches the target, else 0.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qwixx.errors import QwixxError
from qwixx.jit.decorators import eager_entry
from qwixx.jit.source_key import source_key, sources_of
from qwixx.kernel.state.records import OVER, ROLL, Records
from qwixx.solver.build.induction import Report, induce
from qwixx.solver.build.plan import Plan
from qwixx.solver.build.run import solution_of
from qwixx.solver.build.solution import Solution, to_come
from qwixx.solver.build.sweep import lower_range, set_rows, value_misses
from qwixx.solver.build.table_files import Heading, check_writable, read_table, table_path, write_table
from qwixx.solver.encoding.marked_state import Firsts
from qwixx.solver.encoding.sheet_index import Values, place
from qwixx.solver.lookahead.leaves import look_ahead
from qwixx.solver.lookahead.roll_average import face_shares
from qwixx.solver.lookahead.turn import TURN
from qwixx.solver.policies.counted_sheet import Points, class_points, counted_plan, points_of, score_range
from qwixx.text.arguments import require_int
from qwixx.variants import load
from qwixx.variants.layout import layout_hash
from qwixx.variants.model import Pad, Variant


@dataclass(frozen=True, repr=False)
class TargetSolution(Solution):
    """The highest probability of reaching a target, instead of the expected score; `value` is that of a new game."""

    target: int

    def __repr__(self) -> str:
        return f"<TargetSolution of {self.variant}: {self.target} points or more with probability {self.value:.6f}>"

    def _expected(self, states: Records, at: int) -> float:
        phase = states[at].phase
        if phase == OVER:
            return float(self.score(states, at) >= self.target)
        if phase == ROLL:
            return float(to_come(self.layouts, self.folds, self.firsts, self.values, states, at))
        return max(self._after(states, at, action) for action in self._legal(states, at))


@eager_entry
def sweep_target(
    layouts: Records,
    folds: Records,
    firsts: Firsts,
    turns: Records,
    points: Points,
    cost: int,
    target: int,
    values: Values,
    reach: int,
    first: int,
    last: int,
) -> int:
    """Compute the positions of a reach with these upper couples, also those of finished games; return how many."""
    fold = folds[0]
    turn = turns[0]
    rows = turn.rows
    shares = face_shares(fold.sides)
    done = 0
    for upper in range(first, last):
        start, end = lower_range(fold, reach, upper)
        for lower in range(start, end):
            set_rows(fold, turn, upper, lower)
            at = place(fold, rows[0], rows[1], rows[2], rows[3])
            score = points_of(points, rows)
            if look_ahead(layouts[0], fold, firsts, turn):
                after_last_miss = 1.0 if score - fold.end_misses * cost >= target else 0.0
                value_misses(fold, turn, values, shares, values[at], after_last_miss)
                done += fold.end_misses
                continue
            for miss in range(fold.end_misses):
                values[at, miss] = 1.0 if score - miss * cost >= target else 0.0
    return done


def solve_target(
    variant: str | Path | Variant,
    target: int,
    lucky: Pad | None = None,
    progress: Report | None = None,
    workers: int | None = None,
) -> TargetSolution:
    """
    Solve solitaire for the probability of `target` points or more, or read the table if that was done before.

    Classic takes 30 CPU seconds and a table of 61 MB for each target. Sheets with marked cells are refused.
    """
    chosen = variant if isinstance(variant, Variant) else load(variant)
    work, scoring = _plan_target(chosen, lucky, target)
    # The sources are part of the key: a table made under other rules is not found.
    rules = source_key(sources_of(Path(__file__)))[:16]
    key = f"{layout_hash(work.layouts)}-at-least-{target}-{rules}"
    numbers = tuple(int(number) for number in work.folds[0].lucky if number)
    path = table_path(layout_hash(work.layouts), numbers, f"{chosen.id}-at-least-{target}")
    stored = read_table(path, key, numbers, work.shape)
    if stored is None:
        check_writable(path)
        stored = _compute(work, scoring, Heading(key, numbers, *work.shape, -1, 0, 0.0, 0.0), progress, workers)
        write_table(path, *stored)
    return TargetSolution(**vars(solution_of(work, *stored)), target=target)


def compute_target(variant: Variant, target: int, lucky: Pad | None = None) -> TargetSolution:
    """Do the same without a file."""
    work, scoring = _plan_target(variant, lucky, target)
    stored = _compute(work, scoring, Heading("", (), *work.shape, -1, 0, 0.0, 0.0))
    return TargetSolution(**vars(solution_of(work, *stored)), target=target)


def _plan_target(variant: Variant, lucky: Pad | None, target: int) -> tuple[Plan, tuple[Points, int, int]]:
    """Plan a sheet on which no cross is worth points, and return what its finished games are judged by."""
    work = counted_plan(variant, lucky)
    least, most = score_range(work)
    if not least <= require_int(target, "The target") <= most:
        raise QwixxError(f"A score of {variant.id} lies between {least} and {most}; {target} does not.")
    points, cost = class_points(work), int(work.layouts[0].miss_points)
    work.folds[0].gain[:] = 0
    work.folds[0].miss_points = 0
    return work, (points, cost, target)


def _compute(
    work: Plan,
    scoring: tuple[Points, int, int],
    heading: Heading,
    progress: Report | None = None,
    workers: int | None = None,
) -> tuple[Heading, Values]:
    values = np.zeros(work.shape)

    def fill(reach: int, block: tuple[int, int]) -> int:
        turns: Records = np.empty(1, TURN)
        return sweep_target(work.layouts, work.folds, work.firsts, turns, *scoring, values, reach, *block)

    fill(0, (0, 0))  # no position: compile before the clock starts
    clock, cpu = time.monotonic(), time.process_time()
    states = 0
    for step in induce(work, fill, None, workers):
        states = step.solved
        if progress is not None:
            progress(step)
    spent = time.monotonic() - clock, time.process_time() - cpu
    return Heading(heading.layout, heading.lucky, *work.shape, 0, states, *spent), values
