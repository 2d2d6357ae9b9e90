"""
Admission: the checks before every request. They are the host name, bans, the rate limit and the timeout.

Long responses are sent in slices, so that a client that does not read keeps one slice in memory, not all of it.
"""

from __future__ import annotations

import logging
from collections.abc import Container
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qwixx.server.base.errors import Refused
from qwixx.server.http.below_path import BelowPath
from qwixx.server.http.http_util import refusal_response
from qwixx.server.limits.allowed_hosts import AllowedHosts
from qwixx.server.limits.client_address import address_of
from qwixx.server.limits.declared import ANSWER_SECONDS, RESPONSE_SLICE, SOCKET_COST
from qwixx.server.limits.limiter import Limiter
from qwixx.server.wire.transports import ConnectionGuard, guard_of

log = logging.getLogger("qwixx.admission")
_WRONG_HOST = (
    "This server does not answer for that name. If it is yours, set QWIXX_HOSTS to its names and restart it.\n"
)
_WRONG_PREFIX = "The proxy in front of this server sends an X-Forwarded-Prefix or X-Ingress-Path that is no path.\n"
_SENTENCES = {"foreign-host": (421, _WRONG_HOST), "unreadable": (400, _WRONG_PREFIX)}
_OPEN_TO_BANNED = ("/api/games", "/api/rules/", "/api/admin/", "/api/announcement", "/api/keeping")
"""Paths that a banned address may use: those that the page needs, and the operator's."""
_SLICE = RESPONSE_SLICE.fixed


class Admission:
    """Middleware that admits or refuses requests."""

    def __init__(self, app: ASGIApp, limiter: Limiter, banned: Container[str] = frozenset()) -> None:
        """Wrap an application, and refuse requests of banned addresses."""
        self._banned = banned
        self._app = app
        self._hosts = AllowedHosts(limiter.settings)
        self._limiter = limiter
        self._below_path = BelowPath(limiter.settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application for an admitted request, else send the refusal."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        guard = guard_of(scope) if scope["type"] == "http" else None
        if guard is not None:
            guard.progress()
        if scope["type"] == "http":
            send = self._in_turn(address_of(HTTPConnection(scope)), in_slices(send), guard)
        try:
            elsewhere = await self._admit(scope)
        except Refused as error:
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            else:
                await (await _refusal(Request(scope), error))(scope, receive, send)
        else:
            app = RedirectResponse(elsewhere) if elsewhere else self._app
            if guard is not None:
                guard.begin_work()
            await app(scope, receive, send)
        if guard is not None:
            guard.progress()

    async def _admit(self, scope: Scope) -> str:
        """Check a request; return where it should go instead, if it should. Raises `Refused`."""
        connection = HTTPConnection(scope)
        # The rate limit is first: it also holds for requests that are refused for another reason.
        cost = SOCKET_COST if scope["type"] == "websocket" else 1.0
        await self._limiter.admit_request(address_of(connection), cost)
        host = connection.headers.get("host", "")
        if not self._hosts.accepts(host):
            log.warning("foreign host", extra={"host": host[:100]})
            raise Refused("foreign-host")
        elsewhere = self._below_path.enter(scope)
        # The page and the socket endpoint tell a banned user in words; the operator is never locked out.
        path = scope["path"]
        if path.startswith("/api/") and not path.startswith(_OPEN_TO_BANNED) and address_of(connection) in self._banned:
            raise Refused("barred")
        return elsewhere

    def _in_turn(self, address: str, send: Send, guard: ConnectionGuard | None) -> Send:
        """Send responses in turn, too: otherwise many that wait for the same commit would be sent in one go.

        The client's time to read starts with the response.
        """

        async def send_in_turn(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self._limiter.fair_queue.wait_turn(address, ANSWER_SECONDS)
                if guard is not None:
                    guard.progress()
            await send(message)

        return send_in_turn


async def _refusal(request: Request, error: Refused) -> Response:
    """Answer a program with a code, and a person who opened the page with a sentence."""
    if error.code in _SENTENCES and not request.url.path.startswith("/api/"):
        status, sentence = _SENTENCES[error.code]
        return PlainTextResponse(sentence, status)
    return await refusal_response(request, error)


def in_slices(send: Send) -> Send:
    """Send responses in slices: the server waits after each until there is room for the next."""

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
