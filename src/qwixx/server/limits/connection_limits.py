"""
The gate: every connection of the server, bounded for each address and in all.

It knows connections as the system does, by their transports, before anything they sent is read. Who breaks a bound is
cut off at once: closing in good order would wait for a peer that may never answer. Addresses of proxies stand for many
people, so for them only the bounds in all hold; the people behind them are counted by `quotas`.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import math
from collections import Counter
from dataclasses import dataclass

from qwixx.server.limits import FRAMES_PER_MESSAGE, Bucket, Buckets, counted_as
from qwixx.server.settings import Settings
from qwixx.server.turns import Turns

log = logging.getLogger("qwixx.gate")
_SWEEP_SECONDS = 1.0
_CLOSING_SECONDS = 2.0
"""What a socket's peer has to read the rest of what it was sent, once we are done with it."""
_PENALTY = 10
"""So many new connections less has an address for a while, whenever one of its connections breaks a bound."""


@dataclass(slots=True, eq=False)
class Visitor:
    """One connection."""

    transport: asyncio.Transport
    address: str
    """As it is counted; empty for a proxy, which is not."""
    frames: Bucket | None
    """What may come from its address, all connections together; None for a proxy."""
    due: float
    """When it will be cut off, unless it makes progress."""
    request: str = ""
    """The request id of what it is used for now."""


