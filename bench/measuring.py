"""Measurement: CPU time, several rounds in turn, and the best of them, because other work only slows down."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median

Task = Callable[[], object]


def cpu_seconds(tasks: Mapping[str, Task], rounds: int) -> dict[str, tuple[float, float]]:
    """Run the tasks in turn, round after round; return the best and the median CPU seconds of each."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            start = time.process_time()
            task()
            times[name].append(time.process_time() - start)
    return {name: (min(taken), median(taken)) for name, taken in times.items()}
