"""
uvicorn's WebSocket protocol with shorter ways in and out.

A message of a page goes straight to whoever listens, and what a table says goes straight to the transport: no task is
woken and no queue is filled in between. That is half the time of a move. Opening and closing stay with uvicorn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

WIRE = "qwixx.wire"
"""Where the application finds the wire among the extensions of its scope."""
_TEXT = b"\x81"
_SHORT, _LONG = 126, 1 << 16


def frame(data: bytes) -> bytes:
    """Put a text into one frame of the WebSocket standard; what a server sends is not masked."""
    size = len(data)
    if size < _SHORT:
        return _TEXT + size.to_bytes(1) + data
    if size < _LONG:
        return _TEXT + b"\x7e" + size.to_bytes(2) + data
    return _TEXT + b"\x7f" + size.to_bytes(8) + data


class Wire(WebSocketsSansIOProtocol):
    """One connection. Nothing here waits: a peer that does not read only lets its buffer grow, and is told of."""

    listener: Callable[[bytes], object] | None = None
    """Who gets the messages, once somebody wants them; before that they go uvicorn's way."""

    def handle_connect(self, event: Request) -> None:
        """Hand the wire to the application."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast(dict[str, Any], self.scope["extensions"])[WIRE] = self

    def send_receive_event_to_app(self) -> None:
        """Give a whole message to the listener, if there is one."""
        if self.listener is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        self.listener(bytes(data))

    def push(self, data: bytes) -> int:
        """Send a text, given as a frame; tells how many bytes wait for the peer to read."""
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return 0
        self.transport.write(data)
        return self.transport.get_write_buffer_size()

    def abort(self) -> None:
        """Cut the peer off: closing would wait for it to read, which may be for ever."""
        self.transport.abort()
