"""Sheets for printers: each is made once, beside the tables, and kept as long as there is room."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping

import qwixx
from qwixx.errors import QwixxError
from qwixx.printing.wish import Wish, check_wish
from qwixx.server.pools import Pools
from qwixx.server.room import Refused

_WAITING = 8
"""Files that may wait to be made; who asks for one more is sent away for a moment."""
_MOST_KEPT = 8 << 20
_LONGEST = 20
"""No word of a wish is longer."""
_Key = tuple[str, str, Wish]


class Prints:
    """Printed sheets of one server."""

    def __init__(self, pools: Pools) -> None:
        """Begin with none."""
        self._pools = pools
        self._ready: OrderedDict[_Key, bytes] = OrderedDict()
        self._size = 0
        self._making: dict[_Key, asyncio.Task[bytes]] = {}

    async def pdf(self, game: str, asked: Mapping[str, str], link: str) -> bytes:
        """Give what was asked for as a PDF, with a code that leads to a link. Raises `Refused`."""
        key = _read(game, asked, link)
        if key in self._ready:
            self._ready.move_to_end(key)
            return self._ready[key]
        if key not in self._making:
            if len(self._making) >= _WAITING:
                raise Refused("busy")
            self._making[key] = asyncio.create_task(self._make(key))
            self._making[key].add_done_callback(lambda _: self._making.pop(key, None))
        return await asyncio.shield(self._making[key])

    async def _make(self, key: _Key) -> bytes:
        game, sheet, wish = key
        data = await self._pools.run("prints", lambda: _drawn(game, sheet, wish))
        self._ready[key] = data
        self._size += len(data)
        while self._size > _MOST_KEPT:
            self._size -= len(self._ready.popitem(last=False)[1])
        return data


def _drawn(game: str, sheet: str, wish: Wish) -> bytes:
    from qwixx.printing.pad import make_pad  # noqa: PLC0415 - a server that nobody prints at does without the library

    return make_pad(qwixx.variant(game, sheet or None), wish)


def _read(game: str, asked: Mapping[str, str], link: str) -> _Key:
    """Read a wish; what it does not say is as most people want it. Raises `Refused` if it makes no sense."""
    if game not in qwixx.games():
        raise Refused("no-such-game")
    if any(len(word) > _LONGEST for word in asked.values()):
        raise Refused("unreadable")
    said = {name: asked[name] for name in ("paper", "ink", "only", "backs") if asked.get(name)}
    try:
        wish = Wish(
            per_page=_number(asked, "perPage"),
            sheets=_number(asked, "sheets"),
            languages=(asked.get("lang", "en"),),
            large=asked.get("large") == "yes",
            link=link,
            **said,  # type: ignore[arg-type]
        )
        sheet = asked.get("sheet", "")
        if sheet and sheet not in qwixx.games():  # no word from outside may open a file
            raise Refused("no-such-game")
        check_wish(qwixx.variant(game, sheet or None), wish)
    except (QwixxError, ValueError):
        raise Refused("unreadable") from None
    return game, sheet, wish


def _number(asked: Mapping[str, str], name: str) -> int | None:
    return int(asked[name]) if asked.get(name) else None
