"""
The audit log: every change that an operator made, as a line of the log and as a row of the database.

A row has the address that sent the command, so that the use of a stolen token is noticed. Of a banned address it has
only the network part, because addresses of players are not stored.
"""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import time
from typing import Final, cast

from starlette.requests import Request

from qwixx.server.base.errors import StoreFailed
from qwixx.server.limits.client_address import address_of
from qwixx.server.store.interface import Store
from qwixx.server.wire.message_parts import Payload
from qwixx.server.wire.request_ids import current_request_id

log = logging.getLogger("qwixx.audit")
_KEEP_SECONDS: Final = 365 * 86400
_MAX_TARGET: Final = 100
_ADD = "INSERT INTO audit (at, action, target, address, request) VALUES (?, ?, ?, ?, ?)"
_FORGET = "DELETE FROM audit WHERE at < ?"
_LATEST = "SELECT at, action, target, address, request FROM audit ORDER BY id DESC LIMIT ?"


class AuditEntry(Payload):
    """One change that an operator made."""

    at: int
    """Seconds since 1970."""
    action: str
    target: str
    """The code of a table, the network of a banned address, or the text of an announcement."""
    address: str
    """The address that sent the command."""
    request: str
    """The request id, which is also in the log."""


class AuditEntries(Payload):
    """The latest changes, the last first."""

    entries: list[AuditEntry]


class Audit:
    """The audit log in a store, kept for a year."""

    def __init__(self, store: Store) -> None:
        """Use this store."""
        self._store = store

    async def record(self, request: Request, action: str) -> None:
        """Record an action that was done; its target is in `request.state.target`, or the code in the path."""
        target = str(getattr(request.state, "target", "") or request.path_params.get("code", "").upper())[:_MAX_TARGET]
        facts = {"action": action, "target": target, "address": address_of(request)}
        log.warning("operator", extra=facts)  # at the default level; the request id is in every line
        now = int(time.time())
        self._store.execute(_FORGET, (now - _KEEP_SECONDS,))
        with contextlib.suppress(StoreFailed):  # with a full disk the line above has to do
            await self._store.execute(_ADD, (now, *facts.values(), current_request_id.get()))

    async def latest(self, most: int) -> AuditEntries:
        """Return the latest entries."""
        rows = await self._store.query(_LATEST, (most,))
        return AuditEntries([AuditEntry(*cast("tuple[int, str, str, str, str]", row)) for row in rows])


def network_of(address: str) -> str:
    """Return the network of an address: half of an IPv4 address, a quarter of an IPv6 address."""
    found = ipaddress.ip_address(address.removesuffix("/64"))
    return str(ipaddress.ip_network(f"{found}/{16 if found.version == 4 else 32}", strict=False))
