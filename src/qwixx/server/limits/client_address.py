"""Checks of a client: its address and its origin; and the security headers of every response."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qwixx.server.base.settings import Settings
from qwixx.server.base.url_prefix import may_be_framed
from qwixx.server.limits.allowed_hosts import is_loopback

HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self'",
            "img-src 'self'",
            "font-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "worker-src 'self'",
            "media-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


_FRAMED = {
    **HEADERS,
    "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace("ancestors 'none'", "ancestors 'self'"),
    "X-Frame-Options": "SAMEORIGIN",
}
"""The headers for a page that a page of the same origin may show in a frame, such as that of Home Assistant."""

_SECURE_ONLY = "Cross-Origin-Opener-Policy"
"""Browsers ignore this header on plain HTTP from another machine, and log a complaint."""


def is_allowed_origin(connection: HTTPConnection, settings: Settings) -> bool:
    """Return whether a request comes from our page: browsers always send the origin of a page, programs need not."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    if origin in {each.strip() for each in settings.origins.split(",") if each.strip()}:
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == connection.headers.get("host", "")


class SecurityHeaders:
    """Middleware that adds the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application, and add the headers when a response starts."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        is_secure = _is_secure(HTTPConnection(scope))

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in (_FRAMED if may_be_framed(scope) else HEADERS).items():
                    if name != _SECURE_ONLY or is_secure:
                        headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _is_secure(connection: HTTPConnection) -> bool:
    """Return whether browsers trust the connection: it is encrypted, or within this machine."""
    return connection.url.scheme == "https" or is_loopback(connection.url.hostname or "")


@lru_cache(1024)
def address_group(address: str) -> str:
    """Return the key by which an address is counted: an IPv6 client owns its whole /64 network of 2^64 addresses."""
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(number, ipaddress.IPv4Address):
        return str(number)
    if number.ipv4_mapped is not None:
        return str(number.ipv4_mapped)
    return str(ipaddress.ip_network((int(number), 64), strict=False))


def address_of(connection: HTTPConnection) -> str:
    """Return the address group of a client, by which it is counted; behind a trusted proxy that of the real client."""
    return address_group(connection.client.host) if connection.client else "?"
