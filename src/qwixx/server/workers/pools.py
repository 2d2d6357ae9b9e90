"""
Pools for work that takes long: one for each kind of work, so that no kind can starve another.

The event loop only plays. Most kinds of work run in threads. Finished games are replayed, and sheets are drawn, in
worker processes: a thread would share the interpreter lock with the tables. Work that waits is done owner by owner.
Database reads have their own thread in `store`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Literal, TypeVar

from qwixx.server.base.counters import Counters
from qwixx.server.base.errors import Refused
from qwixx.server.base.settings import Settings
from qwixx.server.limits.declared import OWNER_TASKS, WORKER_TASKS
from qwixx.server.limits.limiter import Limiter
from qwixx.server.workers.bot_latency import BotLatency
from qwixx.server.workers.fair_threads import FairThreads
from qwixx.server.workers.tasks import Task
from qwixx.server.workers.worker_process import Worker

R = TypeVar("R")
WorkerName = Literal["replays", "reviews", "prints"]
PoolName = Literal["bots", "guests", "waking", "prints", "days", "hints", "replays", "reviews"]
_THREADS: dict[PoolName, int] = {
    **{"bots": 2, "guests": 8, "waking": 1, "replays": 1},
    **{"reviews": 1, "prints": 1, "days": 1, "hints": 1},
}
"""
Threads of each pool. `bots` are built-in bots, except those fast enough for the event loop (`bot_latency`); `guests`
are bots of installed packages, which may use all of their time; `waking` replays games of tables that are loaded; the
others are for people who can wait a moment. The threads of `replays`, `reviews` and `prints` wait for a worker each.
The names are values of the metric qwixx_work_in_hand, so they do not change.
"""
_IDLE_SECONDS: Final = 300.0
"""An idle worker stops after this time, to free its memory."""


class Pools:
    """The threads and workers of one server."""

    def __init__(self, counts: Counters | None = None, limiter: Limiter | None = None) -> None:
        """Start no thread and no process yet; each starts when it is first needed."""
        self._pools = {work: FairThreads(work, count) for work, count in _THREADS.items()}
        self._counts = counts or Counters()
        self.limiter = limiter or Limiter(Settings())
        self.bot_latency = BotLatency()
        self.workers: dict[WorkerName, Worker] = {
            **{"replays": Worker(), "reviews": Worker(compiles=True), "prints": Worker()}
        }
        self._stop_timers: dict[WorkerName, asyncio.TimerHandle] = {}
        self.waiting: dict[PoolName, int] = dict.fromkeys(_THREADS, 0)
        """By pool: work that runs or waits for a thread."""

    async def run(self, work: PoolName, function: Callable[[], R], owner: str = "") -> R:
        """Run a function in the threads of a pool; the owner, an address or a table, shares them with the others."""
        self.waiting[work] += 1
        try:
            return await self._pools[work].run(owner, function)
        finally:
            self.waiting[work] -= 1

    async def submit_to_worker(self, work: WorkerName, task: Task, owner: str = "") -> bytes:
        """Have a worker do a task. Raises `Refused`: `busy` if too many wait, `trouble` if the worker ended."""
        worker = self.workers[work]
        with self.limiter.holding(OWNER_TASKS, f"{work} {owner}"), self.limiter.holding(WORKER_TASKS, work):
            try:
                return await self.run(work, lambda: worker.request(task), owner)
            except Refused as refused:
                self._counts.failed["worker"] += refused.code == "trouble"
                raise
            finally:
                self._stop_when_idle(work)

    def _stop_when_idle(self, work: WorkerName) -> None:
        """Stop a worker after a time without tasks."""
        if work in self._stop_timers:
            self._stop_timers[work].cancel()
        loop, stop = asyncio.get_running_loop(), self.workers[work].stop_if_idle
        self._stop_timers[work] = loop.call_later(_IDLE_SECONDS, lambda: self._pools[work].submit(stop))

    def close(self) -> None:
        """Start nothing more; do not wait for running work."""
        for timer in self._stop_timers.values():
            timer.cancel()
        for pool in self._pools.values():
            pool.close()
        for worker in self.workers.values():
            worker.close()
