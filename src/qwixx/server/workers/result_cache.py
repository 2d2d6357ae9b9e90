"""A cache of results that take long: each is computed once, and everyone who asks for it meanwhile gets the same."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from qwixx.server.limits.declared import Limit
from qwixx.server.limits.limiter import Limiter

K = TypeVar("K", bound=Hashable)


class ResultCache(Generic[K]):
    """Results in bytes; above the size the one that was unused for longest is forgotten."""

    def __init__(self, max_bytes: int, limiter: Limiter, in_work: Limit) -> None:
        """Start empty; `in_work` limits how many results are computed at the same time."""
        self._max_bytes, self._limiter, self._in_work = max_bytes, limiter, in_work
        self._cached: OrderedDict[K, bytes] = OrderedDict()
        self._size = 0
        self._pending: dict[K, asyncio.Task[bytes]] = {}

    def __len__(self) -> int:
        return len(self._cached)

    async def get(self, key: K, compute: Callable[[K], Coroutine[Any, Any, bytes]]) -> bytes:
        """Return a result, computed if necessary. Raises `Refused` if too many others are in work."""
        if key in self._cached:
            self._cached.move_to_end(key)
            return self._cached[key]
        if key not in self._pending:
            self._limiter.count(self._in_work)
            self._pending[key] = asyncio.create_task(self._compute(key, compute))
            self._pending[key].add_done_callback(lambda _: self._end(key))
        return await asyncio.shield(self._pending[key])

    async def _compute(self, key: K, compute: Callable[[K], Coroutine[Any, Any, bytes]]) -> bytes:
        data = self._cached[key] = await compute(key)
        self._size += len(data)
        while self._size > self._max_bytes:
            self._size -= len(self._cached.popitem(last=False)[1])
        return data

    def _end(self, key: K) -> None:
        del self._pending[key]
        self._limiter.uncount(self._in_work)

    def forget(self, is_old: Callable[[K], bool]) -> None:
        """Remove results that are no longer true."""
        for key in [key for key in self._cached if is_old(key)]:
            self._size -= len(self._cached.pop(key))
