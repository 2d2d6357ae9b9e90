"""
Every request and every socket has a name, its request id: in the answer, and in each line of the log that it causes.

A proxy in front may have named it already (`X-Request-Id`); it is believed where its other headers are.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from contextvars import ContextVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qwixx.server.counts import Counts
from qwixx.server.outlets import guard_of

log = logging.getLogger("qwixx.requests")
HEADER = "X-Request-Id"
_SANE = re.compile(r"[A-Za-z0-9._:+/=-]{8,64}")
"""What is taken from a proxy: nothing that could break a line of the log, or fill it."""

current: ContextVar[str] = ContextVar("request", default="")
"""The request id of whoever the running code works for; empty if it works for nobody in particular."""


class Tracing:
    """Stands before everything else."""

    def __init__(self, app: ASGIApp, counts: Counts) -> None:
        """Wrap an application, and count its requests among these numbers."""
        self._app, self._counts = app, counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Name a request, pass it on and say how it went."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        name = name_of(scope)
        current.set(name)
        guard = guard_of(scope)
        if guard is not None:
            guard.name(name)
        began, status = time.perf_counter(), 0

        async def send_named(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.accept"):
                status = message.get("status", 101)
                MutableHeaders(scope=message)[HEADER] = name
            await send(message)

        try:
            await self._app(scope, receive, send_named)
        finally:
            if scope["type"] == "http":
                # Who left before the answer began has none; what failed is answered further out, as broken.
                self._note(scope, status or 500, time.perf_counter() - began)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        self._counts.answers[status] += 1
        self._counts.requests.note(seconds)
        if log.isEnabledFor(logging.DEBUG):
            facts = {"method": scope["method"], "path": scope["path"][:200], "status": status}
            log.debug("answered", extra={**facts, "ms": round(seconds * 1000, 1)})


def name_of(scope: Scope) -> str:
    """Give the name that a believed proxy has given to a request, else a new one."""
    guard = guard_of(scope)
    if guard is not None and guard.is_proxied:
        given = Headers(scope=scope).get(HEADER, "")
        if _SANE.fullmatch(given):
            return given
    return secrets.token_hex(8)
