"""
A fair queue: every address gets a time slice in each turn of the event loop, so that no address blocks the others.

Without it a burst within the rate limits would be processed in one go, while all others wait. Work beyond the time
slice waits for the next turns, in the order in which it came. It waits for the event loop only: a school class behind
one address loses nothing while the loop is free. An address that has been the only one for a while skips the queue,
because there is no one else who would wait.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from qwixx.server.limits.declared import LOOP_TIME

log = logging.getLogger("qwixx.turns")
Work = Callable[[], object]
TIME_SLICE = LOOP_TIME.fixed / 1e6
"""Seconds of the event loop that an address has in each turn. A move of another player takes about five turns."""
_MAX_SLICES = 4
"""One piece of work counts as this many slices at most: if it took longer, that was the garbage collector."""
_ALONE_SECONDS = 60.0
"""An address that has been the only one for this long is alone."""


class FairQueue:
    """The time that each address has used, and the work that waits."""

    def __init__(self) -> None:
        """Start empty."""
        self._used: dict[str, float] = {}
        """Seconds that addresses have used lately."""
        self._used_in_all = 0.0
        self._waiting: dict[str, deque[tuple[Work, float]]] = {}
        self._is_scheduled = False
        self._last = ""
        self._last_switch = -math.inf
        """When an address last came after another one."""

    def run_or_queue(self, address: str, work: Callable[..., object], *details: Any, cost: float = 0.0) -> bool:
        """
        Run work with its details for an address now if it has time left, else queue it; return whether it ran.

        `cost` is the least time that is counted: work that continues elsewhere costs more than the time it takes here.
        """
        if self.run(address, work, *details, cost=cost):
            return True
        self.queue(address, partial(work, *details), cost)
        return False

    def run(self, address: str, work: Callable[..., object], *details: Any, cost: float = 0.0) -> bool:
        """Run work if its address has time left in this turn; return whether it ran."""
        is_alone = self._is_alone(address)
        if not self.has_time(address) and (address in self._waiting or not is_alone):
            return False
        if is_alone:
            work(*details)
        else:
            self._run(address, partial(work, *details), cost)
        return True

    def has_time(self, address: str) -> bool:
        """Return whether nothing of an address waits, and some of its time slice is left."""
        return address not in self._waiting and self._used.get(address, 0.0) < TIME_SLICE

    def queue(self, address: str, work: Work, cost: float = 0.0) -> None:
        """Queue work for which `run` had no time."""
        self._waiting.setdefault(address, deque()).append((work, cost))

    def _is_alone(self, address: str) -> bool:
        now = time.monotonic()
        if address != self._last:
            self._last_switch = now if self._last else self._last_switch
            self._last = address
        return now - self._last_switch > _ALONE_SECONDS

    async def wait_turn(self, address: str, cost: float) -> None:
        """Wait until it is the turn of this address, after all work that it queued before."""
        turn = asyncio.get_running_loop().create_future()
        self.run_or_queue(address, _resolve, turn, cost=cost)
        await turn

    def _run(self, address: str, work: Work, cost: float) -> None:
        before = self._used.get(address, 0.0)
        begin = time.thread_time()  # wall time would also count what other programs take
        try:
            work()
        finally:
            used = max(min(time.thread_time() - begin, _MAX_SLICES * TIME_SLICE), cost)
            counted = self._used.get(address, before)  # received data holds messages: their work is part of this
            self._used[address] = max(counted, before + used)
            self._used_in_all += self._used[address] - counted
            if self._used_in_all >= TIME_SLICE:  # below that no address can have used up its slice
                self._schedule()

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._next_turn)

    def _next_turn(self) -> None:
        """Start the next turn: every address gets another time slice."""
        self._is_scheduled = False
        self._used = {address: used - TIME_SLICE for address, used in self._used.items() if used > TIME_SLICE}
        self._used_in_all = sum(self._used.values())
        for address, queue in list(self._waiting.items()):
            self._run_queued(address, queue)
            if not queue:
                del self._waiting[address]
        if self._waiting or self._used_in_all >= TIME_SLICE:
            self._schedule()

    def _run_queued(self, address: str, queue: deque[tuple[Work, float]]) -> None:
        while queue and self._used.get(address, 0.0) < TIME_SLICE:
            work, cost = queue.popleft()
            try:
                self._run(address, work, cost)
            except Exception as error:
                asyncio.get_running_loop().call_exception_handler(
                    {"message": "work in turn failed", "exception": error}
                )


def _resolve(turn: asyncio.Future[None]) -> None:
    if not turn.done():  # the waiting task may have been cancelled
        turn.set_result(None)
