"""Tokens of operators: read from the settings, compared in constant time, with a rate limit for wrong ones."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request

from qwixx.errors import QwixxError
from qwixx.server.base.errors import Refused
from qwixx.server.base.settings import Settings, variable
from qwixx.server.limits.client_address import address_of
from qwixx.server.limits.rate_limits import SlidingWindow

_MIN_LENGTH, _MAX_LENGTH = 24, 512
_WRONG_PER_MINUTE = 10
"""Wrong tokens that one address may send in a minute; after that right ones are refused, too."""


class OperatorToken:
    """The token that protects an endpoint for operators."""

    def __init__(self, token: str) -> None:
        """Store only a hash of the token, so that it cannot be logged or shown by mistake."""
        self._hash = _hash(token)
        self._wrong = SlidingWindow(_WRONG_PER_MINUTE, seconds=60.0)

    def check(self, request: Request) -> None:
        """Raise unless a request has the token: `Authorization: Bearer ...`."""
        address = address_of(request)
        if self._wrong.is_full(address):
            raise Refused("too-fast")
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(_hash(token.strip()), self._hash):
            self._wrong.take(address)
            raise HTTPException(401)


def operator_token(settings: Settings, name: str) -> OperatorToken | None:
    """Return the token of a setting, given directly or by a file; None if neither is set: the endpoint is off."""
    token = read_token(name, getattr(settings, name), getattr(settings, f"{name}_file"))
    return OperatorToken(token) if token else None


def read_token(name: str, token: str, file: str) -> str:
    """Return a token from a setting or from a file. Raises `QwixxError` if it is not usable."""
    if token and file:
        raise QwixxError(f"Set {variable(name)} or {variable(name)}_FILE, not both.")
    source = variable(name)
    if file:
        source = f"{source}_FILE"
        try:
            token = Path(file).expanduser().read_text("utf-8").strip()
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no text"
            raise QwixxError(f"{source}: the file {file!r} cannot be read: {reason}.") from None
    if not token and not file:
        return ""
    if not _MIN_LENGTH <= len(token) <= _MAX_LENGTH or not token.isascii() or not token.isprintable() or " " in token:
        raise QwixxError(
            f"{source} should hold {_MIN_LENGTH} letters and digits or more, without spaces; make one with: "
            "openssl rand -hex 24"
        )
    return token


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
