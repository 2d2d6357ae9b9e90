"""Printable sheets as PDF: drawn once by a worker, and cached."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import qwixx
from qwixx.errors import QwixxError
from qwixx.printing.print_request import PrintRequest, check_request
from qwixx.server.base.errors import Refused
from qwixx.server.workers.pools import Pools
from qwixx.server.workers.result_cache import ResultCache
from qwixx.server.workers.tasks import PrintTask

_CACHE_BYTES = 8 << 20
_MAX_VALUE_LENGTH = 20
"""No value of a request is longer."""
_Key = tuple[str, str, PrintRequest]


class Prints:
    """A cache of the printable sheets of one server."""

    def __init__(self, pools: Pools) -> None:
        """Start with an empty cache."""
        self._pools = pools
        self._cache: ResultCache[_Key] = ResultCache(_CACHE_BYTES)

    async def pdf(self, game: str, asked: Mapping[str, str], link: str, address: str) -> bytes:
        """Return the requested sheets as a PDF, with a QR code of a link. Raises `Refused`."""
        return await self._cache.get(_read(game, asked, link), partial(self._draw, address))

    async def _draw(self, address: str, key: _Key) -> bytes:
        return await self._pools.submit_to_worker("prints", PrintTask(*key), address)


def draw(game: str, sheet: str, request: PrintRequest) -> bytes:
    """Draw the sheets."""
    from qwixx.printing.document import make_pad  # noqa: PLC0415 - load the library only when it is used

    return make_pad(qwixx.variant(game, sheet or None), request)


def _read(game: str, asked: Mapping[str, str], link: str) -> _Key:
    """Read a request; missing values have defaults. Raises `Refused` if it is not valid."""
    if game not in qwixx.games():
        raise Refused("no-such-game")
    if any(len(word) > _MAX_VALUE_LENGTH for word in asked.values()):
        raise Refused("unreadable")
    said = {name: asked[name] for name in ("paper", "ink", "only", "backs") if asked.get(name)}
    try:
        request = PrintRequest(
            per_page=_number(asked, "perPage"),
            sheets=_number(asked, "sheets"),
            languages=(asked.get("lang", "en"),),
            large=asked.get("large") == "yes",
            link=link,
            **said,  # type: ignore[arg-type]
        )
        sheet = asked.get("sheet", "")
        if sheet and sheet not in qwixx.games():  # a value of a request must not open a file
            raise Refused("no-such-game")
        check_request(qwixx.variant(game, sheet or None), request)
    except (QwixxError, ValueError):
        raise Refused("unreadable") from None
    return game, sheet, request


def _number(asked: Mapping[str, str], name: str) -> int | None:
    return int(asked[name]) if asked.get(name) else None
