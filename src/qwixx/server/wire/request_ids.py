"""
Request ids: every request and every socket has one, in the response and in each log line that it causes.

A trusted proxy may have set the id already (`X-Request-Id`).
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from contextvars import ContextVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qwixx.server.base.counters import Counters
from qwixx.server.wire.transports import guard_of

log = logging.getLogger("qwixx.requests")
HEADER = "X-Request-Id"
_SANE = re.compile(r"[A-Za-z0-9._:+/=-]{8,64}")
"""Ids that are accepted from a proxy: nothing that could break a log line, or fill the log."""

current_request_id: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that the running code works for; empty if there is none."""


class RequestIds:
    """The outermost middleware: sets request ids, and counts and logs requests."""

    def __init__(self, app: ASGIApp, counts: Counters) -> None:
        """Wrap an application, and count its requests."""
        self._app, self._counts = app, counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Set the id of a request, call the application, and count the result."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request_id = request_id_of(scope)
        current_request_id.set(request_id)
        guard = guard_of(scope)
        if guard is not None:
            guard.set_request_id(request_id)
        began, status = time.perf_counter(), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.accept"):
                status = message.get("status", 101)
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            if scope["type"] == "http":
                # A client that left early has no status; Starlette answers an exception further out, with 500.
                self._count(scope, status or 500, time.perf_counter() - began)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        self._counts.answers[status] += 1
        self._counts.requests.observe(seconds)
        if log.isEnabledFor(logging.DEBUG):
            facts = {"method": scope["method"], "path": scope["path"][:200], "status": status}
            log.debug("answered", extra={**facts, "ms": round(seconds * 1000, 1)})


def request_id_of(scope: Scope) -> str:
    """Return the id that a trusted proxy has set, else a new one."""
    guard = guard_of(scope)
    if guard is not None and guard.is_proxied:
        given = Headers(scope=scope).get(HEADER, "")
        if _SANE.fullmatch(given):
            return given
    return secrets.token_hex(8)
