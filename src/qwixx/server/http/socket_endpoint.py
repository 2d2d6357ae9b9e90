"""The door: a socket comes in, says hello within its time, and is led to its table."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import NamedTuple

from starlette.websockets import WebSocket, WebSocketDisconnect

from qwixx.server import protocol, relay
from qwixx.server.admission import SOCKET_COST
from qwixx.server.connection import (
    BAD_HELLO,
    BANNED,
    CLOSED,
    NO_HELLO,
    NO_SUCH_TABLE,
    RESTARTING,
    TABLE_FULL,
    TOO_FAST,
    TOO_LARGE,
    TROUBLE,
    Connection,
)
from qwixx.server.inbox import Arrived, Asked, Left
from qwixx.server.limits import HARD_LIMIT
from qwixx.server.quotas import Quotas
from qwixx.server.room import Refused
from qwixx.server.seats import hashed, owned
from qwixx.server.security import is_welcome
from qwixx.server.store import Elsewhere, StoreFailed
from qwixx.server.table import Table
from qwixx.server.tables import Tables

log = logging.getLogger("qwixx.door")
_PATIENCE = 100
"""A connection that sends this many messages too many, one after the other, is a flood."""
_MESSAGE_SECONDS = 0.0003
"""What a message takes of the loop's time, all in all."""
_PONG = protocol.encode(protocol.Pong())
_TRIES = 3
"""A table may leave memory in the very moment somebody comes; then it is woken again."""
_MOVING_SECONDS = 4.0
"""How long somebody waits for a table whose process may be dying; after that their page comes back by itself."""
_BETWEEN_TRIES = 0.1


class _Visit(NamedTuple):
    """A socket at one table."""

    connection: Connection
    code: str
    first: bytes | None
    """The hello by which it comes from another table; None: a new socket, which has not said anything yet."""


