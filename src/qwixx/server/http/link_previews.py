"""
Previews that messengers show for a link to a table: the game, who is waiting there, and a picture.

Messengers read the document and run no script, so the tags are in the document. They send no language: it is English.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from qwixx.server.base.url_prefix import prefix_of
from qwixx.server.http import static_files
from qwixx.server.limits.client_address import address_of
from qwixx.server.limits.declared import WRONG_CODES
from qwixx.server.room.codes import is_code
from qwixx.server.room.integrity import Damaged
from qwixx.server.room.room import Room
from qwixx.server.table.registry import Tables
from qwixx.server.wire.public_address import PublicAddress

_DEFAULT_TAGS = re.compile(r'\s*<meta property="og:[^>]*>')
"""The preview tags of the document without a table."""
_AFTER = "</title>"


class LinkPreviews:
    """Sends the page for links to tables, with a preview of the table."""

    def __init__(self, tables: Tables, public_address: PublicAddress) -> None:
        """Describe these tables."""
        self._tables = tables
        self._limiter = tables.limiter
        self._public_address = public_address

    async def document(self, request: Request) -> Response:
        """Send the page, with a short description of the table if there is one."""
        room = await self._room(request)
        text = static_files.document(prefix_of(request.scope))
        if room is None or text is None:
            return await static_files.index(request)
        text = _DEFAULT_TAGS.sub("", text).replace(
            _AFTER, _AFTER + _tags(room, self._public_address.link_base(request)), 1
        )
        return HTMLResponse(text, headers={"Cache-Control": "no-cache"})

    async def _room(self, request: Request) -> Room | None:
        """Return the table, unless there is none or the address has tried too many codes."""
        address, code = address_of(request), request.path_params["code"].upper()
        if not is_code(code) or self._limiter.is_used_up(WRONG_CODES, address):
            return None
        try:
            room = await self._tables.find_room(code)
        except Damaged:
            return None  # the page shows why
        if room is None:
            self._limiter.meter(WRONG_CODES, address).take()
        return room


def _tags(room: Room, base: str) -> str:
    title, about = words(room)
    facts = {
        "og:type": "website",
        "og:site_name": "qwixx",
        "og:title": title,
        "og:description": about,
        "og:url": f"{base}/t/{room.code}",
        "og:image": f"{base}/previews/{room.variant}.png",
    }
    return "".join(f'\n    <meta property="{key}" content="{html.escape(value)}" />' for key, value in facts.items())


def words(room: Room) -> tuple[str, str]:
    """Return a title and a sentence about a table."""
    people = [seat.name for seat in room.seats if seat.is_person]
    game, who = room.rules.name, _listed(people)
    verb = "is" if len(people) == 1 else "are"
    if room.day:
        return f"{game}: today's roll", "The same dice for everybody, once a day. Play it yourself."
    if room.stage == "over":
        return f"{game}: a finished game", f"{who or 'Bots'} played. See how it ended."
    if room.stage == "playing":
        return f"{game}: a game is on", f"{who or 'Bots'} {verb if who else 'are'} playing. Open the link to watch."
    if not people:
        return f"{game}: a table for you", "Open the link, type a name and play."
    free = room.rules.most_seats - len(room.seats)
    seats = {0: "no seat is free", 1: "one seat is free"}.get(free, f"{free} seats are free")
    return f"{game}: {who} {verb} waiting for you", f"{_first_up(seats)}. Open the link, type a name and play."


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]
