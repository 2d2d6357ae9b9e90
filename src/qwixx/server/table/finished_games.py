"""Finished games for download: replay, record or review, computed once by a worker, compressed and cached."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from functools import partial

from qwixx.server.base.errors import Refused
from qwixx.server.room.room import Room
from qwixx.server.room.seats import owned_seats
from qwixx.server.store.interface import Store
from qwixx.server.workers.pools import Pools, WorkerName
from qwixx.server.workers.result_cache import ResultCache
from qwixx.server.workers.tasks import FinishedGameTask, GameFormat

_Key = tuple[str, GameFormat, tuple[str, ...], bool]
"""A game, its format, the names of its players, and whether the result is compressed."""


class FinishedGames:
    """A cache of replays, records and reviews, compressed with gzip. Worker processes compute them."""

    def __init__(self, store: Store, pools: Pools, megabytes: int, is_secret: Callable[[Room], bool]) -> None:
        """Cache at most this many megabytes. Games that are still secret are only for the owners of their seats."""
        self._store, self._pools, self._is_secret = store, pools, is_secret
        self.cache: ResultCache[_Key] = ResultCache(megabytes << 20)

    async def compressed(
        self, code: str, what: GameFormat, keys: Sequence[str] = (), address: str = ""
    ) -> tuple[Room, bytes]:
        """
        Return a finished game and its room. Raises `Refused` if there is none, or too many tasks of the address wait.

        A daily game that others still play needs the key of one of its seats.
        """
        room = await self._store.room(code)
        if room is None:
            raise Refused("no-such-table")
        if room.stage != "over" or (self._is_secret(room) and not owned_seats(room.seats, list(keys))):
            raise Refused("not-now")
        return room, await self.cache.get(_key(room, what, is_compressed=True), partial(self._produce, address))

    async def uncompressed(
        self, code: str, what: GameFormat, keys: Sequence[str] = (), address: str = ""
    ) -> tuple[Room, bytes]:
        """Return the same without compression, for clients that do not accept gzip; this is cached, too."""
        room, data = await self.compressed(code, what, keys, address)

        async def decompress(_: _Key) -> bytes:
            return await self._pools.run("replays", lambda: gzip.decompress(data), address)

        return room, await self.cache.get(_key(room, what, is_compressed=False), decompress)

    def forget(self, code: str) -> None:
        """Remove a game from the cache: it was deleted, or a name in it has changed."""
        self.cache.forget(lambda key: key[0] == code)

    async def _produce(self, address: str, key: _Key) -> bytes:
        code, what, *_ = key
        worker: WorkerName = "reviews" if what == "analysis" else "replays"
        with self._store.setting_aside(code):
            found = await self._store.read(code)
            if found is None:
                raise Refused("no-such-table")
            self._store.touch(code)  # reading a game counts as a visit
            return await self._pools.submit_to_worker(worker, FinishedGameTask(what, *found), address)


def _key(room: Room, what: GameFormat, *, is_compressed: bool) -> _Key:
    names = tuple(seat.name for seat in room.seats)  # people may still change them
    return room.code, what, names, is_compressed
