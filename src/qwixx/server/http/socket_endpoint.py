"""
The WebSocket endpoint: a client connects, sends `hello` in time, and is connected to its table or relayed to it.

A tap of a player arrives here: the message passes the rate limits, is parsed, and is posted to the inbox of the table
(`Table.post`). The table passes it to `table/commands.py`, which calls `Dealer.decide` in `table/dealer.py`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import NamedTuple

from starlette.websockets import WebSocket, WebSocketDisconnect

from qwixx.server.base.errors import Refused, StoreFailed
from qwixx.server.limits.client_address import is_allowed_origin
from qwixx.server.limits.declared import (
    HELLO_TIME,
    MESSAGE_SECONDS,
    MESSAGE_SIZE,
    MESSAGES,
    REFUSED_MESSAGES,
    SOCKET_COST,
    SOCKETS,
    UNREAD_SIZE,
    WRONG_CODES,
)
from qwixx.server.room.seats import hash_token, owned_seats
from qwixx.server.store.interface import OwnedElsewhere
from qwixx.server.table.inbox import ClientMessage, Connected, Disconnected
from qwixx.server.table.registry import Tables
from qwixx.server.table.table import Table
from qwixx.server.wire import messages, relay
from qwixx.server.wire.connection import (
    BAD_HELLO,
    BANNED,
    CLOSED,
    DAMAGED,
    NO_HELLO,
    NO_SUCH_TABLE,
    RESTARTING,
    TABLE_FULL,
    TOO_FAST,
    TOO_LARGE,
    TROUBLE,
    Connection,
)

log = logging.getLogger("qwixx.door")
_PONG = messages.encode(messages.Pong())
_TRIES = 3
"""A table may be unloaded in the moment in which a client connects; then it is loaded again."""
_MOVING_SECONDS = 4.0
"""Time that a client waits for a table whose process may be dying; after that its page has to reconnect."""
_BETWEEN_TRIES = 0.1


class _Session(NamedTuple):
    """A socket at one table."""

    connection: Connection
    code: str
    first: bytes | None
    """The `hello` by which it comes from another table; None for a new socket, which has not sent anything yet."""


class SocketEndpoint:
    """Accepts sockets and connects them to tables."""

    def __init__(self, tables: Tables) -> None:
        """Use these tables and their limiter."""
        self._tables = tables
        self._limiter = tables.limiter
        self._max_size = tables.limiter.most(MESSAGE_SIZE)
        self._settings = tables.settings

    async def handle(self, socket: WebSocket) -> None:
        """Serve one socket until one side closes it."""
        if not is_allowed_origin(socket, self._settings):
            log.warning("foreign origin", extra={"origin": socket.headers.get("origin", "")[:100]})
            await socket.close()
            return
        await socket.accept()
        connection = Connection(socket, self._settings, self._limiter, self._tables.counts)
        session: _Session | None = _Session(connection, socket.path_params["code"].upper(), None)
        try:
            with self._limiter.holding(SOCKETS, connection.address):
                while session is not None:
                    session = await self._serve_session(session)
        except Refused as refused:  # the address has too many sockets
            connection.refuse(refused.code)
            connection.drop(TABLE_FULL)
            await connection.wait_closed()

    async def _serve_session(self, session: _Session) -> _Session | None:
        """Serve a socket at one table; return the session at the next table, if it moves there."""
        connection, code, _ = session
        try:
            await self._serve(*session)
        except TimeoutError:
            connection.drop(NO_HELLO)
        except WebSocketDisconnect:
            connection.drop(1000)
        except Refused as refused:
            connection.refuse(refused.code)
            connection.drop(DAMAGED if refused.code == "damaged" else TABLE_FULL)
        except StoreFailed as error:
            log.info("table not available: the store failed", extra={"code": code[:10], "error": str(error)})
            connection.drop(TROUBLE)
        except Exception:
            self._tables.counts.failed["connection"] += 1
            log.exception("a connection failed", extra={"code": code[:10]})
            connection.drop(TROUBLE)
        if connection.next_table is not None:
            return _Session(connection.next_connection(), *connection.next_table)
        await connection.wait_closed()
        return None

    async def _serve(self, connection: Connection, code: str, first: bytes | None) -> None:
        if first is not None:
            await self._limiter.admit_request(connection.address, SOCKET_COST)  # the same cost as for a new socket
        if connection.address in self._tables.banned:
            connection.refuse("barred")
            connection.drop(BANNED)
            return
        if first is None:
            async with asyncio.timeout(self._limiter.seconds(HELLO_TIME)):
                first = await _receive_bytes(connection)
        if not self._is_hello(connection, first):
            return
        table = await self._find_or_relay(connection, code, first)
        if table is not None:
            await self._receive_until_closed(connection, table)

    async def _find_or_relay(self, connection: Connection, code: str, first: bytes) -> Table | None:
        """Return the table of a socket; None if it was relayed or refused, and then it has been served."""
        deadline = time.monotonic() + _MOVING_SECONDS
        while True:
            try:
                return await self._find(connection, code)
            except OwnedElsewhere as elsewhere:
                if await self._relay(connection, code, elsewhere.address, first):
                    return None
            if time.monotonic() > deadline:
                connection.drop(RESTARTING)
                return None
            await asyncio.sleep(_BETWEEN_TRIES)

    async def _relay(self, connection: Connection, code: str, address: str, first: bytes) -> bool:
        """Relay a socket to the process that owns its table; return False if that does not answer."""
        mark = self._limiter.mark
        if relay.is_relayed(connection.socket, mark):
            return False  # the table is moving now: soon it will be here, or this socket is closed

        async def receive() -> bytes | None:
            data = await _receive_bytes(connection)
            return data if self._within_limits(connection, data) else None

        try:
            async with asyncio.timeout(None) as connection.read_timeout:
                await relay.relay_socket(connection, (address, code), first, receive, mark)
        except relay.PeerUnavailable:
            return False
        return True

    def _is_hello(self, connection: Connection, data: bytes) -> bool:
        message = self._read(connection, data)
        if isinstance(message, messages.Hello):
            connection.keys = [hash_token(token) for token in message.tokens]
            connection.wants_changes = message.changes
            return True
        if message is not None:  # a valid message, but not `hello`
            connection.refuse("not-now")
        connection.drop(BAD_HELLO)
        return False

    async def _find(self, connection: Connection, code: str) -> Table | None:
        """Find the table and connect to it; None, and a refusal, if there is none."""
        if code in self._tables.closed_codes:
            connection.refuse("closed")
            connection.drop(CLOSED)
            return None
        for _ in range(_TRIES):
            table = await self._tables.find(code, connection.address)
            if table is None and self._tables.is_closing:
                connection.drop(RESTARTING)  # another server, or the next start, has it
                return None
            if self._limiter.is_used_up(WRONG_CODES, connection.address) and not _is_owner(connection, table):
                connection.refuse("too-fast")
                connection.drop(TOO_FAST)
                return None
            if table is None:
                self._limiter.meter(WRONG_CODES, connection.address).take()
                connection.refuse("no-such-table")
                connection.drop(NO_SUCH_TABLE)
                return None
            if table.post(Connected(connection)):
                return table
        raise Refused("busy")

    async def _receive_until_closed(self, connection: Connection, table: Table) -> None:
        """
        Pass messages to the table until the socket is closed; the fast path calls the listener directly.

        A socket that moves to another table has `next_table` set when this returns.
        """
        pending, connection.pending = connection.pending, []
        try:
            connection.attach(partial(self._receive, connection, table))
            for data in pending:
                self._receive(connection, table, data)
            async with asyncio.timeout(None) as connection.read_timeout:
                while connection.next_table is None:
                    self._receive(connection, table, await _receive_bytes(connection))
        except TimeoutError:
            if connection.next_table is None:
                raise
        finally:
            connection.attach(None)  # detach: a socket that refers to its table would keep it in memory
            # The last messages of a client that disconnects are processed first.
            await self._limiter.fair_queue.wait_turn(connection.address, MESSAGE_SECONDS)
            while not table.is_gone and not table.post(Disconnected(connection)):
                await asyncio.sleep(0.05)

    def _receive(self, connection: Connection, table: Table, data: bytes) -> None:
        """Dispatch a message when it is the turn of its address."""
        if connection.next_table is not None:
            connection.pending.append(data)
        elif self._within_limits(connection, data):
            queue = self._limiter.fair_queue
            queue.run_or_queue(connection.address, self._dispatch, connection, table, data, cost=MESSAGE_SECONDS)

    def _dispatch(self, connection: Connection, table: Table, data: bytes) -> None:
        if connection.next_table is not None:  # it waited, and a message before it moved the socket
            connection.pending.append(data)
            return
        message = _parsed(connection, data)
        if isinstance(message, messages.Ping) and table.is_idle:
            connection.send(_PONG)  # pages ping every second: the table need not run for that
        elif isinstance(message, messages.Hello) and message.table.upper() not in ("", table.room.code):
            table.detach(connection)
            connection.hand_off(message.table.upper(), data)
        elif message is not None and not table.post(ClientMessage(connection, message, time.perf_counter())):
            connection.refuse("busy")

    def _read(self, connection: Connection, data: bytes) -> messages.FromPage | None:
        """Parse one message; None, and a refusal to the page, if it is invalid or above the limits."""
        return _parsed(connection, data) if self._within_limits(connection, data) else None

    def _within_limits(self, connection: Connection, data: bytes) -> bool:
        """Apply the rate limit and the size limit to a message; return whether it may be parsed, else refuse it."""
        if connection.close_code is not None:
            return False
        if not connection.may_send():
            if connection.refused == 1:
                connection.refuse(MESSAGES.refusal)
            elif connection.refused > REFUSED_MESSAGES.fixed:
                connection.drop(TOO_FAST)
            return False
        if len(data) <= self._max_size:
            return True
        if len(data) > self._limiter.most(UNREAD_SIZE):
            connection.drop(TOO_LARGE)
        else:
            connection.refuse(MESSAGE_SIZE.refusal)
        return False


def _parsed(connection: Connection, data: bytes) -> messages.FromPage | None:
    if connection.close_code is not None:
        return None
    message = messages.parse(data)
    if message is None:
        connection.refuse("unreadable")
    return message


def _is_owner(connection: Connection, table: Table | None) -> bool:
    """Return whether the client has a token of a seat at the table: then it did not guess the code."""
    return table is not None and bool(owned_seats(table.room.seats, connection.keys))


async def _receive_bytes(connection: Connection) -> bytes:
    event = await connection.socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(event.get("code", 1005))
    data: bytes = event.get("bytes") or (event.get("text") or "").encode("utf-8", "surrogatepass")
    return data
