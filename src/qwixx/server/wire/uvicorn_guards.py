"""
Guards around uvicorn's protocols: they count what comes in and hold every connection to its bounds.

They know uvicorn only by what asyncio promises of a protocol, so that they work with any version of it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, cast

import uvicorn

from qwixx.server.frames import FrameCounter
from qwixx.server.gate import Gate, Visitor
from qwixx.server.limits import FRAMES_PER_MESSAGE, Bucket
from qwixx.server.outlets import GUARD
from qwixx.server.turns import Work

log = logging.getLogger("qwixx.guards")
_READ_AT_ONCE = 64 * 1024
"""
Bytes that are read in one go, a quarter of what asyncio takes: memory for so many is set aside for each reading, and
more than this comes from the system each time, which takes longer than all the rest of reading a move.
"""
_FEW_BYTES = 256
_MOST_PARTS = 64
"""A message in more parts than this is no message."""


class Guarded(asyncio.Protocol):
    """What both guards have in common. They stand before uvicorn's class in the order of bases."""

    gate: Gate
    visitor: Visitor | None = None

    def __init__(self, app_state: Mapping[str, Any], **rest: Any) -> None:
        """Keep what uvicorn's protocol is made of: who is refused is not worth making it."""
        self._made_of = {"app_state": {**app_state, GUARD: self}, **rest}

    def _begin(self, transport: asyncio.BaseTransport) -> None:
        """Make uvicorn's protocol and let it begin; the application will find its guard in its state."""
        super().__init__(**self._made_of)
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Say good-bye at the gate, too."""
        if self.visitor is not None:
            self.gate.leave(self.visitor)
            super().connection_lost(exc)

    def _read_in_turn(self, visitor: Visitor, read: Work) -> None:
        """Read what has come when it is its address's turn, and nothing more from this connection before that."""
        if not visitor.address:  # a proxy stands for many
            read()
            return
        has_waited = False

        def work() -> None:
            if has_waited:
                if visitor.transport.is_closing():
                    return
                visitor.transport.resume_reading()  # before uvicorn may want it paused for reasons of its own
            try:
                read()
            except Exception:
                log.exception("reading failed")
                self.cut_off("reading failed")

        if not self.gate.turns.take(visitor.address, work):
            has_waited = True
            visitor.transport.pause_reading()

    @property
    def is_proxied(self) -> bool:
        """Whether a proxy is at the other end, whose headers are believed."""
        return self.visitor is not None and not self.visitor.address

    def name(self, request: str) -> None:
        """Note the request id of what the connection is used for now."""
        if self.visitor is not None:
            self.visitor.request = request

    def cut_off(self, reason: str) -> None:
        """End the connection without another word."""
        if self.visitor is not None:
            self.gate.cut_off(self.visitor, reason)

    def progress(self) -> None:
        """Note that a request has come, or that it has been answered."""
        if self.visitor is not None:
            self.gate.asks(self.visitor)


class GuardedRequests(Guarded):
    """A connection that asks by HTTP."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Come in by the gate."""
        if hasattr(transport, "max_size"):  # asyncio's own has it
            transport.max_size = _READ_AT_ONCE
        self.visitor = self.gate.enter(cast(asyncio.Transport, transport))
        if self.visitor is not None:
            self._begin(transport)

    def data_received(self, data: bytes) -> None:
        """Read on, unless the connection was cut off."""
        visitor = self.visitor
        if visitor is not None and not visitor.transport.is_closing():
            self._read_in_turn(visitor, partial(super().data_received, data))


class GuardedSocket(Guarded):
    """A connection that has become a WebSocket."""

    _has_asked = False
    """The first thing uvicorn shows to a socket is the request that led to it; all the rest are frames."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over a connection that the gate knows."""
        self.visitor = self.gate.visitors.get(cast(asyncio.Transport, transport))
        if self.visitor is None:  # it was cut off in this very moment
            transport.close()
            return
        settings = self.gate.settings
        self._counter = FrameCounter()
        self._frames = Bucket(FRAMES_PER_MESSAGE * settings.rate, FRAMES_PER_MESSAGE * settings.burst)
        self._most_waiting = settings.outbox * 1024
        self.gate.stays(self.visitor)
        self._begin(transport)

    def data_received(self, data: bytes) -> None:
        """Count frames before they are read, and what waits to be read by the peer after that."""
        visitor = self.visitor
        if visitor is None or visitor.transport.is_closing():
            return
        if not self._has_asked:
            self._has_asked = True
            super().data_received(data)
            return
        if not self._may_pass(visitor, data):
            self.cut_off("flood of frames")
            return
        self._read_in_turn(visitor, partial(self._read, visitor, data))

    def _read(self, visitor: Visitor, data: bytes) -> None:
        super().data_received(data)
        # Answers to pings wait like everything else, and nobody who sends messages is asked about those.
        if visitor.transport.get_write_buffer_size() > self._most_waiting:
            self.cut_off("too much waits")

    def _may_pass(self, visitor: Visitor, data: bytes) -> bool:
        # A few bytes hold few frames; of many bytes no more are looked at than may pass.
        found = self._counter.count(data, len(data) if len(data) <= _FEW_BYTES else self._frames.left())
        if self._counter.parts > _MOST_PARTS:
            return False
        if self._frames.take_up_to(found) < found:
            return False
        return visitor.frames is None or visitor.frames.take_up_to(found) == found


def guard(config: uvicorn.Config, gate: Gate) -> None:
    """Put guards before the protocols that uvicorn has chosen."""
    config.load()
    assert config.ws_protocol_class is not None
    config.http_protocol_class = _guarded(GuardedRequests, config.http_protocol_class, gate)
    config.ws_protocol_class = _guarded(GuardedSocket, config.ws_protocol_class, gate)


def gate_of(config: uvicorn.Config) -> Gate:
    """Give the gate that guards these protocols."""
    return cast(type[Guarded], config.http_protocol_class).gate


def _guarded(guarded: type[Guarded], protocol: type[asyncio.Protocol], gate: Gate) -> type[asyncio.Protocol]:
    return type(f"Guarded{protocol.__name__}", (guarded, protocol), {"gate": gate})
