"""Asking a server as its operator: the token, the request, and every refusal as a sentence."""

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

_PATIENCE = 20.0
_LONGEST = 64 << 20
"""Bytes of an answer that are read at most."""
_SENTENCES = {
    "not-allowed": "the server knows another token",
    "too-fast": "too many wrong tokens came from here; wait a minute",
    "not-found": "the server has no admin interface: start it with QWIXX_ADMIN_TOKEN set",
    "no-such-table": "there is no such table",
    "not-now": "there is nothing to do that to",
    "unreadable": "the server cannot read that",
    "foreign-host": "the server does not go by that name: name it in QWIXX_HOSTS, or use its plain address",
    "busy": "the server is busy; try again in a moment",
}


class _StayHere(HTTPRedirectHandler):
    """Follows nobody elsewhere: the token is for the server that was named."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Refuse."""
        return


@dataclass(frozen=True, slots=True)
class Desk:
    """One server, and the token that opens it."""

    server: str
    token: str

    def ask(self, verb: str, path: str, body: object = None) -> Any:
        """Ask for something in JSON. Raises `QwixxError` with a sentence."""
        data = self.text(verb, path, body)
        try:
            return json.loads(data)
        except ValueError:
            raise QwixxError(f"{self.server} does not answer as a qwixx server does.") from None

    def text(self, verb: str, path: str, body: object = None) -> str:
        """Ask for a text. Raises `QwixxError` with a sentence."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        asked = Request(f"{self.server}/api/admin/{path}", data, headers, method=verb)  # noqa: S310 - checked to be http
        try:
            with build_opener(_StayHere).open(asked, timeout=_PATIENCE) as answer:
                return str(answer.read(_LONGEST).decode("utf-8", "replace"))
        except HTTPError as error:
            raise QwixxError(f"{self.server}: {_reason(error)}.") from None
        except (URLError, OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            words = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
            raise QwixxError(f"{self.server} cannot be reached: {words}.") from None


def _reason(error: HTTPError) -> str:
    """Say why a server refused."""
    try:
        code = str(json.loads(error.read(4096)).get("code", ""))
    except (ValueError, OSError, AttributeError):
        code = ""
    return _SENTENCES.get(code) or f"refused, {code or f'status {error.code}'}"


def desks(servers: tuple[str, ...]) -> list[Desk]:
    """Give the servers that were named, with the token from the environment. Raises `QwixxError` with a sentence."""
    from qwixx.server.keys import token_of  # noqa: PLC0415 - `qwixx --help` need not wait for the server

    environment = os.environ
    token = token_of(
        "admin_token", environment.get("QWIXX_ADMIN_TOKEN", ""), environment.get("QWIXX_ADMIN_TOKEN_FILE", "")
    )
    if not token:
        raise QwixxError("Set QWIXX_ADMIN_TOKEN, or QWIXX_ADMIN_TOKEN_FILE, to the token that the server was given.")
    return [Desk(_checked(server), token) for server in servers]


def _checked(server: str) -> str:
    parts = urlsplit(server)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise QwixxError(f"{server[:80]!r} is not the address of a server; http://127.0.0.1:8321 would be one.")
    return server.rstrip("/")
