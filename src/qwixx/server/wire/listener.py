"""
The listening socket: connections that are one too many end here, before anything is made for them.

asyncio makes a transport, a task and a protocol for whatever it is handed; for a flood of bare connections that is
nearly all the time they take. It asks the socket for them, and this one hands over only those that the gate lets in.
Where a loop does not ask the socket (uvloop, Windows) the gate turns the others away a moment later.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_TURNED_AWAY_AT_ONCE = 16
"""After so many who are not let in the loop goes on with others; the queue is looked at again in its next turn."""
_WITHOUT_A_WORD = struct.pack("hh" if hasattr(socket, "ioctl") else "ii", 1, 0)
"""Linger, for no time: the connection is reset, and nothing of it stays behind in the system."""


class Listener(socket.socket):
    """A socket that listens for whoever may come in."""

    lets_in: Callable[[str], bool] | None = None
    """Asked with the address of everybody who comes; without it everybody may."""

    def accept(self) -> tuple[socket.socket, Any]:
        """Give the next connection; raises `BlockingIOError` if there is none now that may come in."""
        for _ in range(_TURNED_AWAY_AT_ONCE):
            connection, peer = super().accept()
            if self.lets_in is None or self.lets_in(str(peer[0])):
                return connection, peer
            with connection, suppress(OSError):  # some systems refuse it once the other is gone
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _WITHOUT_A_WORD)
        raise BlockingIOError