class Gate:
    """Lets connections in, and cuts off those that break a bound."""

    def __init__(self, settings: Settings, most: int) -> None:
        """Let in so many at a time, and of each address as many as the settings say."""
        self.settings = settings
        self.visitors: dict[asyncio.Transport, Visitor] = {}
        self.most = most
        self._most_of_address = min(settings.connections_per_address, max(1, most // 2))
        """No address takes more than half of the room, however little there is."""
        self._proxies = _networks(settings.proxies)
        self._young: dict[Visitor, None] = {}
        """Those whose first request has not come as a whole, the oldest first."""
        self._open: Counter[str] = Counter()
        self._opening = Buckets(settings.request_rate, max(1, settings.request_burst // 2))
        self._frames = Buckets(FRAMES_PER_MESSAGE * settings.address_rate, FRAMES_PER_MESSAGE * settings.address_burst)
        self.turns = Turns()
        """What connections send is read in turn, address by address."""
        self._refused: Counter[str] = Counter()
        """Why connections were refused, and how many, since that was logged last."""
        self.turned_away: Counter[str] = Counter()
        """The same since the server started."""
        self.ended: Counter[str] = Counter()
        """Why connections were cut off, and how many."""
        self._has_listener = False
        """Whether new connections are counted before they come here."""
        self._sweeping: asyncio.TimerHandle | None = None

    # ---- coming and going

    def lets_in(self, host: str) -> bool:
        """Tell whether one more connection of this address may be made; its listener asks before it is."""
        self._has_listener = True
        address = self._address(host)
        reason = self._refusal(address) or self._haste(address)
        return self._note(reason)

    def enter(self, transport: asyncio.Transport) -> Visitor | None:
        """Let a new connection in; None, and it is cut off, if that would be one too many."""
        peer = transport.get_extra_info("peername")
        address = self._address(str(peer[0]) if peer else "")
        if len(self.visitors) >= self.most and self._young:
            self.cut_off(next(iter(self._young)), "no room for connections without a request")
        reason = self._refusal(address) or ("" if self._has_listener else self._haste(address))
        if not self._note(reason):
            transport.abort()
            return None
        frames = self._frames.of(address) if address else None
        now = asyncio.get_running_loop().time()
        visitor = Visitor(transport, address, frames, now + self.settings.hello_timeout)
        self.visitors[transport] = visitor
        self._open[address] += 1
        self._young[visitor] = None
        if len(self._young) > self.settings.handshakes:
            self.cut_off(next(iter(self._young)), "too many without a request")
        self._look_after()
        return visitor

    def _address(self, host: str) -> str:
        """Give the name under which connections of a host are counted."""
        return "" if self._is_proxy(host) else counted_as(host)

    def _refusal(self, address: str) -> str:
        """Say why there is no room for one more connection; nothing if there is."""
        if len(self.visitors) >= self.most and not self._young:  # those would give way
            return "too many connections"
        if address and self._open[address] >= self._most_of_address:
            return "too many connections of one address"
        return ""

    def _haste(self, address: str) -> str:
        """Count a new connection; says so if its address had too many of them lately."""
        if not address or self._opening.of(address).take():
            return ""
        return "too many new connections of one address"

    def _note(self, reason: str) -> bool:
        """Keep in mind why somebody is not let in; tells whether they are."""
        if reason:
            self._refused[reason] += 1  # thousands a second, of which the log has one line
            self._look_after()
        return not reason

    def leave(self, visitor: Visitor) -> None:
        """Note that a connection is over."""
        if self.visitors.pop(visitor.transport, None) is not None:
            self._young.pop(visitor, None)
            self._open[visitor.address] -= 1
            if not self._open[visitor.address]:
                del self._open[visitor.address]

    def cut_off(self, visitor: Visitor, reason: str) -> None:
        """End a connection without another word, if it is not over yet."""
        if visitor.transport not in self.visitors:
            return
        self.ended[reason] += 1
        whose = {"request": visitor.request} if visitor.request else {}
        log.warning("connection cut off", extra={"reason": reason, **whose})
        self.leave(visitor)
        visitor.transport.abort()
        if visitor.address:
            self._opening.of(visitor.address).take_up_to(_PENALTY)

    # ---- progress

    def asks(self, visitor: Visitor) -> None:
        """Note that a whole request has come, or that an answer has been given: its time begins anew."""
        self._young.pop(visitor, None)
        visitor.due = asyncio.get_running_loop().time() + self.settings.request_timeout

    def stays(self, visitor: Visitor) -> None:
        """Note that a connection has become a socket, which may be silent as long as it answers pings."""
        self._young.pop(visitor, None)
        visitor.due = math.inf

    # ---- looking after them

    def _look_after(self) -> None:
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(_SWEEP_SECONDS, self._sweep)

    def _sweep(self) -> None:
        """Cut off those whose time is up and those for whom too much waits, every second while anybody is here."""
        self._sweeping = None
        if self.visitors:
            self._look_after()
        for reason, count in self._refused.items():
            log.warning("connections refused", extra={"reason": reason, "count": count})
        self.turned_away += self._refused
        self._refused.clear()
        now = asyncio.get_running_loop().time()
        waiting: Counter[str] = Counter()
        for visitor in list(self.visitors.values()):
            transport = visitor.transport
            if visitor.due == math.inf and transport.is_closing():
                visitor.due = now + _CLOSING_SECONDS
            if visitor.due < now:
                self.cut_off(visitor, "no progress")
                continue
            size = transport.get_write_buffer_size()
            if size and visitor.address:
                waiting[visitor.address] += size
        for address, size in waiting.items():
            if size > self.settings.address_outbox * 1024:
                self._relieve(address, size)

    def _relieve(self, address: str, size: int) -> None:
        """Cut off an address's slowest readers until what waits for the others is no longer too much."""
        slowest = sorted(
            (visitor for visitor in self.visitors.values() if visitor.address == address),
            key=lambda visitor: visitor.transport.get_write_buffer_size(),
        )
        while slowest and size > self.settings.address_outbox * 1024:
            visitor = slowest.pop()
            size -= visitor.transport.get_write_buffer_size()
            self.cut_off(visitor, "too much waits for one address")

    def _is_proxy(self, host: str) -> bool:
        try:
            number = ipaddress.ip_address(host)
        except ValueError:
            return bool(self._proxies)  # a socket of the system has no address: only a proxy can be behind it
        return any(number in network for network in self._proxies)


def _networks(proxies: str) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Read the addresses of proxies; `*` is everybody."""
    found: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
    for each in proxies.split(","):
        if each.strip() == "*":
            return [ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0")]
        try:
            found.append(ipaddress.ip_network(each.strip(), strict=False))
        except ValueError:  # the name of a socket, or nothing
            continue
    return found
