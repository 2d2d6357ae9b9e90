"""Threads whose waiting work is taken in turn, owner by owner, so that one address cannot make all others wait."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

R = TypeVar("R")


class FairThreads:
    """Some threads, and the work that waits for them. All methods belong to the event loop."""

    def __init__(self, name: str, threads: int) -> None:
        """Start no thread yet."""
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=f"qwixx-{name}")
        self._free = threads
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By owner, the next one first."""

    async def run(self, owner: str, function: Callable[[], R]) -> R:
        """Run a function in a thread, when it is the turn of its owner: an address or a table."""
        await self._wait_turn(owner)
        running = asyncio.get_running_loop().run_in_executor(self._executor, function)
        running.add_done_callback(lambda _: self._release())
        return await asyncio.shield(running)  # the thread is busy until the end, also if nobody waits any more

    def submit(self, function: Callable[[], object]) -> None:
        """Run a function soon, outside the turns."""
        self._executor.submit(function)

    def close(self) -> None:
        """Start nothing more; do not wait for running work."""
        for turn in [turn for queue in self._waiting.values() for turn in queue]:
            turn.cancel()
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def _wait_turn(self, owner: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it had its turn already
                self._release()
            raise

    def _release(self) -> None:
        """Give a free thread to the next owner, who then goes to the end of the line."""
        while self._waiting:
            owner = next(iter(self._waiting))
            queue = self._waiting.pop(owner)
            turn = queue.popleft()
            if queue:
                self._waiting[owner] = queue
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
