"""The fast socket path: messages in one piece or in many are parsed as the library would parse them."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from qwixx.server.base.settings import Settings
from qwixx.server.limits.connection_limits import ConnectionLimiter
from qwixx.server.limits.limiter import Limiter
from qwixx.server.wire.uvicorn_fast_socket import FastWebSocketProtocol
from qwixx.server.wire.uvicorn_guards import install_guards

_REQUEST = (
    b"GET /ws/K7QXA3MR HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Transport(asyncio.Transport):
    """A transport without a peer that keeps the written bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_closed = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return that both ends are on this machine."""
        return ("127.0.0.1", 8321) if name in ("peername", "sockname") else default

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Keep the sent bytes."""
        self.written += data

    def is_closing(self) -> bool:
        """Return whether it was closed."""
        return self.is_closed

    def close(self) -> None:
        """Record that it was closed."""
        self.is_closed = True

    def abort(self) -> None:
        """Note that it was closed."""
        self.is_closed = True

    def get_write_buffer_size(self) -> int:
        """Say that nothing waits."""
        return 0

    def pause_reading(self) -> None:
        """Do nothing: no data comes by itself."""

    def resume_reading(self) -> None:
        """Do nothing: no data comes by itself."""


async def _accept(scope: Any, receive: Any, send: Any) -> None:
    """Accept every connection, and keep it."""
    await receive()
    await send({"type": "websocket.accept"})
    await asyncio.Event().wait()


def _receive(pieces: list[bytes]) -> tuple[list[bytes], Transport]:
    """Feed these pieces one after the other; return the received messages."""
    received: list[bytes] = []
    transport = Transport()

    async def play() -> None:
        limiter = ConnectionLimiter(Limiter(Settings(rate=10_000, burst=10_000, proxies="127.0.0.1")))
        fast = {"ws": FastWebSocketProtocol, "ws_per_message_deflate": False, "ws_max_size": 1000}
        config = uvicorn.Config(_accept, log_config=None, **fast)  # type: ignore[arg-type]
        install_guards(config, limiter)
        limiter.register(transport)
        protocol: Any = config.ws_protocol_class
        wire = protocol(config=config, server_state=ServerState(), app_state={})
        wire.connection_made(transport)
        wire.data_received(_REQUEST)
        for _ in range(5):
            await asyncio.sleep(0)
        assert b" 101 " in transport.written
        wire.attach(received.append)
        for piece in pieces:
            wire.data_received(piece)
        wire.connection_lost(None)
        for task in list(wire.tasks):
            task.cancel()

    asyncio.run(play())
    return received, transport


def _frame(data: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


def test_messages_are_read_however_they_are_cut() -> None:
    """Short and long messages, in parts, with pings between them: in one piece, in single bytes, and cut anywhere."""
    texts = [b'{"t":"ping"}', b"", b"x" * 125, b"y" * 126, b"z" * 900, "Zoë".encode()]
    frames = [_frame(text) for text in texts]
    frames.insert(2, _frame(b"are you there?", Opcode.PING))
    frames += [_frame(b"in ", fin=False), _frame(b"", Opcode.PING), _frame(b"two parts", Opcode.CONT), _frame(b"end")]
    expected = [*texts, b"in two parts", b"end"]
    assert _receive(frames)[0] == expected
    stream = b"".join(frames)
    assert _receive([stream])[0] == expected
    assert _receive([stream[at : at + 1] for at in range(len(stream))])[0] == expected
    chance = random.Random(17)
    for _ in range(40):
        cuts = sorted(chance.sample(range(len(stream)), 12))
        pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
        assert _receive(pieces)[0] == expected


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(Frame(Opcode.TEXT, b"hello").serialize(mask=False), id="not masked"),
        pytest.param(b"\xc1" + _frame(b"hello")[1:], id="a bit that means nothing"),
        pytest.param(_frame(b"w" * 1001), id="too large"),
        pytest.param(_frame(b"part", fin=False) + _frame(b"another message"), id="a message within a message"),
    ],
)
def test_protocol_errors_close_the_connection(wrong: bytes) -> None:
    """As the standard requires; no later message is handled."""
    received, transport = _receive([_frame(b"first"), wrong, _frame(b"after")])
    assert received == [b"first"]
    assert b"\x88" in transport.written.rpartition(b"\r\n\r\n")[2], "a close frame"


def test_no_message_is_read_after_a_close() -> None:
    """A client that has sent a close frame sends no more messages."""
    received, _ = _receive([_frame(b"first"), _frame(b"\x03\xe8", Opcode.CLOSE), _frame(b"after")])
    assert received == [b"first"]


def test_a_message_within_a_fragmented_message() -> None:
    """A whole message in the middle of another one is an error, however short it is."""
    received, _ = _receive([_frame(b"part", fin=False), _frame(b"another message"), _frame(b"after")])
    assert received == []
