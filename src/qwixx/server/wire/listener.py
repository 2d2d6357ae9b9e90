"""
The listening socket: it refuses connections above the limits before anything is created for them.

asyncio creates a transport, a task and a protocol for each accepted connection; in a flood of bare connections that is
nearly all of their cost. It calls `accept` of the socket, and this one returns only connections that the connection
limiter allows. Event loops that do not call it (uvloop, Windows) refuse the others a moment later, in the limiter.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_MAX_REFUSED_PER_ACCEPT = 16
"""After this many refusals the event loop does other work; it looks at the queue again in its next turn."""
_RESET_ON_CLOSE = struct.pack("hh" if hasattr(socket, "ioctl") else "ii", 1, 0)
"""SO_LINGER with zero seconds: the connection is reset, and the system keeps nothing of it."""


class Listener(socket.socket):
    """A listening socket with a connection limit."""

    may_connect: Callable[[str], bool] | None = None
    """Called with the address of each new connection; None allows every connection."""

    def reserve(self, host: str, port: int) -> None:
        """Bind to a port. Raises `OSError` also if another socket is bound to it and does not listen yet."""
        # Connections of an earlier server may still be closing on this port: that is no reason to refuse it.
        self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.bind((host, port))
        self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)

    def listen(self, backlog: int = 1, /) -> None:
        """Let clients connect."""
        self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # for all connections, and for the next server
        super().listen(backlog)

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next allowed connection; raises `BlockingIOError` if there is none now."""
        for _ in range(_MAX_REFUSED_PER_ACCEPT):
            connection, peer = super().accept()
            if self.may_connect is None or self.may_connect(str(peer[0])):
                return connection, peer
            with connection, suppress(OSError):  # some systems refuse it when the peer is gone
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        raise BlockingIOError
