"""
uvicorn's WebSocket protocol with shorter ways in and out, for the versions that `versions` names.

A message of a page goes straight to whoever listens, and what a table says goes straight to the transport: no task is
woken and no queue is filled in between. That is half the time of a move. Opening and closing stay with uvicorn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from qwixx.server.frames import FrameCounter
from qwixx.server.outlets import WIRE

try:
    from websockets.speedups import apply_mask
except ImportError:  # compiled for few machines only
    from websockets.utils import apply_mask

_TEXT = b"\x81"
_SHORT, _LONG = 126, 1 << 16
_MASKED, _MASK, _HEADER = 0x80, slice(2, 6), 6
"""What a page sends is masked: a frame of a short text has its mask in these bytes, and its text behind them."""
_ANY_NUMBER = 1 << 30


def frame(data: bytes) -> bytes:
    """Put a text into one frame of the WebSocket standard; what a server sends is not masked."""
    size = len(data)
    if size < _SHORT:
        return _TEXT + size.to_bytes(1) + data
    if size < _LONG:
        return _TEXT + b"\x7e" + size.to_bytes(2) + data
    return _TEXT + b"\x7f" + size.to_bytes(8) + data


class Wire(WebSocketsSansIOProtocol):
    """The short way to one page: an `Outlet` that writes straight to the transport."""

    _listener: Callable[[bytes], object] | None = None
    """Who gets the messages, once somebody wants them; before that they go uvicorn's way."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        """Begin as uvicorn does."""
        super().__init__(*args, **settings)
        self._followed = FrameCounter()
        """Where in a frame, and in a message of several, we are by what the library has read."""

    def data_received(self, data: bytes) -> None:
        """
        Read what has come: one short message in one frame, as nearly everything that pages say, is taken as it is.

        Whatever else it may be is read by the library.
        """
        if self._is_short_text(data):
            assert self._listener is not None
            self._listener(apply_mask(data[_HEADER:], data[_MASK]))
            return
        has_begun = self.handshake_initiated  # the first thing that comes is a request and no frame
        super().data_received(data)
        if has_begun:
            self._followed.count(data, _ANY_NUMBER)

    def _is_short_text(self, data: bytes) -> bool:
        """Tell whether these bytes are one whole message in a short frame, where a message may begin."""
        return (
            self._listener is not None
            and len(data) >= _HEADER
            and data[0] == _TEXT[0]
            and len(data) - _HEADER == data[1] - _MASKED < _SHORT
            and self._followed.is_between
            and not self._followed.parts
            and self.conn.state is State.OPEN
            and not self.close_sent
        )

    def handle_connect(self, event: Request) -> None:
        """Hand the wire to the application."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast(dict[str, Any], self.scope["extensions"])[WIRE] = self

    def send_receive_event_to_app(self) -> None:
        """Give a whole message to the listener, if there is one."""
        if self._listener is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        self._listener(bytes(data))

    def listen(self, listener: Callable[[bytes], object] | None) -> None:
        """Bring what the page says straight to the listener from now on; None: uvicorn's way again."""
        self._listener = listener

    def push(self, data: bytes) -> int:
        """Send a text; tells how many bytes wait for the page to read."""
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return 0
        self.transport.write(frame(data))
        return self.transport.get_write_buffer_size()

    async def emptied(self) -> None:
        """Wait for nothing: what was pushed is with the transport already."""

    def abort(self) -> None:
        """Cut the page off: closing would wait for it to read, which may be for ever."""
        self.transport.abort()
