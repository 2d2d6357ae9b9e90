"""
Guards around uvicorn's protocols: they apply the connection limits and the rate limit of frames to received data.

They use only the interface of an asyncio protocol, so that they work with every version of uvicorn.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, cast

import uvicorn

from qwixx.server.limits.connection_limits import ConnectionLimiter, ConnectionState
from qwixx.server.limits.declared import FRAMES, PARTS, UNSENT
from qwixx.server.wire.frame_counter import FrameCounter
from qwixx.server.wire.transports import GUARD_KEY

log = logging.getLogger("qwixx.guards")
_READ_SIZE = 64 * 1024
"""
Bytes per read, a quarter of asyncio's default. A buffer of this size is allocated for each read; a larger one comes
from the system each time, which takes longer than everything else in reading a move.
"""
_FEW_BYTES = 256


class LimitedProtocol(asyncio.Protocol):
    """The base of both guards. They come before uvicorn's class in the order of base classes."""

    limiter: ConnectionLimiter
    connection_state: ConnectionState | None = None

    def __init__(self, app_state: Mapping[str, Any], **rest: Any) -> None:
        """Store the arguments of uvicorn's protocol, which is not created for a refused connection."""
        self._arguments = {"app_state": {**app_state, GUARD_KEY: self}, **rest}

    def _connect(self, transport: asyncio.BaseTransport) -> None:
        """Create uvicorn's protocol and connect it; the application finds the guard in its state."""
        super().__init__(**self._arguments)
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister from the connection limiter, too."""
        if self.connection_state is not None:
            self.limiter.unregister(self.connection_state)
            super().connection_lost(exc)

    def _read(self, data: bytes) -> None:
        """Pass received data to uvicorn's protocol."""
        super().data_received(data)

    def _read_in_turn(self, state: ConnectionState, data: bytes) -> None:
        """Process received data when it is the turn of its address, and pause reading until then."""
        if not state.address:  # a proxy carries many clients
            self._read(data)
            return
        queue = self.limiter.limiter.fair_queue
        if not queue.run(state.address, self._try_to_read, data):
            queue.queue(state.address, partial(self._read_later, state, data))
            state.transport.pause_reading()

    def _read_later(self, state: ConnectionState, data: bytes) -> None:
        if not state.transport.is_closing():
            state.transport.resume_reading()  # before uvicorn, which may pause it for another reason
            self._try_to_read(data)

    def _try_to_read(self, data: bytes) -> None:
        try:
            self._read(data)
        except Exception:
            log.exception("reading failed")
            self.cut_off("reading failed")

    @property
    def is_proxied(self) -> bool:
        """Whether the peer is a trusted proxy."""
        return self.connection_state is not None and not self.connection_state.address

    def set_request_id(self, request: str) -> None:
        """Set the id of the current request, for the log."""
        if self.connection_state is not None:
            self.connection_state.request_id = request

    def cut_off(self, reason: str) -> None:
        """Abort the connection."""
        if self.connection_state is not None:
            self.limiter.cut_off(self.connection_state, reason)

    def progress(self) -> None:
        """Start the timeout again: a request has arrived, its response begins, or it has been sent."""
        if self.connection_state is not None:
            self.limiter.reset_deadline(self.connection_state)

    def begin_work(self) -> None:
        """Stop the timeout until the response begins: the client waits for the server."""
        if self.connection_state is not None:
            self.limiter.suspend_deadline(self.connection_state)


class LimitedHttpProtocol(LimitedProtocol):
    """An HTTP connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register with the connection limiter, which may refuse the connection."""
        if hasattr(transport, "max_size"):  # asyncio's transport has it, uvloop's has not
            transport.max_size = _READ_SIZE
        self.connection_state = self.limiter.register(cast(asyncio.Transport, transport))
        if self.connection_state is not None:
            self._connect(transport)

    def data_received(self, data: bytes) -> None:
        """Process received data, unless the connection was cut off."""
        state = self.connection_state
        if state is not None and not state.transport.is_closing():
            self._read_in_turn(state, data)


class LimitedWebSocketProtocol(LimitedProtocol):
    """A connection that has become a WebSocket."""

    _has_request = False
    """Whether uvicorn has passed on the upgrade request, which comes first; everything after it is frames."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over a registered connection."""
        self.connection_state = self.limiter.connections.get(cast(asyncio.Transport, transport))
        if self.connection_state is None:  # it was cut off just now
            transport.close()
            return
        limiter = self.limiter.limiter
        self.frame_counter = FrameCounter()
        self._frames = limiter.new_meter(FRAMES)
        self._max_unsent = limiter.most(UNSENT)
        self.limiter.on_upgrade(self.connection_state)
        self._connect(transport)

    def data_received(self, data: bytes) -> None:
        """Apply the rate limit of frames before they are decoded, and the limit of unsent data after that."""
        state = self.connection_state
        if state is None or state.transport.is_closing():
            return
        if not self._has_request:
            self._has_request = True
            super().data_received(data)
            return
        if not self._within_frame_limit(state, data):
            self.cut_off("flood of frames")
        elif self.frame_counter.is_short_text and self.limiter.limiter.fair_queue.has_time(state.address):
            self._try_to_read(data)  # the time of its message is measured: to measure it twice would cost more
        else:
            self._read_in_turn(state, data)

    def _read(self, data: bytes) -> None:
        super()._read(data)
        # Pongs wait like everything else, but no sender of messages sees how many.
        if self.connection_state and self.connection_state.transport.get_write_buffer_size() > self._max_unsent:
            self.cut_off("too much waits")

    def _within_frame_limit(self, state: ConnectionState, data: bytes) -> bool:
        # A few bytes contain few frames; in many bytes counting stops above the limit.
        frames = self.frame_counter.count(data, len(data) if len(data) <= _FEW_BYTES else self._frames.available())
        if self.frame_counter.parts > PARTS.fixed or not self._frames.take(frames):
            return False
        return state.frames is None or state.frames.take(frames)


def install_guards(config: uvicorn.Config, limiter: ConnectionLimiter) -> None:
    """Put guards around the protocols that uvicorn has chosen."""
    config.load()
    assert config.ws_protocol_class is not None
    config.http_protocol_class = _guarded(LimitedHttpProtocol, config.http_protocol_class, limiter)
    config.ws_protocol_class = _guarded(LimitedWebSocketProtocol, config.ws_protocol_class, limiter)


def limiter_of(config: uvicorn.Config) -> ConnectionLimiter:
    """Return the connection limiter of a guarded configuration."""
    return cast(type[LimitedProtocol], config.http_protocol_class).limiter


def _guarded(
    guarded: type[LimitedProtocol], protocol: type[asyncio.Protocol], limiter: ConnectionLimiter
) -> type[asyncio.Protocol]:
    return type(f"Limited{protocol.__name__}", (guarded, protocol), {"limiter": limiter})
