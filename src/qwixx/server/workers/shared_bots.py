"""
Built-in bots without memory: one instance decides at all tables of its game.

Creating a bot takes milliseconds, in which tables would wait for the interpreter, and games start many times a second.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

from qwixx.players import Player, Registered
from qwixx.server.limits.declared import SHARED_BOTS
from qwixx.server.workers.pools import Pools

"""Bots in the cache; the least recently used leaves first."""
_MAX_SECONDS: Final = 600.0
"""After this time a bot is created again: a better network may have been trained meanwhile."""


class SharedBots:
    """The bots of one server that decide at many tables."""

    def __init__(self, pools: Pools) -> None:
        """Start with an empty cache."""
        self._pools = pools
        self._bots: OrderedDict[Hashable, tuple[float, asyncio.Task[Player]]] = OrderedDict()

    async def find(self, known: Registered, kind: Hashable, sit: Callable[[], Player]) -> Player:
        """Return the bot for a kind of game, created by `sit` if necessary; concurrent callers share one task."""
        key, now = (known.name, kind), time.monotonic()
        since, task = self._bots.get(key, (0.0, None))
        if task is None or now - since > _MAX_SECONDS or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.create_task(self._pools.run("bots", sit))
            self._bots[key] = now, task
            while len(self._bots) > SHARED_BOTS.fixed:
                self._bots.popitem(last=False)
        self._bots.move_to_end(key)
        return await asyncio.shield(task)
