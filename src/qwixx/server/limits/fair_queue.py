"""
Turns: what one address wants is done a little at a time, and everybody else comes between.

A burst that its limits allow would else be worked off in one go, while nobody is served. In each turn of the event
loop an address has a moment of it; what it wants beyond that waits for the next turns, in the order in which it came.
Nobody waits here for anything but the loop, so that a class behind one address loses nothing while there is time.
An address that has been alone for a while takes no turns: there is nobody who would wait for it.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Callable
from functools import partial

log = logging.getLogger("qwixx.turns")
Work = Callable[[], object]
MOMENT = 0.0005
"""Seconds of the loop's time that an address has in a turn. A move of somebody else takes about five turns."""
_MOST_MOMENTS = 4
"""A piece of work counts for no more than this: what takes longer is the collector, which comes when it likes."""
_ALONE_SECONDS = 60.0
"""Whoever has been the only one for so long is alone."""


class Turns:
    """The turns of everybody, by address."""

    def __init__(self) -> None:
        """Begin with nobody who waits."""
        self._spent: dict[str, float] = {}
        """Seconds that addresses have had lately."""
        self._in_all = 0.0
        self._waiting: dict[str, deque[tuple[Work, float]]] = {}
        self._is_called = False
        self._last = ""
        self._met = -math.inf
        """When somebody came after somebody else."""

    def take(self, address: str, work: Work, cost: float = 0.0) -> bool:
        """
        Do some work for an address, now if it has time left in this turn; tells whether it was done.

        Work that goes on elsewhere costs more than the time it takes here: `cost` is the least that is counted.
        """
        is_alone = self._is_alone(address)
        if address in self._waiting or (not is_alone and self._spent.get(address, 0.0) >= MOMENT):
            self._waiting.setdefault(address, deque()).append((work, cost))
            return False
        if is_alone:
            work()
        else:
            self._do(address, work, cost)
        return True

    def _is_alone(self, address: str) -> bool:
        now = time.monotonic()
        if address != self._last:
            self._met = now if self._last else self._met
            self._last = address
        return now - self._met > _ALONE_SECONDS

    async def come(self, address: str, cost: float) -> None:
        """Wait until it is this address's turn, behind everything that it wanted before."""
        turn = asyncio.get_running_loop().create_future()
        self.take(address, partial(_let, turn), cost)
        await turn

    def _do(self, address: str, work: Work, cost: float) -> None:
        begin = time.thread_time()  # that of the machine would count what other programs take from the loop
        try:
            work()
        finally:
            taken = max(min(time.thread_time() - begin, _MOST_MOMENTS * MOMENT), cost)
            self._spent[address] = self._spent.get(address, 0.0) + taken
            self._in_all += taken
            if self._in_all >= MOMENT:  # as long as all together have had less there is nothing to give back
                self._call()

    def _call(self) -> None:
        if not self._is_called:
            self._is_called = True
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        """Begin the next turn: a moment more for everybody."""
        self._is_called = False
        self._spent = {address: spent - MOMENT for address, spent in self._spent.items() if spent > MOMENT}
        self._in_all = sum(self._spent.values())
        for address, queue in list(self._waiting.items()):
            self._go_on(address, queue)
            if not queue:
                del self._waiting[address]
        if self._waiting or self._in_all >= MOMENT:
            self._call()

    def _go_on(self, address: str, queue: deque[tuple[Work, float]]) -> None:
        while queue and self._spent.get(address, 0.0) < MOMENT:
            work, cost = queue.popleft()
            try:
                self._do(address, work, cost)
            except Exception as error:
                asyncio.get_running_loop().call_exception_handler(
                    {"message": "work in turn failed", "exception": error}
                )


def _let(turn: asyncio.Future[None]) -> None:
    if not turn.done():  # whoever waited may have given up
        turn.set_result(None)
