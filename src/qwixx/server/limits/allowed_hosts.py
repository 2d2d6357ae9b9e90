"""
By which names this server may be reached.

A page of another site can have its own name lead to this machine (DNS rebinding) and would then look like our own
page to a browser, but the browser still tells the name. So only names that are meant for this server are answered:
those the operator allows, this machine's own on its network, and plain addresses, which cannot be redirected.
"""

from __future__ import annotations

import ipaddress
import re
import socket

from qwixx.server.settings import Settings

_LONGEST = 255
"""No name of a machine is longer; with its port a few more."""
_FORM = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::[0-9]{1,5})?")
_AT_HOME = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""What local networks put behind a machine's name; none of them can be bought."""


class Hosts:
    """Knows the names of one server."""

    def __init__(self, settings: Settings) -> None:
        """Take the names from the settings and from this machine."""
        allowed = {each.strip().lower().rstrip(".") for each in settings.hosts.split(",") if each.strip()}
        self._all = "*" in allowed
        self._names = allowed | {"localhost", settings.host.lower()}
        if not is_loopback(settings.host):
            own = socket.gethostname().lower().partition(".")[0]
            self._names |= {own + end for end in _AT_HOME} | {socket.gethostname().lower()}

    def know(self, header: str) -> bool:
        """Tell whether what a request says in `Host` means this server."""
        if len(header) > _LONGEST + len(":65535"):
            return False
        found = _FORM.fullmatch(header.lower())
        if found is None:
            return False
        name = found["name"].rstrip(".")
        return self._all or name in self._names or name.endswith(".localhost") or _is_address(name.strip("[]"))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Tell whether a name or an address means this machine alone."""
    return (
        ipaddress.ip_address(host).is_loopback
        if _is_address(host)
        else (host == "localhost" or host.endswith(".localhost"))
    )
