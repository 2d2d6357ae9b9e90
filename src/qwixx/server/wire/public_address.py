"""
By which address friends reach this server, and listening on the network when somebody at this machine asks for it.

A link that begins with `localhost` or 127.0.0.1 leads nowhere on a phone. So links carry this machine's address on its
network if the server listens there, and the page says so if it does not.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Awaitable, Callable

from starlette.requests import Request

from qwixx.server.hosts import is_loopback
from qwixx.server.pieces import Part
from qwixx.server.room import Refused
from qwixx.server.security import is_welcome
from qwixx.server.settings import Settings

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - only where somebody asked for it


class Reached(Part):
    """How friends reach this server."""

    link: str
    """What a link for friends begins with."""
    only_here: bool
    """Whether such links work on this machine alone."""
    may_open: bool
    """Whether whoever asks may have the server listen on the network."""


class Reach:
    """Knows by which addresses one server can be reached."""

    listen_also: Callable[[str], Awaitable[None]] | None = None
    """How to listen on one more address; raises `OSError` if that cannot be. None until the server has started."""

    def __init__(self, settings: Settings) -> None:
        """Begin with what the settings say."""
        self._settings = settings
        self._address = "" if settings.host in EVERYWHERE or is_loopback(settings.host) else settings.host
        """This server's address on the network, if it listens on one."""

    def link(self, request: Request) -> str:
        """Give what a link for friends begins with, such as http://192.168.1.5:8321."""
        address = self._on_network() if _is_asked_here(request) else ""
        if not address:
            return f"{request.url.scheme}://{request.headers.get('host', request.url.netloc)}"
        return f"{request.url.scheme}://{_in_link(address)}:{request.url.port or 80}"

    def facts(self, request: Request) -> Reached:
        """Say how friends reach this server, as whoever asks does or better."""
        only_here = _is_asked_here(request) and not self._on_network()
        return Reached(self.link(request), only_here, only_here and self._may_open(request))

    async def open(self, request: Request) -> Reached:
        """Listen on the network, too. Raises `Refused` unless somebody at this machine asks, by our page."""
        if not is_welcome(request, self._settings):
            raise Refused("foreign-origin")
        if not self.facts(request).may_open:
            raise Refused("not-now")
        assert self.listen_also is not None
        address = lan_address()
        if is_loopback(address):
            raise Refused("no-network")
        try:
            await self.listen_also(address)
        except OSError:
            raise Refused("no-network") from None
        self._address = address
        return self.facts(request)

    def _on_network(self) -> str:
        if self._settings.host not in EVERYWHERE:
            return self._address
        address = lan_address()
        return "" if is_loopback(address) else address

    def _may_open(self, request: Request) -> bool:
        """Tell whether the one who asks sits at this machine; a proxy sits there too, and speaks for others."""
        has_proxy = bool(self._settings.proxies or self._settings.hosts)
        peer = request.client.host if request.client else ""
        return self.listen_also is not None and not has_proxy and is_loopback(peer)


def _is_asked_here(request: Request) -> bool:
    """Tell whether a page was opened by a name that means this machine to whoever uses it."""
    return is_loopback(request.url.hostname or "")


def _in_link(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def lan_address() -> str:
    """Find this machine's address on the local network; nothing is sent for that."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        return str(ipaddress.ip_address(probe.getsockname()[0]))
    return "127.0.0.1"
