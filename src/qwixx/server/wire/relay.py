"""
A socket whose table is in another process: what it says is passed on there, and what it is told comes back.

The other process sees a socket like any other, with the visitor's own address in `X-Forwarded-For`. It believes that if
it has the address of this process in `QWIXX_PROXIES`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from qwixx.server.connection import RESTARTING, Connection

log = logging.getLogger("qwixx.relay")
PASSED_ON = "qwixx-passed-on"
"""The header of a socket that was passed on once: it is not passed on again, so that nothing goes round in circles."""
_OPEN_SECONDS = 1.0
"""For the other process to take a socket; one that takes longer may be about to lose its tables."""
_LARGEST = 4 << 20
"""Bytes of a message that are taken from the other process."""
_OWN = range(4000, 5000)
"""Close codes that are ours and mean something to pages."""


class NotThere(Exception):  # noqa: N818 - it says what was found
    """The process that has the table does not answer."""


def is_passed_on(socket: WebSocket) -> bool:
    """Tell whether another process has passed this socket on to us."""
    return PASSED_ON in socket.headers


async def pass_on(
    connection: Connection, code: str, address: str, first: bytes, heard: Callable[[], Awaitable[bytes | None]]
) -> None:
    """
    Be the way between a socket and the process at this address until either side has had enough.

    `first` has been heard already; `heard` gives what comes next, or None for what is not for others to read. Raises
    `NotThere` if nobody takes the socket there; then nothing has been passed on.
    """
    client, socket = connection.socket.client, connection.socket
    headers = {PASSED_ON: "1", "X-Forwarded-Proto": "https" if socket.url.scheme == "wss" else "http"}
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
            max_size=_LARGEST,
            user_agent_header=None,
        )
    except (OSError, TimeoutError, WebSocketException) as error:
        log.debug("a process does not answer", extra={"address": address, "error": repr(error)})
        raise NotThere from None
    back = asyncio.create_task(_bring_back(connection, other))
    try:
        await other.send(first, text=True)
        while True:
            data = await heard()
            if data is not None:
                await other.send(data, text=True)
    except ConnectionClosed:
        await back  # it knows why
    finally:
        back.cancel()
        await asyncio.wait([back, asyncio.create_task(other.close())], timeout=_OPEN_SECONDS)


async def _bring_back(connection: Connection, other: ClientConnection) -> None:
    """Tell the page what the other process says, and hang up when it does, for the same reason."""
    try:
        while True:
            data = await other.recv(decode=False)
            connection.tell(data if isinstance(data, bytes) else data.encode())
    except ConnectionClosed as closed:
        code = closed.rcvd.code if closed.rcvd is not None else RESTARTING
        connection.drop(code if code in _OWN else RESTARTING)
        if connection.waiting is not None:
            connection.waiting.reschedule(0)  # nobody listens to the page any more