class Door:
    """Lets sockets in."""

    def __init__(self, tables: Tables, quotas: Quotas) -> None:
        """Lead to these tables."""
        self._tables = tables
        self._quotas = quotas
        self._settings = tables.settings

    async def enter(self, socket: WebSocket) -> None:
        """Serve one socket until either side has had enough."""
        if not is_welcome(socket, self._settings):
            log.warning("foreign origin", extra={"origin": socket.headers.get("origin", "")[:100]})
            await socket.close()
            return
        await socket.accept()
        connection = Connection(socket, self._settings, self._quotas, self._tables.counts)
        visit: _Visit | None = _Visit(connection, socket.path_params["code"].upper(), None)
        try:
            with self._quotas.holding_socket(connection.address):
                while visit is not None:
                    visit = await self._receive_at(visit)
        except Refused as refused:  # an address has as many sockets as it may
            connection.refuse(refused.code)
            connection.drop(TABLE_FULL)
            await connection.end()

    async def _receive_at(self, visit: _Visit) -> _Visit | None:
        """Serve a socket at one table; gives the next one, if it goes on there."""
        connection, code, _ = visit
        try:
            await self._serve(*visit)
        except TimeoutError:
            connection.drop(NO_HELLO)
        except WebSocketDisconnect:
            connection.drop(1000)
        except Refused as refused:
            connection.refuse(refused.code)
            connection.drop(TABLE_FULL)
        except StoreFailed as error:
            log.warning("no table without the store", extra={"code": code[:10], "error": str(error)})
            connection.drop(TROUBLE)
        except Exception:
            self._tables.counts.failed["connection"] += 1
            log.exception("a connection failed", extra={"code": code[:10]})
            connection.drop(TROUBLE)
        if connection.going is not None:
            return _Visit(connection.successor(), *connection.going)
        await connection.end()
        return None

    async def _serve(self, connection: Connection, code: str, first: bytes | None) -> None:
        if first is not None:
            await self._quotas.wait_turn(connection.address, SOCKET_COST)  # as for a socket that is opened there
        if connection.address in self._tables.barred:
            connection.refuse("barred")
            connection.drop(BANNED)
            return
        if first is None:
            async with asyncio.timeout(self._settings.hello_timeout):
                first = await _receive(connection)
        if not self._is_hello(connection, first):
            return
        table = await self._come_to(connection, code, first)
        if table is not None:
            await self._stay(connection, table)

    async def _come_to(self, connection: Connection, code: str, first: bytes) -> Table | None:
        """Lead a socket to its table; None if there is none for it here, and then it has been served."""
        deadline = time.monotonic() + _MOVING_SECONDS
        while True:
            try:
                return await self._find(connection, code)
            except Elsewhere as elsewhere:
                if await self._lead_on(connection, code, elsewhere.address, first):
                    return None
            if time.monotonic() > deadline:
                connection.drop(RESTARTING)
                return None
            await asyncio.sleep(_BETWEEN_TRIES)

    async def _lead_on(self, connection: Connection, code: str, address: str, first: bytes) -> bool:
        """Lead a socket to the process that has its table; False if that does not answer."""
        if relay.is_passed_on(connection.socket):
            return False  # the table is moving just now; soon it will be here or this socket gone

        async def hear() -> bytes | None:
            data = await _receive(connection)
            return data if self._may_pass(connection, data) else None

        try:
            async with asyncio.timeout(None) as connection.waiting:
                await relay.pass_on(connection, code, address, first, hear)
        except relay.NotThere:
            return False
        return True

    def _is_hello(self, connection: Connection, data: bytes) -> bool:
        message = self._read(connection, data)
        if isinstance(message, protocol.Hello):
            connection.keys = [hashed(token) for token in message.tokens]
            connection.wants_changes = message.changes
            return True
        if message is not None:  # a message, but not the one that comes first
            connection.refuse("not-now")
        connection.drop(BAD_HELLO)
        return False

    async def _find(self, connection: Connection, code: str) -> Table | None:
        """Find the table and come in; None, and a refusal, if there is none."""
        if code in self._tables.closed:
            connection.refuse("closed")
            connection.drop(CLOSED)
            return None
        for _ in range(_TRIES):
            table = await self._tables.find(code)
            if table is None and self._tables.is_closing:
                connection.drop(RESTARTING)  # another server, or the next start, has it
                return None
            if not self._quotas.may_guess(connection.address) and not _is_owner(connection, table):
                connection.refuse("too-fast")
                connection.drop(TOO_FAST)
                return None
            if table is None:
                self._quotas.missed(connection.address)
                connection.refuse("no-such-table")
                connection.drop(NO_SUCH_TABLE)
                return None
            if table.post(Arrived(connection)):
                return table
        raise Refused("busy")

    async def _stay(self, connection: Connection, table: Table) -> None:
        """
        Pass on what comes, straight from the wire where there is one, until the socket closes or is cut off.

        A socket that goes on to another table has `going` when this returns.
        """
        behind, connection.behind = connection.behind, []
        try:
            connection.listen(partial(self._hear, connection, table))
            for data in behind:
                self._hear(connection, table, data)
            async with asyncio.timeout(None) as connection.waiting:
                while connection.going is None:
                    self._hear(connection, table, await _receive(connection))
        except TimeoutError:
            if connection.going is None:
                raise
        finally:
            connection.listen(None)  # a socket that still held its table would keep it in memory
            # Whoever leaves at once after a word is heard all the same.
            await self._quotas.turns.come(connection.address, _MESSAGE_SECONDS)
            while not table.is_gone and not table.post(Left(connection)):
                await asyncio.sleep(0.05)

    def _hear(self, connection: Connection, table: Table, data: bytes) -> None:
        """Pass a message on when it is its address's turn."""
        if connection.going is not None:
            connection.behind.append(data)
        elif self._may_pass(connection, data):
            pass_on = partial(self._pass_on, connection, table, data)
            self._quotas.turns.take(connection.address, pass_on, _MESSAGE_SECONDS)

    def _pass_on(self, connection: Connection, table: Table, data: bytes) -> None:
        if connection.going is not None:  # it had to wait, and something before it was a farewell
            connection.behind.append(data)
            return
        message = _parsed(connection, data)
        if isinstance(message, protocol.Ping) and table.is_idle:
            connection.tell(_PONG)  # pages ask every second whether anybody is there: no table is woken for it
        elif isinstance(message, protocol.Hello) and message.table.upper() not in ("", table.room.code):
            table.part_with(connection)
            connection.leave_for(message.table.upper(), data)
        elif message is not None and not table.post(Asked(connection, message, time.perf_counter())):
            connection.refuse("busy")

    def _read(self, connection: Connection, data: bytes) -> protocol.FromPage | None:
        """Read one message; None, and a refusal to the page, if it is none or one too many."""
        return _parsed(connection, data) if self._may_pass(connection, data) else None

    def _may_pass(self, connection: Connection, data: bytes) -> bool:
        """Tell whether a message may be read; a refusal to the page if it is one too many, or too large."""
        if connection.close_code is not None:
            return False
        if not connection.may_send():
            if connection.refused == 1:
                connection.refuse("too-fast")
            elif connection.refused > _PATIENCE:
                connection.drop(TOO_FAST)
            return False
        if len(data) > HARD_LIMIT * self._settings.message_size:
            connection.drop(TOO_LARGE)
            return False
        if len(data) > self._settings.message_size:
            connection.refuse("too-large")
            return False
        return True


def _parsed(connection: Connection, data: bytes) -> protocol.FromPage | None:
    if connection.close_code is not None:
        return None
    message = protocol.parse(data)
    if message is None:
        connection.refuse("unreadable")
    return message


def _is_owner(connection: Connection, table: Table | None) -> bool:
    """Tell whether a table has a seat for the tokens that were shown: its owner did not guess the code."""
    return table is not None and bool(owned(table.room.seats, connection.keys))


async def _receive(connection: Connection) -> bytes:
    event = await connection.socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(event.get("code", 1005))
    data: bytes = event.get("bytes") or (event.get("text") or "").encode("utf-8", "surrogatepass")
    return data
