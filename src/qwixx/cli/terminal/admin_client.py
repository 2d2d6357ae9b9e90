"""The HTTP client of `qwixx admin`: token, requests, and a sentence for every refusal."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from qwixx.errors import QwixxError

_TIMEOUT = 20.0
_LONGEST = 64 << 20
"""The most bytes that are read of an answer."""
_SENTENCES = {
    "not-allowed": "the server has a different token",
    "too-fast": "too many wrong tokens from this address; wait a minute",
    "not-found": "the server has no admin interface: start it with QWIXX_ADMIN_TOKEN set",
    "no-such-table": "there is no such table",
    "damaged": "the table is damaged; `qwixx admin stats` has the reason",
    "not-now": "that is not possible now",
    "unreadable": "the server cannot read that",
    "foreign-host": "the server does not accept that host name: add it to QWIXX_HOSTS, or use its IP address",
    "busy": "the server is busy; try again in a moment",
}


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect: the token must not be sent to another server."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Refuse."""
        return


@dataclass(frozen=True, slots=True)
class AdminServer:
    """One server, and its admin token."""

    server: str
    token: str

    def request(self, verb: str, path: str, body: object = None) -> Any:
        """Send a request and return the JSON answer. Raises `QwixxError` with a sentence."""
        data = self.request_text(verb, path, body)
        try:
            return json.loads(data)
        except ValueError:
            raise QwixxError(f"{self.server} is not a qwixx server.") from None

    def request_text(self, verb: str, path: str, body: object = None) -> str:
        """Send a request and return the answer as text. Raises `QwixxError` with a sentence."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        asked = Request(f"{self.server}/api/admin/{path}", data, headers, method=verb)  # noqa: S310 - checked to be http
        try:
            with build_opener(_NoRedirects).open(asked, timeout=_TIMEOUT) as answer:
                return str(answer.read(_LONGEST).decode("utf-8", "replace"))
        except HTTPError as error:
            raise QwixxError(f"{self.server}: {_reason(error)}.") from None
        except (URLError, OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            words = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
            raise QwixxError(f"{self.server} cannot be reached: {words}.") from None


def _reason(error: HTTPError) -> str:
    """Return the reason of a refusal."""
    try:
        code = str(json.loads(error.read(4096)).get("code", ""))
    except (ValueError, OSError, AttributeError):
        code = ""
    return _SENTENCES.get(code) or f"refused, {code or f'status {error.code}'}"


def admin_servers(servers: tuple[str, ...]) -> list[AdminServer]:
    """Return the given servers with the token from the environment. Raises `QwixxError` with a sentence."""
    from qwixx.server.limits.operator_tokens import read_token  # noqa: PLC0415 - `qwixx --help` need not wait for the server

    environment = os.environ
    token = read_token(
        "admin_token", environment.get("QWIXX_ADMIN_TOKEN", ""), environment.get("QWIXX_ADMIN_TOKEN_FILE", "")
    )
    if not token:
        raise QwixxError("Set QWIXX_ADMIN_TOKEN, or QWIXX_ADMIN_TOKEN_FILE, to the token of the server.")
    return [AdminServer(_checked(server), token) for server in servers]


def _checked(server: str) -> str:
    parts = urlsplit(server)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise QwixxError(f"{server[:80]!r} is not the address of a server, such as http://127.0.0.1:8321.")
    return server.rstrip("/")
