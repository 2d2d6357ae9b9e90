"""
House players that remember nothing: each sits down once, and decides at all tables of its game.

Sitting down takes milliseconds, in which tables would wait for the interpreter; games begin many times a second.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

from qwixx.players import Player, Registered
from qwixx.server.pools import Pools

_MOST: Final = 64
"""Players that are kept; those who were asked longest ago leave first."""
_SECONDS: Final = 600.0
"""After so long one sits down anew: somebody may have trained a better one meanwhile."""


class Regulars:
    """The players of one server that decide at many tables."""

    def __init__(self, pools: Pools) -> None:
        """Begin with none."""
        self._pools = pools
        self._seated: OrderedDict[Hashable, tuple[float, asyncio.Task[Player]]] = OrderedDict()

    async def find(self, known: Registered, kind: Hashable, sit: Callable[[], Player]) -> Player:
        """Give who plays a kind of game, with `sit` if nobody does yet; all who ask at once wait for the same."""
        key, now = (known.name, kind), time.monotonic()
        since, task = self._seated.get(key, (0.0, None))
        if task is None or now - since > _SECONDS or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.create_task(self._pools.run("bots", sit))
            self._seated[key] = now, task
            while len(self._seated) > _MOST:
                self._seated.popitem(last=False)
        self._seated.move_to_end(key)
        return await asyncio.shield(task)
