"""Tokens of operators: read from the settings, compared in constant time, with a rate limit for wrong ones."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request

from qwixx.errors import QwixxError
from qwixx.server.base.settings import variable
from qwixx.server.limits.client_address import address_of
from qwixx.server.limits.declared import WRONG_TOKENS
from qwixx.server.limits.limiter import Limiter

_MIN_LENGTH, _MAX_LENGTH = 24, 512


class OperatorToken:
    """The token that protects an endpoint for operators."""

    def __init__(self, name: str, token: str, limiter: Limiter) -> None:
        """Store only a hash of the token, so that it cannot be logged or shown by mistake."""
        self._name, self._hash, self._limiter = name, _hash(token), limiter

    def check(self, request: Request) -> None:
        """Raise unless a request has the token: `Authorization: Bearer ...`."""
        key = f"{self._name} {address_of(request)}"
        self._limiter.check(WRONG_TOKENS, key)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(_hash(token.strip()), self._hash):
            self._limiter.meter(WRONG_TOKENS, key).take()
            raise HTTPException(401)


def operator_token(limiter: Limiter, name: str) -> OperatorToken | None:
    """Return the token of a setting, given directly or by a file; None if neither is set: the endpoint is off."""
    token = read_token(name, getattr(limiter.settings, name), getattr(limiter.settings, f"{name}_file"))
    return OperatorToken(name, token, limiter) if token else None


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
