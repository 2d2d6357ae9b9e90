"""
The address by which friends reach this server, and listening on the network when a user of this machine asks for it.

A link to `localhost` or 127.0.0.1 does not work on a phone. So links contain the address of this machine on its network
if the server listens there. If it does not, the page says so.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Awaitable, Callable

from starlette.requests import Request

from qwixx.server.base.errors import Refused
from qwixx.server.base.settings import Settings
from qwixx.server.base.url_prefix import prefix_of
from qwixx.server.limits.allowed_hosts import is_loopback
from qwixx.server.limits.client_address import is_allowed_origin
from qwixx.server.wire.message_parts import Payload

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - only where the operator asked for it


class PublicLink(Payload):
    """How friends reach this server."""

    link: str
    """The start of a link for friends."""
    only_here: bool
    """Whether such links work only on this machine."""
    may_open: bool
    """Whether this client may let the server listen on the network."""


class PublicAddress:
    """The addresses by which one server can be reached."""

    listen_also: Callable[[str], Awaitable[None]] | None = None
    """Listens on one more address; raises `OSError` if that is not possible. None until the server has started."""

    def __init__(self, settings: Settings) -> None:
        """Start with the address of the settings."""
        self._settings = settings
        self._address = "" if settings.host in EVERYWHERE or is_loopback(settings.host) else settings.host
        """This server's address on the network, if it listens on one."""

    def link_base(self, request: Request) -> str:
        """Return the start of a link for friends, such as http://192.168.1.5:8321, with the path of a proxy."""
        prefix = prefix_of(request.scope)
        address = self._on_network() if _is_local_name(request) else ""
        if not address:
            return f"{request.url.scheme}://{request.headers.get('host', request.url.netloc)}{prefix}"
        return f"{request.url.scheme}://{_in_url(address)}:{request.url.port or 80}{prefix}"

    def describe(self, request: Request) -> PublicLink:
        """Return how friends reach this server: by the name that this client uses, or by a better one."""
        only_here = _is_local_name(request) and not self._on_network()
        return PublicLink(self.link_base(request), only_here, only_here and self._may_open(request))

    async def listen_on_network(self, request: Request) -> PublicLink:
        """Listen on the network, too. Raises `Refused` unless a user of this machine asks, through our page."""
        if not is_allowed_origin(request, self._settings):
            raise Refused("foreign-origin")
        if not self.describe(request).may_open:
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
        return self.describe(request)

    def _on_network(self) -> str:
        if self._settings.host not in EVERYWHERE:
            return self._address
        address = lan_address()
        return "" if is_loopback(address) else address

    def _may_open(self, request: Request) -> bool:
        """Return whether the client is on this machine; a proxy may be on it too, but relays others."""
        has_proxy = bool(self._settings.proxies or self._settings.hosts)
        peer = request.client.host if request.client else ""
        return self.listen_also is not None and not has_proxy and is_loopback(peer)


def _is_local_name(request: Request) -> bool:
    """Return whether the page was opened by a name that means the client's own machine."""
    return is_loopback(request.url.hostname or "")


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def lan_address() -> str:
    """Return this machine's address on the local network, without sending anything."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        return str(ipaddress.ip_address(probe.getsockname()[0]))
    return "127.0.0.1"
