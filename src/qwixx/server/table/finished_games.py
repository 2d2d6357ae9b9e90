"""Finished games for their readers: each is made once, packed, and kept ready as long as there is room."""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable, Sequence

from qwixx.server.pools import Pools, Reading
from qwixx.server.room import Refused, Room
from qwixx.server.seats import owned
from qwixx.server.store import Store
from qwixx.server.tasks import Finished, What

_WAITING = 16
"""Games that may wait to be made ready; more readers than that are sent away for a moment."""
_Key = tuple[str, What, tuple[str, ...]]


class Archive:
    """Replays, records and reviews, packed with gzip. Workers make them, in processes of their own."""

    def __init__(self, store: Store, pools: Pools, megabytes: int, hides: Callable[[Room], bool]) -> None:
        """Read from this store, and keep so many megabytes ready; what is hidden is for its owners alone."""
        self._store, self._pools, self._hides = store, pools, hides
        self._most = megabytes << 20
        self._ready: OrderedDict[_Key, bytes] = OrderedDict()
        self._size = 0
        self._making: dict[_Key, asyncio.Task[bytes]] = {}

    async def packed(self, code: str, what: What, keys: Sequence[str] = ()) -> tuple[Room, bytes]:
        """
        Give a finished game, and its room. Raises `Refused` if there is none, or too many want others.

        A day's game that is still played by others is shown to those alone who have the keys of its seats.
        """
        room = await self._store.room(code)
        if room is None:
            raise Refused("no-such-table")
        if room.stage != "over" or (self._hides(room) and not owned(room.seats, list(keys))):
            raise Refused("not-now")
        key = code, what, tuple(seat.name for seat in room.seats)  # people may still change their names
        data = self._ready.get(key)
        if data is None:
            return room, await self._made(key)
        self._ready.move_to_end(key)
        return room, data

    async def plain(self, code: str, what: What, keys: Sequence[str] = ()) -> tuple[Room, bytes]:
        """Give the same unpacked, for the few who cannot unpack."""
        room, data = await self.packed(code, what, keys)
        return room, await self._pools.run("replays", lambda: gzip.decompress(data))

    def forget(self, code: str) -> None:
        """Forget a game that was deleted."""
        for key in [key for key in self._ready if key[0] == code]:
            self._size -= len(self._ready.pop(key))

    async def _made(self, key: _Key) -> bytes:
        """Make a game ready; all who ask for the same one meanwhile wait for one and the same."""
        if key not in self._making:
            if len(self._making) >= _WAITING:
                raise Refused("busy")
            self._making[key] = asyncio.create_task(self._make(key))
            self._making[key].add_done_callback(lambda _: self._making.pop(key, None))
        return await asyncio.shield(self._making[key])

    async def _make(self, key: _Key) -> bytes:
        code, what, _ = key
        found = await self._store.read(code)
        if found is None:
            raise Refused("no-such-table")
        self._store.touch(code)  # who reads a game visits it
        work: Reading = "reviews" if what == "analysis" else "replays"
        data = await self._pools.hand_over(work, Finished(what, *found))
        self._keep(key, data)
        return data

    def _keep(self, key: _Key, data: bytes) -> None:
        self._ready[key] = data
        self._size += len(data)
        while self._size > self._most:
            self._size -= len(self._ready.popitem(last=False)[1])
