"""
Threads for what takes long, a pool for each kind of work, so that no kind can starve another.

The event loop is for play alone. Reading the database has its own thread in `store`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, TypeVar

R = TypeVar("R")
Work = Literal["bots", "guests", "waking", "replays", "reviews", "prints", "days", "hints"]
_THREADS: dict[Work, int] = {
    **{"bots": 2, "guests": 8, "waking": 1, "replays": 1},
    **{"reviews": 1, "prints": 1, "days": 1, "hints": 1},
}
"""
`bots` weigh and answer at once; `guests` are players of installed packages, which may take their whole time; `waking`
plays games again that come back into memory; `replays`, `reviews`, `prints`, `days` and `hints` are for people who can
wait a moment.
"""


class Pools:
    """The threads of one server."""

    def __init__(self) -> None:
        """Start with no thread; each is made when it is first needed."""
        self._pools = {
            work: ThreadPoolExecutor(count, thread_name_prefix=f"qwixx-{work}") for work, count in _THREADS.items()
        }
        self.waiting: dict[Work, int] = dict.fromkeys(_THREADS, 0)
        """How much of each kind of work is in hand, or waits for a thread."""

    async def run(self, work: Work, function: Callable[[], R]) -> R:
        """Do something outside the event loop, in the threads for this kind of work."""
        self.waiting[work] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pools[work], function)
        finally:
            self.waiting[work] -= 1

    def close(self) -> None:
        """Start nothing more; what runs is not waited for."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
