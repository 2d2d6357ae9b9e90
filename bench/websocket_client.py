"""A WebSocket client with little overhead, so that a measurement shows the server."""

from __future__ import annotations

import asyncio

TEXT, BINARY, _PING, _PONG = 1, 2, 9, 10


class WebSocketClient(asyncio.Protocol):
    """Does the handshake, answers pings and reads frames; subclasses say what follows."""

    def __init__(self, host: str, path: str) -> None:
        """Start unconnected."""
        self._host, self._path = host, path
        self._buffer, self._is_open = b"", False
        self.transport: asyncio.Transport

    def opened(self) -> None:
        """Say the first words."""

    def heard(self, message: bytes) -> None:
        """Read a message of text or bytes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Do the handshake."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def send_frame(self, data: bytes, kind: int = TEXT) -> None:
        """Send one frame; the mask is all zeros, which the standard allows."""
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        self.transport.write(bytes([0x80 | kind]) + size + b"\0\0\0\0" + data)

    def pinged(self, message: bytes) -> None:
        """Answer: a client that does not answer a ping counts as gone."""
        self.send_frame(message, _PONG)

    def data_received(self, data: bytes) -> None:
        """Read complete frames from the received bytes."""
        buffer = self._buffer + data
        if not self._is_open:
            head, found, buffer = buffer.partition(b"\r\n\r\n")
            if not found:
                self._buffer = head
                return
            assert b" 101 " in head[:30], head[:200]
            self._is_open = True
            self.opened()
        at = 0
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if len(buffer) < start + size:
                break
            kind, message = buffer[at] & 0x0F, buffer[start : start + size]
            if kind in (TEXT, BINARY):
                self.heard(message)
            elif kind == _PING:
                self.pinged(message)
            at = start + size
        self._buffer = buffer[at:]
