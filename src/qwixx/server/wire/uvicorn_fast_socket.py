"""
The fast path: uvicorn's WebSocket protocol without its queues, for the versions in `uvicorn_versions`.

A received message goes directly to the listener, and a sent one directly to the transport, without a task and a queue
in between. That saves half the time of a move. uvicorn still opens and closes the socket.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from qwixx.server.wire.frame_counter import SHORT_HEADER, TEXT, FrameCounter
from qwixx.server.wire.transports import TRANSPORT_KEY

try:
    from websockets.speedups import apply_mask
except ImportError:  # compiled for few machines only
    from websockets.utils import apply_mask

_TEXT = TEXT.to_bytes(1)
_SHORT, _LONG = 126, 1 << 16
_MASK = slice(2, SHORT_HEADER)
"""Frames of a client are masked: a short text frame has its mask in these bytes, and its text after them."""


def frame(data: bytes) -> bytes:
    """Put a text into one WebSocket frame; frames of a server are not masked."""
    size = len(data)
    if size < _SHORT:
        return _TEXT + size.to_bytes(1) + data
    if size < _LONG:
        return _TEXT + b"\x7e" + size.to_bytes(2) + data
    return _TEXT + b"\x7f" + size.to_bytes(8) + data


class FastWebSocketProtocol(WebSocketsSansIOProtocol):
    """The fast path to one page: a `SocketTransport` that writes directly to asyncio's transport."""

    _listener: Callable[[bytes], object] | None = None
    """Gets the messages; None: they go to uvicorn's queue."""
    frame_counter: FrameCounter
    """Set by the guard (`uvicorn_guards`), which has counted the received data already."""

    def data_received(self, data: bytes) -> None:
        """
        Decode one short message in one frame directly: nearly all messages of pages are like that.

        The library decodes everything else.
        """
        if (
            self._listener is not None
            and self.frame_counter.is_short_text
            and self.conn.state is State.OPEN
            and not self.close_sent
        ):
            self._listener(apply_mask(data[SHORT_HEADER:], data[_MASK]))
            return
        super().data_received(data)

    def handle_connect(self, event: Request) -> None:
        """Offer this transport to the application."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast(dict[str, Any], self.scope["extensions"])[TRANSPORT_KEY] = self

    def send_receive_event_to_app(self) -> None:
        """Pass a complete message to the listener, if there is one."""
        if self._listener is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        self._listener(bytes(data))

    def attach(self, listener: Callable[[bytes], object] | None) -> None:
        """Pass messages directly to the listener from now on; None: to uvicorn's queue again."""
        self._listener = listener

    def send_text(self, data: bytes) -> int:
        """Send a text; return how many bytes wait for the page to read."""
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return 0
        self.transport.write(frame(data))
        return self.transport.get_write_buffer_size()

    async def drained(self) -> None:
        """Do nothing: the transport has everything already."""

    def abort(self) -> None:
        """Cut off the page: an orderly close would wait for it to read, perhaps without end."""
        self.transport.abort()
