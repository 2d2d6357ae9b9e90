"""A cache of results that take long: each is computed once, and everyone who asks for it meanwhile gets the same."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class ResultCache(Generic[K]):
    """Results in bytes; above the size the one that was unused for longest is forgotten."""

    def __init__(self, max_bytes: int) -> None:
        """Start empty."""
        self._max_bytes = max_bytes
        self._cached: OrderedDict[K, bytes] = OrderedDict()
        self._size = 0
        self._pending: dict[K, asyncio.Task[bytes]] = {}

    def __len__(self) -> int:
        return len(self._cached)

    async def get(self, key: K, compute: Callable[[K], Coroutine[Any, Any, bytes]]) -> bytes:
        """Return a result, computed if necessary."""
        if key in self._cached:
            self._cached.move_to_end(key)
            return self._cached[key]
        if key not in self._pending:
            self._pending[key] = asyncio.create_task(self._compute(key, compute))
            self._pending[key].add_done_callback(lambda _: self._pending.pop(key))
        return await asyncio.shield(self._pending[key])

    async def _compute(self, key: K, compute: Callable[[K], Coroutine[Any, Any, bytes]]) -> bytes:
        data = self._cached[key] = await compute(key)
        self._size += len(data)
        while self._size > self._max_bytes:
            self._size -= len(self._cached.popitem(last=False)[1])
        return data

    def forget(self, is_old: Callable[[K], bool]) -> None:
        """Remove results that are no longer true."""
        for key in [key for key in self._cached if is_old(key)]:
            self._size -= len(self._cached.pop(key))
