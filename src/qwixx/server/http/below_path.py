"""
A server below a path: the prefix of each request, from the setting `QWIXX_PATH` or from a trusted proxy.

With the setting, requests may come with the prefix or without it, so the proxy need not remove it; health checks and
other servers of a cluster use none. A proxy that sends a header has removed the prefix already.
"""

from __future__ import annotations

from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import Scope

from qwixx.errors import QwixxError
from qwixx.server.base.errors import Refused
from qwixx.server.base.settings import Settings, variable
from qwixx.server.base.url_prefix import read_prefix, set_prefix
from qwixx.server.wire.transports import guard_of

_INGRESS = "x-ingress-path"
"""Home Assistant's header; it shows the page in a frame of its own page."""
_HEADERS = (_INGRESS, "x-forwarded-prefix")
_OPERATOR = ("/metrics", "/api/admin/")
"""Paths that are not available below a prefix: the rules of a proxy that hides them would not match there."""


class BelowPath:
    """Takes the prefix off the path of a request, and remembers it for links."""

    def __init__(self, settings: Settings) -> None:
        """Take the prefix from the settings."""
        self._setting = read_prefix(settings.path) or ""

    def enter(self, scope: Scope) -> str:
        """
        Store the prefix of a request, and take it off its path.

        Return where the request should go instead, if its path is the prefix without a slash at the end: the service
        worker does not serve that address. Raises `Refused` if the header of a proxy is no prefix.
        """
        prefix, path = self._setting, scope["path"]
        if not prefix:
            header, prefix = _from_proxy(scope)
            set_prefix(scope, prefix, in_frame=bool(prefix) and header == _INGRESS)
            if prefix and path.startswith(_OPERATOR):
                scope["path"] = prefix + path
            return ""
        set_prefix(scope, prefix)
        if path == prefix and scope["type"] == "http":
            return f"{prefix}/"
        inside = path.removeprefix(prefix)
        if path.startswith(f"{prefix}/") and not inside.startswith(_OPERATOR):
            scope["path"] = inside
        return ""


def check_free(settings: Settings, taken: Iterable[str]) -> None:
    """Raise `QwixxError` if the path of the settings starts with a name of the server: it would hide pages."""
    first = settings.path.strip("/").partition("/")[0]
    if first and first in taken:
        raise QwixxError(f"{variable('path')} cannot start with /{first}: the server has its own pages there.")


def _from_proxy(scope: Scope) -> tuple[str, str]:
    """Return the header that a trusted proxy has sent, and its prefix; empty texts if there is none."""
    guard = guard_of(scope)
    if guard is None or not guard.is_proxied:
        return "", ""
    headers = Headers(scope=scope)
    for name in _HEADERS:
        given = headers.getlist(name)
        if given:
            prefix = read_prefix(given[0]) if len(given) == 1 else None
            if prefix is None:
                raise Refused("unreadable")
            return name, prefix
    return "", ""
