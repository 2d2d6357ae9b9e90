"""
Connection limits: how many connections there may be, in all and for each address, and when one is cut off.

Connections are counted by their transports, before anything that they sent is read. A connection that breaks a limit
is aborted: an orderly close would wait for a peer that may never answer. The address of a proxy belongs to many people,
so only the limits for all connections apply to it; the application counts the clients behind it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import math
from collections import Counter
from dataclasses import dataclass

from qwixx.server.limits.client_address import address_group
from qwixx.server.limits.declared import (
    ADDRESS_CONNECTIONS,
    ADDRESS_FRAMES,
    ADDRESS_UNSENT,
    CLOSE_TIME,
    CONNECTIONS,
    FIRST_REQUEST,
    HANDSHAKES,
    NEW_CONNECTIONS,
    REQUEST_TIME,
)
from qwixx.server.limits.limiter import Limiter
from qwixx.server.limits.meter import Meter

log = logging.getLogger("qwixx.gate")
_SWEEP_SECONDS = 1.0
_PENALTY = 10
"""When a connection breaks a limit, its address loses this many tokens of its rate limit for new connections."""


@dataclass(slots=True, eq=False)
class ConnectionState:
    """One connection."""

    transport: asyncio.Transport
    address: str
    """The address group that is counted; empty for a proxy, which is not counted."""
    frames: Meter | None
    """The rate limit of frames from this address, all connections together; None for a proxy."""
    deadline: float
    """When it will be cut off, unless it makes progress."""
    request_id: str = ""
    """The id of the current request, for the log."""


class ConnectionLimiter:
    """Accepts or refuses connections, and cuts off those that break a limit."""

    def __init__(self, limiter: Limiter) -> None:
        """Count with this limiter; no address gets more than half of all connections, however few there are."""
        self.limiter = limiter
        self.connections: dict[asyncio.Transport, ConnectionState] = {}
        self.max_connections = limiter.most(CONNECTIONS)
        limiter.lower(ADDRESS_CONNECTIONS, max(1, self.max_connections // 2))
        self._proxies = _networks(limiter.settings.proxies)
        self._without_request: dict[ConnectionState, None] = {}
        """Connections without a complete first request, the oldest first."""
        self._unlogged_refusals: Counter[str] = Counter()
        """Refused connections by reason, since they were last logged."""
        self.refused: Counter[str] = Counter()
        """Refused connections by reason, since the server started (updated with the log)."""
        self.cut: Counter[str] = Counter()
        """Connections that were cut off, by reason."""
        self._has_listener = False
        """Whether a listener counts new connections before they are registered."""
        self._next_sweep: asyncio.TimerHandle | None = None

    # ---- connect and disconnect

    def may_connect(self, host: str) -> bool:
        """Return whether this address may open one more connection; the listener asks before it accepts one."""
        self._has_listener = True
        address = self._address(host)
        reason = self._refusal(address) or self._count_connect(address)
        return self._count_refusal(reason)

    def register(self, transport: asyncio.Transport) -> ConnectionState | None:
        """Register a new connection; None, and it is aborted, if there are too many."""
        peer = transport.get_extra_info("peername")
        address = self._address(str(peer[0]) if peer else "")
        if len(self.connections) >= self.max_connections and self._without_request:
            self.cut_off(next(iter(self._without_request)), "no room for connections without a request")
        reason = self._refusal(address) or ("" if self._has_listener else self._count_connect(address))
        if not self._count_refusal(reason):
            transport.abort()
            return None
        frames = None
        if address:
            frames = self.limiter.meter(ADDRESS_FRAMES, address)
            self.limiter.meter(ADDRESS_CONNECTIONS, address).take()
        now = asyncio.get_running_loop().time()
        connection = ConnectionState(transport, address, frames, now + self.limiter.seconds(FIRST_REQUEST))
        self.connections[transport] = connection
        self._without_request[connection] = None
        if len(self._without_request) > self.limiter.most(HANDSHAKES):
            self.cut_off(next(iter(self._without_request)), "too many without a request")
        self._schedule_sweep()
        return connection

    def _address(self, host: str) -> str:
        """Return the address group of a host; empty for a proxy."""
        return "" if self._is_proxy(host) else address_group(host)

    def _refusal(self, address: str) -> str:
        """Return why one more connection is refused; empty if it is not."""
        if len(self.connections) >= self.max_connections and not self._without_request:  # those would be cut off first
            return "too many connections"
        if address and self.limiter.is_used_up(ADDRESS_CONNECTIONS, address):
            return "too many connections of one address"
        return ""

    def _count_connect(self, address: str) -> str:
        """Apply the rate limit for new connections; return why this one is refused, empty if it is not."""
        if not address or self.limiter.meter(NEW_CONNECTIONS, address).take():
            return ""
        return "too many new connections of one address"

    def _count_refusal(self, reason: str) -> bool:
        """Count a refusal, if there is a reason; return whether there is none."""
        if reason:
            self._unlogged_refusals[reason] += 1  # there may be thousands a second; the log gets one line
            self._schedule_sweep()
        return not reason

    def unregister(self, connection: ConnectionState) -> None:
        """Remove a connection that has ended."""
        if self.connections.pop(connection.transport, None) is not None:
            self._without_request.pop(connection, None)
            if connection.address:
                self.limiter.uncount(ADDRESS_CONNECTIONS, connection.address)

    def cut_off(self, connection: ConnectionState, reason: str) -> None:
        """Abort a connection that has not ended yet, without a close handshake."""
        if connection.transport not in self.connections:
            return
        self.cut[reason] += 1
        context = {"request": connection.request_id} if connection.request_id else {}
        log.warning("connection cut off", extra={"reason": reason, **context})
        self.unregister(connection)
        connection.transport.abort()
        if connection.address:
            rate = self.limiter.meter(NEW_CONNECTIONS, connection.address)
            rate.take(min(_PENALTY, rate.available()))

    # ---- progress

    def reset_deadline(self, connection: ConnectionState) -> None:
        """Start the timeout again: a request has arrived, its response begins, or it has been sent."""
        self._without_request.pop(connection, None)
        connection.deadline = asyncio.get_running_loop().time() + self.limiter.seconds(REQUEST_TIME)

    def suspend_deadline(self, connection: ConnectionState) -> None:
        """Remove the timeout while the server works on a response; its queues and the body have limits of their own."""
        connection.deadline = math.inf

    def on_upgrade(self, connection: ConnectionState) -> None:
        """Remove the timeout: the connection is now a WebSocket, which may be silent as long as it answers pings."""
        self._without_request.pop(connection, None)
        connection.deadline = math.inf

    # ---- sweep

    def _schedule_sweep(self) -> None:
        if self._next_sweep is None:
            self._next_sweep = asyncio.get_running_loop().call_later(_SWEEP_SECONDS, self._sweep)

    def _sweep(self) -> None:
        """Cut off connections after their deadline and slow readers, every second while there are connections."""
        self._next_sweep = None
        if self.connections:
            self._schedule_sweep()
        for reason, count in self._unlogged_refusals.items():
            log.warning("connections refused", extra={"reason": reason, "count": count})
        self.refused += self._unlogged_refusals
        self._unlogged_refusals.clear()
        now = asyncio.get_running_loop().time()
        unsent: Counter[str] = Counter()
        for connection in list(self.connections.values()):
            transport = connection.transport
            if connection.deadline == math.inf and transport.is_closing():
                connection.deadline = now + self.limiter.seconds(CLOSE_TIME)
            if connection.deadline < now:
                self.cut_off(connection, "no progress")
                continue
            size = transport.get_write_buffer_size()
            if size and connection.address:
                unsent[connection.address] += size
        for address, size in unsent.items():
            self._drop_slow_readers(address, size - self.limiter.most(ADDRESS_UNSENT))

    def _drop_slow_readers(self, address: str, excess: int) -> None:
        """Cut off the slowest readers of an address until its unsent data is within the limit."""
        if excess <= 0:
            return
        slowest = sorted(
            (connection for connection in self.connections.values() if connection.address == address),
            key=lambda connection: connection.transport.get_write_buffer_size(),
        )
        while slowest and excess > 0:
            connection = slowest.pop()
            excess -= connection.transport.get_write_buffer_size()
            self.cut_off(connection, "too much waits for one address")

    def _is_proxy(self, host: str) -> bool:
        try:
            number = ipaddress.ip_address(host)
        except ValueError:
            return bool(self._proxies)  # a Unix socket has no address: only a proxy connects by one
        return any(number in network for network in self._proxies)


def _networks(proxies: str) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Parse the addresses of proxies; `*` means every address."""
    networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
    for each in proxies.split(","):
        if each.strip() == "*":
            return [ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0")]
        try:
            networks.append(ipaddress.ip_network(each.strip(), strict=False))
        except ValueError:  # the name of a Unix socket, or empty
            continue
    return networks
