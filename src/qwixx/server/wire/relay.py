"""
The relay: connects a socket to the process that owns its table, and copies messages in both directions.

The other process sees an ordinary socket, with the address of the client in `X-Forwarded-For`. It trusts this header if
the address of this process is in its `QWIXX_PROXIES`.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable

from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from qwixx.server.wire.connection import RESTARTING, Connection

log = logging.getLogger("qwixx.relay")
_RELAYED = "qwixx-relayed"
"""The header of a relayed socket, with a mark that only the servers of the cluster know. It is not relayed again."""
_OPEN_SECONDS = 1.0
"""Timeout for the other process to accept a socket; one that takes longer may be about to lose its tables."""
_MAX_MESSAGE = 4 << 20
"""Bytes of the largest message that is accepted from the other process."""
_OWN_CODES = range(4000, 5000)
"""Close codes of our protocol, which pages understand."""


class PeerUnavailable(Exception):  # noqa: N818 - an ordinary result, not an error
    """The process that owns the table does not answer."""


def is_relayed(socket: WebSocket, mark: Callable[[str], str] | None) -> bool:
    """Return whether another server of the cluster relays this socket to us."""
    return mark is not None and hmac.compare_digest(socket.headers.get(_RELAYED, "").encode(), mark(_RELAYED).encode())


async def relay_socket(
    connection: Connection,
    table: tuple[str, str],
    first: bytes,
    receive: Callable[[], Awaitable[bytes | None]],
    mark: Callable[[str], str] | None,
) -> None:
    """
    Relay a socket to its table, given by address and code, until one side closes it.

    `first` is the message received so far; `receive` returns the next one, or None for one that is not relayed. Raises
    `PeerUnavailable` if the process does not accept the socket; then nothing has been relayed.
    """
    client, socket, (address, code) = connection.socket.client, connection.socket, table
    headers = {"X-Forwarded-Proto": "https" if socket.url.scheme == "wss" else "http"}
    if mark is not None:
        headers[_RELAYED] = mark(_RELAYED)
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
