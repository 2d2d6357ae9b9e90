"""
Connection limits: how many connections there may be, in all and for each address, and when one is cut off.

Connections are counted by their transports, before anything that they sent is read. A connection that breaks a limit
is aborted: an orderly close would wait for a peer that may never answer. The address of a proxy belongs to many people,
so only the limits for all connections apply to it; the clients behind it are counted in `address_quotas`.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import math
from collections import Counter
from dataclasses import dataclass

from qwixx.server.base.settings import Settings
from qwixx.server.limits.fair_queue import FairQueue
from qwixx.server.limits.rate_limits import FRAMES_PER_MESSAGE, BucketsByAddress, TokenBucket, address_group

log = logging.getLogger("qwixx.gate")
_SWEEP_SECONDS = 1.0
_CLOSING_SECONDS = 2.0
"""Time for the peer of a closing socket to read the rest."""
_PENALTY = 10
"""When a connection breaks a limit, its address loses this many tokens of its rate limit for new connections."""


@dataclass(slots=True, eq=False)
class ConnectionState:
    """One connection."""

    transport: asyncio.Transport
    address: str
    """The address group that is counted; empty for a proxy, which is not counted."""
    frames: TokenBucket | None
    """The rate limit of frames from this address, all connections together; None for a proxy."""
    deadline: float
    """When it will be cut off, unless it makes progress."""
    request_id: str = ""
    """The id of the current request, for the log."""


class ConnectionLimiter:
    """Accepts or refuses connections, and cuts off those that break a limit."""

    def __init__(self, settings: Settings, most: int) -> None:
        """Allow this many connections in all, and as many of each address as the settings say."""
        self.settings = settings
        self.connections: dict[asyncio.Transport, ConnectionState] = {}
        self.max_connections = most
        self._max_per_address = min(settings.connections_per_address, max(1, most // 2))
        """No address gets more than half of all connections, however few there are."""
        self._proxies = _networks(settings.proxies)
        self._without_request: dict[ConnectionState, None] = {}
        """Connections without a complete first request, the oldest first."""
        self._open: Counter[str] = Counter()
        self._connect_rate = BucketsByAddress(settings.request_rate, max(1, settings.request_burst // 2))
        self._frames = BucketsByAddress(
            FRAMES_PER_MESSAGE * settings.address_rate, FRAMES_PER_MESSAGE * settings.address_burst
        )
        self.fair_queue = FairQueue()
        """Received data is processed in turn, address by address."""
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
        frames = self._frames.of(address) if address else None
        now = asyncio.get_running_loop().time()
        connection = ConnectionState(transport, address, frames, now + self.settings.hello_timeout)
        self.connections[transport] = connection
        self._open[address] += 1
        self._without_request[connection] = None
        if len(self._without_request) > self.settings.handshakes:
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
        if address and self._open[address] >= self._max_per_address:
            return "too many connections of one address"
        return ""

    def _count_connect(self, address: str) -> str:
        """Apply the rate limit for new connections; return why this one is refused, empty if it is not."""
        if not address or self._connect_rate.of(address).take():
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
            self._open[connection.address] -= 1
            if not self._open[connection.address]:
                del self._open[connection.address]

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
            self._connect_rate.of(connection.address).take_at_most(_PENALTY)

    # ---- progress

    def reset_deadline(self, connection: ConnectionState) -> None:
        """Start the timeout again: a complete request has arrived, or a response has been sent."""
        self._without_request.pop(connection, None)
        connection.deadline = asyncio.get_running_loop().time() + self.settings.request_timeout

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
                connection.deadline = now + _CLOSING_SECONDS
            if connection.deadline < now:
                self.cut_off(connection, "no progress")
                continue
            size = transport.get_write_buffer_size()
            if size and connection.address:
                unsent[connection.address] += size
        for address, size in unsent.items():
            if size > self.settings.address_outbox * 1024:
                self._drop_slow_readers(address, size)

    def _drop_slow_readers(self, address: str, size: int) -> None:
        """Cut off the slowest readers of an address until its unsent data is within the limit."""
        slowest = sorted(
            (connection for connection in self.connections.values() if connection.address == address),
            key=lambda connection: connection.transport.get_write_buffer_size(),
        )
        while slowest and size > self.settings.address_outbox * 1024:
            connection = slowest.pop()
            size -= connection.transport.get_write_buffer_size()
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
