"""
Transports: how a message leaves for a page, by the fast path of our server or through any ASGI server.

Both keep the order of messages, never wait for a page that does not read, and report to the sender how many bytes wait.
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
TRANSPORT_KEY = "qwixx.wire"
"""The extension in the ASGI scope under which a server with the fast path offers its transport."""
GUARD_KEY = "qwixx.guard"
"""The key in the state of the ASGI scope under which our server offers the guard of the connection."""


class ConnectionGuard(Protocol):
    """The limits of one connection: it can be cut off, and its timeout starts again with each progress."""

    @property
    def is_proxied(self) -> bool:
        """Whether the peer is a trusted proxy."""

    def set_request_id(self, request: str) -> None:
        """Set the id of the current request, for the log."""

    def cut_off(self, reason: str) -> None:
        """Abort the connection."""

    def progress(self) -> None:
        """Start the timeout again: a request has arrived, its response begins, or it has been sent."""

    def begin_work(self) -> None:
        """Stop the timeout until the response begins: the client waits for the server."""


def guard_of(scope: Scope) -> ConnectionGuard | None:
    """Return the guard of a connection; None on another ASGI server."""
    return cast(ConnectionGuard | None, (scope.get("state") or {}).get(GUARD_KEY))


class SocketTransport(Protocol):
    """Sends to one page, and may push received messages to a listener."""

    def attach(self, listener: Callable[[bytes], object] | None) -> None:
        """Push received messages to the listener, if this transport can; None: detach, `receive` returns them again."""

    def send_text(self, data: bytes) -> int:
        """Send a text; return how many bytes wait for the page to read."""

    async def drained(self) -> None:
        """Wait until everything sent so far has left."""

    def abort(self) -> None:
        """Discard unsent texts and cut off the page."""


def transport_of(socket: WebSocket) -> SocketTransport:
    """Return the transport of a socket: the fast path if the server has it."""
    fast = (socket.scope.get("extensions") or {}).get(TRANSPORT_KEY)
    return QueuedTransport(socket) if fast is None else cast(SocketTransport, fast)


class QueuedTransport:
    """The transport for any ASGI server: texts wait in a queue, and a task sends them one after the other."""

    def __init__(self, socket: WebSocket) -> None:
        """Start with an empty queue."""
        self._socket = socket
        self._texts: deque[bytes] = deque()
        self._size = 0
        self._sender: asyncio.Task[None] | None = None
        self._is_over = False

    def attach(self, listener: Callable[[bytes], object] | None) -> None:
        """Do nothing: an ASGI server pushes no messages, the application has to call `receive`."""

    def send_text(self, data: bytes) -> int:
        """Queue a text; return how many bytes wait."""
        if self._is_over:
            return 0
        self._texts.append(data)
        self._size += len(data)
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send())
        return self._size

    async def drained(self) -> None:
        """Wait until everything sent so far has left."""
        if self._sender is not None:
            await asyncio.wait([self._sender])

    def abort(self) -> None:
        """Discard unsent texts; a server without a guard cuts off the page when the application returns."""
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
        except Exception as error:  # every ASGI server has its own error for a page that is gone
            log.debug("a text was not sent", extra={"error": repr(error)})
            self._is_over = True
            self._texts.clear()
