"""
What takes long is done outside the event loop, a pool for each kind of work, so that no kind can starve another.

The event loop is for play alone. Most kinds have threads. Finished games are played again by workers, which are
processes: in a thread they would share the interpreter with the tables. Reading the database has its own thread in
`store`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Literal, TypeVar

from qwixx.server.counts import Counts
from qwixx.server.promptness import Promptness
from qwixx.server.room import Refused
from qwixx.server.tasks import Task
from qwixx.server.workers import Worker

R = TypeVar("R")
Reading = Literal["replays", "reviews"]
Work = Literal["bots", "guests", "waking", "prints", "days", "hints", "replays", "reviews"]
_THREADS: dict[Work, int] = {
    **{"bots": 2, "guests": 8, "waking": 1, "replays": 1},
    **{"reviews": 1, "prints": 1, "days": 1, "hints": 1},
}
"""
`bots` weigh and answer soon, and who does it at once needs no thread (`promptness`); `guests` are players of installed
packages, which may take their whole time; `waking` plays games again that come back into memory; `replays`, `reviews`,
`prints`, `days` and `hints` are for people who can wait a moment. `replays` and `reviews` wait for a worker each.
"""
_WAITING: Final = 64
"""Tasks that may wait for one worker; more are refused for a moment."""
_IDLE_SECONDS: Final = 300.0
"""A worker that nobody needs for so long gives its memory back."""


class Pools:
    """The threads and workers of one server."""

    def __init__(self, counts: Counts | None = None) -> None:
        """Start with no thread and no process; each is made when it is first needed. Note failures among the counts."""
        self._pools = {
            work: ThreadPoolExecutor(count, thread_name_prefix=f"qwixx-{work}") for work, count in _THREADS.items()
        }
        self._counts = counts or Counts()
        self.promptness = Promptness()
        self.workers: dict[Reading, Worker] = {"replays": Worker(), "reviews": Worker(compiles=True)}
        self._resting: dict[Reading, asyncio.TimerHandle] = {}
        self.waiting: dict[Work, int] = dict.fromkeys(_THREADS, 0)
        """How much of each kind of work is in hand, or waits for a thread."""

    async def run(self, work: Work, function: Callable[[], R]) -> R:
        """Do something outside the event loop, in the threads for this kind of work."""
        self.waiting[work] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pools[work], function)
        finally:
            self.waiting[work] -= 1

    async def hand_over(self, work: Reading, task: Task) -> bytes:
        """Have a worker do something. Raises `Refused`, with `busy` if too much waits and `trouble` if it ended."""
        if self.waiting[work] >= _WAITING:
            raise Refused("busy")
        worker = self.workers[work]
        try:
            return await self.run(work, lambda: worker.ask(task))
        except Refused as refused:
            self._counts.failed["worker"] += refused.code == "trouble"
            raise
        finally:
            self._let_rest(work)

    def _let_rest(self, work: Reading) -> None:
        """Have a worker end when nobody has needed it for a while."""
        if work in self._resting:
            self._resting[work].cancel()
        loop, rest = asyncio.get_running_loop(), self.workers[work].rest
        self._resting[work] = loop.call_later(_IDLE_SECONDS, lambda: self._pools[work].submit(rest))

    def close(self) -> None:
        """Start nothing more; what runs is not waited for."""
        for resting in self._resting.values():
            resting.cancel()
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        for worker in self.workers.values():
            worker.close()
