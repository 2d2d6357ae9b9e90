"""
What every request passes first: the name it asks for, its turn among others of its address, and its time.

Long answers go out in slices, so that a reader who does not read holds one slice in memory and not the whole answer.
"""

from __future__ import annotations

import logging
from collections.abc import Container
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qwixx.server.api import refused
from qwixx.server.hosts import Hosts
from qwixx.server.outlets import guard_of
from qwixx.server.quotas import Quotas
from qwixx.server.room import Refused
from qwixx.server.security import address_of
from qwixx.server.settings import Settings

log = logging.getLogger("qwixx.admission")
_NOT_HERE = "This server does not go by that name. If it is yours, set QWIXX_HOSTS to its names and start it again.\n"
_OPEN_TO_ALL = ("/api/games", "/api/rules/", "/api/admin/", "/api/announcement", "/api/keeping")
"""What an address may ask for that the operator keeps out: what the page needs, and what the operator does."""
_SLICE = 64 * 1024
SOCKET_COST = 5.0
"""How many plain requests a new socket takes the time of: everybody at its table is told."""

_ANSWER_SECONDS = 0.0003
"""What it takes of the loop's time to send an answer."""


class Admission:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, settings: Settings, quotas: Quotas, barred: Container[str] = frozenset()) -> None:
        """Wrap an application, and keep these addresses out."""
        self._barred = barred
        self._app = app
        self._hosts = Hosts(settings)
        self._quotas = quotas

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is admitted."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        guard = guard_of(scope) if scope["type"] == "http" else None
        if guard is not None:
            guard.progress()
        if scope["type"] == "http":
            send = self._in_turn(address_of(HTTPConnection(scope)), in_slices(send))
        try:
            await self._admit(scope)
        except Refused as error:
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            else:
                await (await _refusal(Request(scope), error))(scope, receive, send)
        else:
            await self._app(scope, receive, send)
        if guard is not None:
            guard.progress()

    async def _admit(self, scope: Scope) -> None:
        connection = HTTPConnection(scope)
        host = connection.headers.get("host", "")
        if not self._hosts.know(host):
            log.warning("foreign host", extra={"host": host[:100]})
            raise Refused("foreign-host")
        # The page itself and the sockets' door say it in words; the operator is never locked out.
        path = scope["path"]
        if path.startswith("/api/") and not path.startswith(_OPEN_TO_ALL) and address_of(connection) in self._barred:
            raise Refused("barred")
        cost = SOCKET_COST if scope["type"] == "websocket" else 1.0
        await self._quotas.wait_turn(address_of(connection), cost)

    def _in_turn(self, address: str, send: Send) -> Send:
        """Have answers take turns, too: many who waited for the same commit would else be answered in one go."""

        async def send_in_turn(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self._quotas.turns.come(address, _ANSWER_SECONDS)
            await send(message)

        return send_in_turn


async def _refusal(request: Request, error: Refused) -> Response:
    """Answer programs by a code, and in words whoever opened the page."""
    if error.code == "foreign-host" and not request.url.path.startswith("/api/"):
        return PlainTextResponse(_NOT_HERE, 421)
    return await refused(request, error)


def in_slices(send: Send) -> Send:
    """Send answers in slices: a server waits after each until there is room for the next."""

    async def send_slices(message: Message) -> None:
        body: Any = message.get("body", b"")
        if message["type"] != "http.response.body" or len(body) <= _SLICE:
            await send(message)
            return
        rest = memoryview(body)
        while len(rest) > _SLICE:
            await send({"type": "http.response.body", "body": bytes(rest[:_SLICE]), "more_body": True})
            rest = rest[_SLICE:]
        await send({**message, "body": bytes(rest)})

    return send_slices
