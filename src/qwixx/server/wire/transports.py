"""
How a message leaves for a page: by the short way where the server has one, else by way of any ASGI server.

Either way messages keep their order, nothing here waits for a page that does not read, and whoever sends is told how
much such a page lets pile up.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Protocol, cast

from starlette.types import Scope
from starlette.websockets import WebSocket

log = logging.getLogger("qwixx.outlets")
WIRE = "qwixx.wire"
"""Where a server that has the short way names it among the extensions of its scope."""
GUARD = "qwixx.guard"
"""Where a server that guards its connections names the guard, in the state of its scope."""


class Guard(Protocol):
    """Who can end a connection at once, and wants to know that it makes progress."""

    @property
    def is_proxied(self) -> bool:
        """Whether a proxy is at the other end, whose headers are believed."""

    def name(self, request: str) -> None:
        """Note the request id of what the connection is used for now."""

    def cut_off(self, reason: str) -> None:
        """End the connection without another word."""

    def progress(self) -> None:
        """Note that a request has come, or that it has been answered."""


def guard_of(scope: Scope) -> Guard | None:
    """Give the guard of a connection, where the server has one."""
    return cast(Guard | None, (scope.get("state") or {}).get(GUARD))


class Outlet(Protocol):
    """One way to one page."""

    def listen(self, listener: Callable[[bytes], object] | None) -> None:
        """Bring what the page says straight to the listener, if this way can; None: only to who asks for it."""

    def push(self, data: bytes) -> int:
        """Send a text; tells how many bytes wait for the page to read."""

    async def emptied(self) -> None:
        """Wait until everything sent so far is on its way."""

    def abort(self) -> None:
        """Forget what waits, and cut the page off."""


def outlet_of(socket: WebSocket) -> Outlet:
    """Give the way to a socket's page."""
    wire = (socket.scope.get("extensions") or {}).get(WIRE)
    return Outbox(socket) if wire is None else cast(Outlet, wire)


class Outbox:
    """The way through any ASGI server: what waits is kept here and sent by a task, one text after the other."""

    def __init__(self, socket: WebSocket) -> None:
        """Begin with nothing that waits."""
        self._socket = socket
        self._texts: deque[bytes] = deque()
        self._size = 0
        self._sender: asyncio.Task[None] | None = None
        self._is_over = False

    def listen(self, listener: Callable[[bytes], object] | None) -> None:
        """Bring nothing: an ASGI server has to be asked for what the page says."""

    def push(self, data: bytes) -> int:
        """Put a text behind those that wait; tells how many bytes do."""
        if self._is_over:
            return 0
        self._texts.append(data)
        self._size += len(data)
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send())
        return self._size

    async def emptied(self) -> None:
        """Wait until everything sent so far is on its way."""
        if self._sender is not None:
            await asyncio.wait([self._sender])

    def abort(self) -> None:
        """Forget what waits; a server without a guard cuts the page off when its application returns."""
        guard = guard_of(self._socket.scope)
        if guard is not None:
            guard.cut_off("sent away")
        self._is_over = True
        self._texts.clear()
        if self._sender is not None:
            self._sender.cancel()

    async def _send(self) -> None:
        try:
            while self._texts:
                await self._socket.send_text(self._texts[0].decode())
                self._size -= len(self._texts.popleft())
        except Exception as error:  # every server has its own way to say that the page has gone
            log.debug("a text did not leave", extra={"error": repr(error)})
            self._is_over = True
            self._texts.clear()
