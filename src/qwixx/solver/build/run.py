"""`solve`: from the store if it is there and can be believed, else worked out, with checkpoints on the way."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Lock

import numpy as np

from qwixx.places import cache_directory
from qwixx.solver.ahead.turn import TURN
from qwixx.solver.numbering.fold import Values, place
from qwixx.solver.work.checked import identity, is_checked, note_checked
from qwixx.solver.work.induction import Report, agrees, induce
from qwixx.solver.work.plan import Plan, check_memory, plan
from qwixx.solver.work.solution import Solution
from qwixx.solver.work.store import Heading, check_target, check_writable, read_table, table_path, write_table
from qwixx.solver.work.sweep import sweep
from qwixx.variants import load
from qwixx.variants.compile import compile_layout, layout_hash
from qwixx.variants.model import Pad, Variant

_MOST_BYTES = 4_000_000_000
"""So much of the solutions that were asked last is kept, or the last one alone."""
CHECKPOINT_SECONDS = 60.0
"""An interruption of a small table costs at most this much work, and one reach."""
_WORK_PER_WRITING = 20
"""Big tables take seconds to write: work about so many times as long before the next checkpoint."""
_LONGEST_WAIT = 10
"""But not longer than so many times the usual."""


def solve(
    variant: str | Path | Variant | Plan,
    lucky: Pad | None = None,
    progress: Report | None = None,
    workers: int | None = None,
    *,
    table: Path | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    trust: bool = False,
) -> Solution:
    """
    Solve solitaire on a sheet, or read the solution if there is one. A `Plan` says the lucky numbers too.

    `lucky` are Longo's numbers, by default those of the sheet's first pad (L5). `progress` is called after every
    reach. The table is kept in the user's cache directory, or in the file `table`. After an interruption the work
    goes on from the last checkpoint, after Ctrl-C from where it was. A file `table` that is something else is refused.

    A table is checked whole, and some of it worked out again, before it is used. With `trust` that is left out for a
    file that was checked before and has not changed since.
    """
    if isinstance(variant, Plan):
        work = variant
    else:
        work = plan(variant if isinstance(variant, Variant) else load(variant), lucky)
    key = layout_hash(work.layouts)
    numbers = tuple(int(number) for number in work.folds[0].lucky if number)
    path = table or table_path(key, numbers, work.variant.id)
    check_memory(work)
    if table is not None:
        check_target(path, key, numbers)
    stored = _stored(work, path, key, numbers, trust=trust)
    if stored is None:
        heading = Heading(key, numbers, *work.shape, reach=-1, states=0, seconds=0.0, cpu_seconds=0.0)
        values: Values = np.zeros(work.shape)
    else:
        heading, values = stored
    if heading.reach != 0:
        check_writable(path)
        heading = _finish(work, heading, values, path, progress, workers, checkpoint_seconds)
    return Solution(
        variant=work.variant.id,
        lucky=work.lucky,
        value=start_value(work, values),
        states=heading.states,
        seconds=heading.seconds,
        cpu_seconds=heading.cpu_seconds,
        layouts=work.layouts,
        folds=work.folds,
        firsts=work.firsts,
        values=values,
    )


def _stored(
    work: Plan, path: Path, key: str, numbers: tuple[int, ...], *, trust: bool
) -> tuple[Heading, Values] | None:
    """Get a table or checkpoint from its file, if there is one that can be believed."""
    try:
        before = identity(path)
    except OSError:
        return None
    trust = trust and is_checked(path)
    stored = read_table(path, key, numbers, work.shape, check=not trust)
    if stored is None or trust:
        return stored
    heading, values = stored
    if not agrees(work, values, heading.reach):
        return None
    if heading.reach == 0:
        note_checked(path, before)
    return stored


_lock = Lock()
_last: dict[tuple[str, Pad | None, Path], Solution] = {}
"""The solutions that questions were asked of last, the latest at the end."""


def recall(variant: Variant, lucky: Pad | None = None) -> Solution:
    """
    Get the solution for a question: that of the last questions if it is the same, else from its file, or worked out.

    The file is not checked again if that was done before and it has not changed since.
    """
    key = layout_hash(compile_layout(variant)), lucky, cache_directory()
    with _lock:
        found = _last.pop(key, None) or solve(variant, lucky, trust=True)
        _last[key] = found
        while len(_last) > 1 and sum(solution.values.nbytes for solution in _last.values()) > _MOST_BYTES:
            del _last[next(iter(_last))]
        return found


def start_value(work: Plan, values: Values) -> float:
    """Give the value of the empty sheet, whose rows all have class 0, and which has nothing to remember."""
    at = place(work.folds[0], 0, 0, 0, 0)
    return float(values[work.firsts[at] if len(work.firsts) else at, 0])


def _finish(
    work: Plan,
    heading: Heading,
    values: Values,
    path: Path,
    progress: Report | None,
    workers: int | None,
    checkpoint_seconds: float,
) -> Heading:
    """Work out what a table still lacks, writing checkpoints, and write the whole."""
    nothing = (0, 0, 0)  # no position: let the compiler work before the clock starts
    sweep(work.layouts, work.folds, work.firsts, np.empty(1, TURN), values, *nothing)
    clock, cpu = time.monotonic(), time.process_time()
    saved, wait = clock, checkpoint_seconds
    reach = None if heading.reach < 0 else heading.reach
    facts = heading
    try:
        for step in induce(work, values, reach, workers, heading.states):
            now = time.monotonic()
            facts = Heading(
                heading.layout,
                heading.lucky,
                heading.positions,
                heading.misses,
                step.reach,
                step.solved,
                heading.seconds + now - clock,
                heading.cpu_seconds + time.process_time() - cpu,
            )
            if step.reach == 0 or now - saved > wait:
                write_table(path, facts, values)
                saved = time.monotonic()
                writing = _WORK_PER_WRITING * (saved - now)
                wait = min(max(checkpoint_seconds, writing), _LONGEST_WAIT * checkpoint_seconds)
            if progress is not None:
                progress(step)
    except KeyboardInterrupt:
        if facts is not heading:
            write_table(path, facts, values)
        raise
    return facts
