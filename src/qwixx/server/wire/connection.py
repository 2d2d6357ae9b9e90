"""
One socket: what waits to be read by its page, and no more than that.

A page that does not read lets its outbox grow and is dropped; it may come back and will be told all it needs.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
from collections.abc import Callable

from starlette.websockets import WebSocket

from qwixx.server.counts import Counts
from qwixx.server.limits import Bucket
from qwixx.server.outlets import outlet_of
from qwixx.server.protocol import Error, FromServer, encode
from qwixx.server.quotas import Quotas
from qwixx.server.security import address_of
from qwixx.server.settings import Settings
from qwixx.server.tracing import current

# Close codes from 4000 on are ours; docs/protocol.md lists them.
BAD_HELLO, NO_SUCH_TABLE, NO_HELLO, TOO_FAST, TOO_SLOW, TROUBLE, TABLE_FULL = 4400, 4404, 4408, 4429, 4430, 4500, 4503
BANNED, CLOSED = 4403, 4410
TOO_LARGE, RESTARTING = 1009, 1012
"""Codes of the standard: a message too big to be read, a service that will be back."""
_CUT_OFF = (TOO_FAST, TOO_SLOW, TOO_LARGE)
"""Who breaks a bound is told so if it reads, and cut off in any case."""
_PATIENCE, _NO_PATIENCE = 2.0, 0.1
"""Seconds that a peer has to take what was told and its close frame."""


class Connection:
    """
    Somebody at a table: the keys they showed, and the way to them.

    A socket that goes on to another table is another connection there. So nothing that the first table still has to do
    with it can touch what it is at the second.
    """

    __slots__ = (
        "_bound",
        "_hanging_up",
        "_of_address",
        "_own",
        "_quotas",
        "address",
        "behind",
        "close_code",
        "counts",
        "going",
        "keys",
        "mine",
        "outlet",
        "refused",
        "request",
        "socket",
        "waiting",
        "wants_changes",
    )

    def __init__(
        self, socket: WebSocket, settings: Settings, quotas: Quotas | None = None, counts: Counts | None = None
    ) -> None:
        """Wrap an accepted socket; without quotas and numbers to share it counts for itself."""
        self.socket = socket
        self.counts = counts or Counts()
        self.request = current.get()
        """The request id of the socket, for the log."""
        self.address = address_of(socket)
        self.outlet = outlet_of(socket)
        self.keys: list[str] = []
        """Hashes of the tokens shown."""
        self.mine: tuple[int, ...] = ()
        """The seats they stand for at this table."""
        self.going: tuple[str, bytes] | None = None
        """
        The code of another table that they have gone on to, and the words by which they said so.

        From then on nothing that is done here reaches the socket.
        """
        self.behind: list[bytes] = []
        """What they said right behind that: it is for the other table."""
        self.wants_changes = False
        """Whether they understand what is new alone."""
        self.refused = 0
        """Messages too many since the last one that was not."""
        self._own = Bucket(settings.rate, settings.burst)
        self._quotas = quotas or Quotas(settings)
        self._of_address = self._quotas.messages.of(self.address)
        self.close_code: int | None = None
        self.waiting: asyncio.Timeout | None = None
        """The reader's patience, which ends when the peer is cut off or goes on to another table."""
        self._bound = settings.outbox * 1024
        self._hanging_up: asyncio.Task[None] | None = None

    def may_send(self) -> bool:
        """Tell whether one more message may pass: of this connection, and of its address."""
        if self._own.take() and self._of_address.take():
            self.refused = 0
            return True
        self.refused += 1
        return False

    def listen(self, listener: Callable[[bytes], object] | None) -> None:
        """Bring what the page says to somebody from now on, if the socket is still here."""
        if self.going is None:
            self.outlet.listen(listener)

    def leave_for(self, code: str, hello: bytes) -> None:
        """Go on to another table, by this hello: here nothing is heard and told any more, and nobody hangs up."""
        self.outlet.listen(None)
        self.going, self.close_code = (code, hello), 1000
        if self.waiting is not None:
            with contextlib.suppress(RuntimeError):  # the reader has noticed already
                self.waiting.reschedule(0)

    def successor(self) -> Connection:
        """Give the connection that this socket is at the next table, where it has shown nothing yet."""
        after = copy.copy(self)
        after.keys, after.mine, after.wants_changes = [], (), False
        after.going, after.close_code, after.waiting = None, None, None
        return after

    def count_table(self) -> None:
        """Count a table that is opened for them; raises `Refused` if it is one too many."""
        self._quotas.count_table(self.address)

    def uncount_table(self) -> None:
        """Forget a table that could not be opened."""
        self._quotas.uncount_table(self.address)

    def tell(self, data: bytes) -> None:
        """Send a message; an outbox that grows too large means that nobody reads."""
        if self.close_code is None and self.outlet.push(data) > self._bound:
            self.drop(TOO_SLOW)

    def say(self, message: FromServer) -> None:
        """Encode and tell one message."""
        self.tell(encode(message))

    def refuse(self, code: str) -> None:
        """Tell that something was refused."""
        self.counts.refused[code] += 1
        self.say(Error(code))

    def drop(self, code: int) -> None:
        """Hang up; nothing more is told."""
        if self.close_code is None:
            self.close_code = code
            self.counts.closed[code] += 1
            self._hanging_up = asyncio.create_task(self._hang_up(code))

    async def end(self) -> None:
        """Wait until it is over."""
        self.drop(1000)
        assert self._hanging_up is not None
        await asyncio.wait([self._hanging_up])

    async def _hang_up(self, code: int) -> None:
        with contextlib.suppress(Exception):  # every server has its own way to say that the peer has gone
            async with asyncio.timeout(_NO_PATIENCE if code in _CUT_OFF else _PATIENCE):
                if code != TOO_SLOW:  # what was told before goes first
                    await self.outlet.emptied()
                await self.socket.close(code)
                if code not in _CUT_OFF:
                    asyncio.get_running_loop().call_later(_PATIENCE, self.outlet.abort)
                    return
        self.outlet.abort()
        if self.waiting is not None:
            with contextlib.suppress(RuntimeError):  # the reader has left already
                self.waiting.reschedule(0)
