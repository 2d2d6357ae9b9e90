"""Who may talk to the server, and what a browser may do with its pages."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qwixx.server.hosts import is_loopback
from qwixx.server.limits import counted_as
from qwixx.server.settings import Settings

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


_SAFE_ONLY = "Cross-Origin-Opener-Policy"
"""A header that browsers ignore on plain http from elsewhere, and complain about."""


def is_welcome(connection: HTTPConnection, settings: Settings) -> bool:
    """Tell whether the page that asks is ours: browsers always say which origin a page has; programs need not."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    if origin in {each.strip() for each in settings.origins.split(",") if each.strip()}:
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == connection.headers.get("host", "")


class SecurityHeaders:
    """Puts the headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, adding headers where an answer begins."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        is_safe = _is_safe(HTTPConnection(scope))

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    if name != _SAFE_ONLY or is_safe:
                        headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _is_safe(connection: HTTPConnection) -> bool:
    """Tell whether browsers trust the way to this server: encrypted, or within this machine."""
    return connection.url.scheme == "https" or is_loopback(connection.url.hostname or "")


def address_of(connection: HTTPConnection) -> str:
    """Give the address of whoever asks, as it is counted."""
    return counted_as(connection.client.host) if connection.client else "?"
