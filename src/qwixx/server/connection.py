"""
One socket: what waits to be read by its page, and no more than that.

A page that does not read lets its outbox grow and is dropped; it may come back and will be told all it needs.
"""

from __future__ import annotations

import asyncio
import contextlib

from starlette.websockets import WebSocket

from qwixx.server.limits import Bucket
from qwixx.server.outlets import outlet_of
from qwixx.server.protocol import Error, FromServer, encode
from qwixx.server.settings import Settings

# Close codes from 4000 on are ours; docs/protocol.md lists them.
BAD_HELLO, NO_SUCH_TABLE, NO_HELLO, TOO_FAST, TOO_SLOW, TROUBLE, TABLE_FULL = 4400, 4404, 4408, 4429, 4430, 4500, 4503
BANNED = 4403
TOO_LARGE, RESTARTING = 1009, 1012
"""Codes of the standard: a message too big to be read, a service that will be back."""
_PATIENCE = 2.0
"""Seconds that a peer has to take its close frame."""


class Connection:
    """Somebody at a table: the keys they showed, and the way to them."""

    __slots__ = ("_bound", "_hanging_up", "bucket", "close_code", "keys", "mine", "outlet", "socket", "waiting")

    def __init__(self, socket: WebSocket, settings: Settings) -> None:
        """Wrap an accepted socket."""
        self.socket = socket
        self.outlet = outlet_of(socket)
        self.keys: list[str] = []
        """Hashes of the tokens shown."""
        self.mine: tuple[int, ...] = ()
        """The seats they stand for at this table."""
        self.bucket = Bucket(settings.rate, settings.burst)
        self.close_code: int | None = None
        self.waiting: asyncio.Timeout | None = None
        """The reader's patience, which ends when the peer is cut off."""
        self._bound = settings.outbox * 1024
        self._hanging_up: asyncio.Task[None] | None = None

    def tell(self, data: bytes) -> None:
        """Send a message; an outbox that grows too large means that nobody reads."""
        if self.close_code is None and self.outlet.push(data) > self._bound:
            self.drop(TOO_SLOW)

    def say(self, message: FromServer) -> None:
        """Encode and tell one message."""
        self.tell(encode(message))

    def refuse(self, code: str) -> None:
        """Tell that something was refused."""
        self.say(Error(code))

    def drop(self, code: int) -> None:
        """Hang up; nothing more is told."""
        if self.close_code is None:
            self.close_code = code
            self._hanging_up = asyncio.create_task(self._hang_up(code))

    async def end(self) -> None:
        """Wait until it is over."""
        self.drop(1000)
        assert self._hanging_up is not None
        await asyncio.wait([self._hanging_up])

    async def _hang_up(self, code: int) -> None:
        is_slow = code == TOO_SLOW
        with contextlib.suppress(Exception):  # every server has its own way to say that the peer has gone
            async with asyncio.timeout(0.1 if is_slow else _PATIENCE):
                if not is_slow:  # what was told before goes first
                    await self.outlet.emptied()
                await self.socket.close(code)
                return
        self.outlet.abort()
        if self.waiting is not None:
            with contextlib.suppress(RuntimeError):  # the reader has left already
                self.waiting.reschedule(0)
