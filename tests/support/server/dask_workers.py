"""A real Dask cluster on this machine: a scheduler and two worker processes, one of which can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module

import pytest

from qwixx.sim.dask_cluster import dask_cluster
from support.paths import TESTS


class TwoWorkers:
    """Two workers, until the first of them is killed."""

    def __init__(self, executor: Executor, threads: int, first: int) -> None:
        self.executor, self.threads = executor, threads
        self._first = first
        self._is_killed = False

    def kill_one(self) -> None:
        """Kill a worker, once."""
        if not self._is_killed:
            self._is_killed = True
            os.kill(self._first, signal.SIGKILL)

    def say(self, *, equal: bool) -> None:
        """Print the result for `output_of`."""
        sys.stdout.write(f"{'killed one' if self._is_killed else 'all lived'}, {'equal' if equal else 'different'}\n")


@contextmanager
def two_workers() -> Iterator[TwoWorkers]:
    """Start a scheduler and two worker processes."""
    cluster = import_module("distributed").LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with cluster, dask_cluster(cluster.scheduler_address) as (executor, threads):
        yield TwoWorkers(executor, threads, next(worker.pid for worker in cluster.workers.values()))


def output_of(module: str, function: str) -> str:
    """Return the output of a function of a test file, called in a new process: Dask leaves threads and warnings."""
    pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    done = subprocess.run(
        [sys.executable, "-c", f"import {module}; {module}.{function}()"],
        cwd=TESTS,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.stdout.strip() or done.stderr
