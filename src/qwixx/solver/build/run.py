"""`solve`: read a table from its file if it is valid, else compute it, with checkpoints."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Lock

import numpy as np

from qwixx.base.user_dirs import cache_directory
from qwixx.errors import QwixxError
from qwixx.solver.build.induction import Report, agrees, induce, solving
from qwixx.solver.build.plan import Plan, check_memory, plan
from qwixx.solver.build.solution import Solution
from qwixx.solver.build.sweep import sweep
from qwixx.solver.build.table_files import Heading, check_target, check_writable, read_table, table_path, write_table
from qwixx.solver.build.verified_files import identity, is_checked, note_checked
from qwixx.solver.encoding.sheet_index import Values, place
from qwixx.solver.lookahead.turn import TURN
from qwixx.text.arguments import require_int
from qwixx.variants import load
from qwixx.variants.layout import compile_layout, layout_hash
from qwixx.variants.model import Pad, Variant

_MOST_BYTES = 4_000_000_000
"""The cache of recent solutions holds at most this much, or the last one only."""
MAX_WORKERS = 256
CHECKPOINT_SECONDS = 60.0
"""An interruption loses at most this much work on a small table, and one reach."""
_WORK_PER_WRITING = 20
"""Big tables take seconds to write: work about this many times as long before the next checkpoint."""
_LONGEST_WAIT = 10
"""But not longer than this many times `checkpoint_seconds`."""


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
    Solve solitaire on a sheet, or read the solution if there is one. A `Plan` includes the lucky numbers.

    `lucky` are Longo's numbers, by default those of the sheet's first pad (L5). `progress` is called after every
    reach. The table is stored in the user's cache directory, or in the file `table`. After an interruption the work
    continues from the last checkpoint, after Ctrl-C from where it stopped. Another kind of file is refused.

    Before a table is used, all of it is verified by its checksum and a sample is computed again. With `trust`, a file
    that was verified before and has not changed since is not verified again.
    """
    if workers is not None and not 1 <= require_int(workers, "The number of workers") <= MAX_WORKERS:
        raise QwixxError(f"The number of workers must be from 1 to {MAX_WORKERS}, not {workers}.")
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
    return solution_of(work, heading, values)


def solution_of(work: Plan, heading: Heading, values: Values) -> Solution:
    """Return the solution with these values."""
    return Solution(
        variant=work.variant.id,
        sheet=work.variant,
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
    """Read a table or checkpoint from its file; None if there is no valid one."""
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
"""The cache of recently used solutions, the latest at the end."""


def recall(variant: Variant, lucky: Pad | None = None) -> Solution:
    """
    Return a solution: from the cache, else from its file, else computed.

    The file is not verified again if that was done before and it has not changed since.
    """
    key = layout_hash(compile_layout(variant)), lucky, cache_directory()
    with _lock:
        found = _last.pop(key, None) or solve(variant, lucky, trust=True)
        _last[key] = found
        while len(_last) > 1 and sum(solution.values.nbytes for solution in _last.values()) > _MOST_BYTES:
            del _last[next(iter(_last))]
        return found


def start_value(work: Plan, values: Values) -> float:
    """Return the value of the empty sheet, whose rows all have class 0, and whose marked cells have no state."""
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
    """Compute the missing part of a table, with checkpoints, and write the complete table."""
    nothing = (0, 0, 0)  # no position: compile before the clock starts
    sweep(work.layouts, work.folds, work.firsts, np.empty(1, TURN), values, *nothing)
    clock, cpu = time.monotonic(), time.process_time()
    saved, wait = clock, checkpoint_seconds
    reach = None if heading.reach < 0 else heading.reach
    facts = heading
    try:
        for step in induce(work, solving(work, values), reach, workers, heading.states):
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
