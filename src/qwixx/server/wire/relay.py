"""
The relay: connects a socket to the process that owns its table, and copies messages in both directions.

The other process sees an ordinary socket, with the address of the client in `X-Forwarded-For`. It trusts this header if
the address of this process is in its `QWIXX_PROXIES`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from qwixx.server.wire.connection import RESTARTING, Connection

log = logging.getLogger("qwixx.relay")
_RELAYED_HEADERS = ("qwixx-relayed", "qwixx-passed-on")
"""
The header of a relayed socket. Such a socket is not relayed again, so that there are no loops.

Both names are sent and accepted for one version: older servers know only the second, and a rolling restart mixes both.
"""
_OPEN_SECONDS = 1.0
"""Timeout for the other process to accept a socket; one that takes longer may be about to lose its tables."""
_MAX_MESSAGE = 4 << 20
"""Bytes of the largest message that is accepted from the other process."""
_OWN_CODES = range(4000, 5000)
"""Close codes of our protocol, which pages understand."""


class PeerUnavailable(Exception):  # noqa: N818 - an ordinary result, not an error
    """The process that owns the table does not answer."""


def is_relayed(socket: WebSocket) -> bool:
    """Return whether another process relays this socket to us."""
    return any(name in socket.headers for name in _RELAYED_HEADERS)


async def relay_socket(
    connection: Connection, code: str, address: str, first: bytes, receive: Callable[[], Awaitable[bytes | None]]
) -> None:
    """
    Relay a socket to the process at this address until one side closes it.

    `first` is the message received so far; `receive` returns the next one, or None for one that is not relayed. Raises
    `PeerUnavailable` if the process does not accept the socket; then nothing has been relayed.
    """
    client, socket = connection.socket.client, connection.socket
    headers = dict.fromkeys(_RELAYED_HEADERS, "1")
    headers["X-Forwarded-Proto"] = "https" if socket.url.scheme == "wss" else "http"
    if client is not None:
        headers["X-Forwarded-For"] = client.host
    try:
        other = await connect(
            f"ws://{address}/ws/{code}",
            additional_headers=headers,
            compression=None,
            proxy=None,
            open_timeout=_OPEN_SECONDS,
            close_timeout=_OPEN_SECONDS,
            max_size=_MAX_MESSAGE,
            user_agent_header=None,
        )
    except (OSError, TimeoutError, WebSocketException) as error:
        log.debug("a process does not answer", extra={"address": address, "error": repr(error)})
        raise PeerUnavailable from None
    back = asyncio.create_task(_relay_back(connection, other))
    try:
        await other.send(first, text=True)
        while True:
            data = await receive()
            if data is not None:
                await other.send(data, text=True)
    except ConnectionClosed:
        await back  # it has the close code
    finally:
        back.cancel()
        await asyncio.wait([back, asyncio.create_task(other.close())], timeout=_OPEN_SECONDS)


async def _relay_back(connection: Connection, other: ClientConnection) -> None:
    """Send the messages of the other process to the page, and close the socket when it does, with the same code."""
    try:
        while True:
            data = await other.recv(decode=False)
            connection.send(data if isinstance(data, bytes) else data.encode())
    except ConnectionClosed as closed:
        code = closed.rcvd.code if closed.rcvd is not None else RESTARTING
        connection.drop(code if code in _OWN_CODES else RESTARTING)
        if connection.read_timeout is not None:
            connection.read_timeout.reschedule(0)  # the reader has no one to relay to
