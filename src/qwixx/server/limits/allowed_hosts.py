"""
The host names for which this server answers.

A page of another site can point its own name to this machine (DNS rebinding). To a browser it would then look like our
own page, but the browser still sends the name. So the server answers only to its own names: those that the operator
allows, this machine's name on its network, and plain IP addresses, which DNS cannot redirect.
"""

from __future__ import annotations

import ipaddress
import re
import socket

from qwixx.server.base.settings import Settings

_MAX_LENGTH = 255
"""The longest possible host name, without its port."""
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::[0-9]{1,5})?")
_LOCAL_SUFFIXES = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""Suffixes of local networks; nobody can register a domain in them."""


class AllowedHosts:
    """The names of one server."""

    def __init__(self, settings: Settings) -> None:
        """Take the names from the settings and from this machine."""
        allowed = {each.strip().lower().rstrip(".") for each in settings.hosts.split(",") if each.strip()}
        self._all = "*" in allowed
        self._names = allowed | {"localhost", settings.host.lower()}
        if not is_loopback(settings.host):
            own = socket.gethostname().lower().partition(".")[0]
            self._names |= {own + suffix for suffix in _LOCAL_SUFFIXES} | {socket.gethostname().lower()}

    def accepts(self, header: str) -> bool:
        """Return whether a `Host` header means this server."""
        if len(header) > _MAX_LENGTH + len(":65535"):
            return False
        match = _HOST.fullmatch(header.lower())
        if match is None:
            return False
        name = match["name"].rstrip(".")
        return self._all or name in self._names or name.endswith(".localhost") or _is_address(name.strip("[]"))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Return whether a name or an address is reachable from this machine only."""
    return (
        ipaddress.ip_address(host).is_loopback
        if _is_address(host)
        else (host == "localhost" or host.endswith(".localhost"))
    )
