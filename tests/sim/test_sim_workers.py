"""Workers in other processes and on other machines: the results are the same, and a dead worker only costs time."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from qwixx import QwixxError
from qwixx.sim import run as running
from qwixx.sim import simulate
from qwixx.sim.dask_cluster import dask_cluster
from support.server.dask_workers import output_of, two_workers

pytestmark = pytest.mark.slow


def test_a_killed_process_costs_its_blocks_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process pool breaks when one of them is killed; the rest of the run is played here, with equal results."""
    monkeypatch.setattr(running, "BLOCK", 2000)
    expected = simulate("classic", 2, ("gap",), 40_000, seed=8)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        first = pool.submit(os.getpid).result()

        def kill(done: int, total: int) -> None:
            if done == 6000:
                os.kill(first, signal.SIGKILL)

        assert simulate("classic", 2, ("gap",), 40_000, seed=8, executor=pool, progress=kill).to_dict() == (
            expected.to_dict()
        )


def test_a_closed_executor_plays_here() -> None:
    """If an executor accepts no more work, the games are played here."""
    with ProcessPoolExecutor(1) as pool:
        pass
    assert simulate("classic", 2, ("gap",), 500, executor=pool).games == 500


def test_a_dask_worker_killed_in_the_middle() -> None:
    """On a real scheduler with two worker processes, one of them killed, the result is that of one machine."""
    assert output_of("sim.test_sim_workers", "play_on_a_cluster") == "killed one, equal"


def play_on_a_cluster() -> None:
    """Play on a local cluster, and in one process."""
    running.BLOCK = 20_000
    expected = simulate("classic", 2, ("gap",), 400_000, seed=3)
    with two_workers() as workers:

        def kill(done: int, total: int) -> None:
            if done >= total // 4:
                workers.kill_one()

        results = simulate(
            "classic", 2, ("gap",), 400_000, seed=3, workers=workers.threads, executor=workers.executor, progress=kill
        )
        workers.say(equal=results.to_dict() == expected.to_dict())


def test_no_scheduler_is_one_sentence() -> None:
    """An address without a scheduler is reported in a sentence, as is a missing Dask."""
    with pytest.raises(QwixxError, match=r"No Dask scheduler answers|needs Dask"):
        dask_cluster("nowhere").__enter__()
