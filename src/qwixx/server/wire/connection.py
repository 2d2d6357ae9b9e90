"""
One WebSocket at a table: sending, its rate limit, and closing.

A client that does not read is disconnected when too much waits for it. It may reconnect; then it gets the whole state.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
from collections.abc import Callable

from starlette.websockets import WebSocket

from qwixx.server.base.counters import Counters
from qwixx.server.base.errors import RefusalCode
from qwixx.server.base.settings import Settings
from qwixx.server.limits.client_address import address_of
from qwixx.server.limits.declared import ADDRESS_MESSAGES, CLOSE_TIME, MESSAGES, TABLES_OPENED, UNSENT
from qwixx.server.limits.limiter import Limiter
from qwixx.server.wire.messages import Error, FromServer, encode
from qwixx.server.wire.request_ids import current_request_id
from qwixx.server.wire.transports import transport_of

# Close codes from 4000 on are ours; docs/protocol.md lists them.
BAD_HELLO, NO_SUCH_TABLE, NO_HELLO, TOO_FAST, TOO_SLOW, TROUBLE, TABLE_FULL = 4400, 4404, 4408, 4429, 4430, 4500, 4503
BANNED, CLOSED, DAMAGED = 4403, 4410, 4409
TOO_LARGE, RESTARTING = 1009, 1012
"""Codes of the standard: the message is too large; the service restarts, so reconnect."""
_CUT_OFF = (TOO_FAST, TOO_SLOW, TOO_LARGE)
"""A client that breaks a limit gets the close code if it reads, and is cut off in any case."""
_CUT_OFF_SECONDS = 0.1
"""Time for such a client to read the last messages and the close frame; others have `CLOSE_TIME`."""


class Connection:
    """
    A client at a table: the tokens that it showed, and its socket.

    When a socket moves to another table, that table gets a new connection object. So the first table cannot change
    anything at the second.
    """

    __slots__ = (
        "_address_messages",
        "_closing",
        "_limiter",
        "_max_unsent",
        "_messages",
        "address",
        "close_code",
        "counts",
        "keys",
        "next_table",
        "pending",
        "read_timeout",
        "refused",
        "request",
        "seats",
        "socket",
        "transport",
        "wants_changes",
    )

    def __init__(
        self, socket: WebSocket, settings: Settings, limiter: Limiter | None = None, counts: Counters | None = None
    ) -> None:
        """Wrap an accepted socket; without a shared limiter and counters it has its own."""
        self.socket = socket
        self.counts = counts or Counters()
        self.request = current_request_id.get()
        """The request id of the socket, for the log."""
        self.address = address_of(socket)
        self.transport = transport_of(socket)
        self.keys: list[str] = []
        """Hashes of the tokens that the client showed."""
        self.seats: tuple[int, ...] = ()
        """The seats of these tokens at this table."""
        self.next_table: tuple[str, bytes] | None = None
        """
        The code of the table to which the socket has moved, and the `hello` that asked for it.

        Once it is set, nothing from this table reaches the socket.
        """
        self.pending: list[bytes] = []
        """Messages after that `hello`: they are for the next table."""
        self.wants_changes = False
        """Whether the client understands `change` messages (deltas)."""
        self.refused = 0
        """Messages above the rate limit since the last one within it."""
        self._limiter = limiter or Limiter(settings)
        self._messages = self._limiter.new_meter(MESSAGES)
        self._address_messages = self._limiter.meter(ADDRESS_MESSAGES, self.address)
        self.close_code: int | None = None
        self.read_timeout: asyncio.Timeout | None = None
        """The timeout of the reading task. It is moved to now when the client is cut off or moves to another table."""
        self._max_unsent = self._limiter.most(UNSENT)
        self._closing: asyncio.Task[None] | None = None

    def may_send(self) -> bool:
        """Apply the rate limits of this connection and of its address; return whether one more message may pass."""
        if self._messages.take() and self._address_messages.take():
            self.refused = 0
            return True
        self.refused += 1
        return False

    def attach(self, listener: Callable[[bytes], object] | None) -> None:
        """Send received messages to this listener from now on (None: detach), unless the socket has moved on."""
        if self.next_table is None:
            self.transport.attach(listener)

    def hand_off(self, code: str, hello: bytes) -> None:
        """Move the socket to another table by this `hello`: stop receiving and sending here, without closing it."""
        self.transport.attach(None)
        self.next_table, self.close_code = (code, hello), 1000
        if self.read_timeout is not None:
            with contextlib.suppress(RuntimeError):  # the reader has already noticed
                self.read_timeout.reschedule(0)

    def next_connection(self) -> Connection:
        """Return the connection of this socket at the next table, where it has shown no tokens yet."""
        following = copy.copy(self)
        following.keys, following.seats, following.wants_changes = [], (), False
        following.next_table, following.close_code, following.read_timeout = None, None, None
        return following

    def count_table(self) -> None:
        """Count a table that is opened for this client; raises `Refused` if there are too many."""
        self._limiter.count(TABLES_OPENED, self.address)

    def release_table(self) -> None:
        """Undo `count_table`: the table could not be opened."""
        self._limiter.uncount(TABLES_OPENED, self.address)

    def send(self, data: bytes) -> None:
        """Send an encoded message; drop the connection if too much waits for a client that does not read."""
        if self.close_code is None and self.transport.send_text(data) > self._max_unsent:
            self.drop(TOO_SLOW)

    def send_message(self, message: FromServer) -> None:
        """Encode and send a message."""
        self.send(encode(message))

    def refuse(self, code: RefusalCode) -> None:
        """Send a refusal with this code."""
        self.counts.refused[code] += 1
        self.send_message(Error(code))

    def drop(self, code: int) -> None:
        """Close the socket with this code; nothing more is sent."""
        if self.close_code is None:
            self.close_code = code
            self.counts.closed[code] += 1
            self._closing = asyncio.create_task(self._close(code))

    async def wait_closed(self) -> None:
        """Close the socket if it is open, and wait until it is closed."""
        self.drop(1000)
        assert self._closing is not None
        await asyncio.wait([self._closing])

    async def _close(self, code: int) -> None:
        with contextlib.suppress(Exception):  # every ASGI server has its own error for a client that is gone
            async with asyncio.timeout(_CUT_OFF_SECONDS if code in _CUT_OFF else CLOSE_TIME.fixed):
                if code != TOO_SLOW:  # earlier messages go first
                    await self.transport.drained()
                await self.socket.close(code)
                if code not in _CUT_OFF:
                    asyncio.get_running_loop().call_later(CLOSE_TIME.fixed, self.transport.abort)
                    return
        self.transport.abort()
        if self.read_timeout is not None:
            with contextlib.suppress(RuntimeError):  # the reader has already ended
                self.read_timeout.reschedule(0)
