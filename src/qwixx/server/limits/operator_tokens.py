"""Tokens of operators: read from the settings, compared in constant time, and tried a few times only."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request

from qwixx.errors import QwixxError
from qwixx.server.limits import Window
from qwixx.server.room import Refused
from qwixx.server.security import address_of
from qwixx.server.settings import Settings, variable

_SHORTEST, _LONGEST = 24, 512
_TRIES = 10
"""Wrong tokens that one address may show in a minute; then right ones are refused too."""


class Key:
    """What opens a part of the server that is for its operator."""

    def __init__(self, token: str) -> None:
        """Keep a hash of the token: nothing here can be logged or shown by mistake."""
        self._hash = _hash(token)
        self._wrong = Window(_TRIES, seconds=60.0)

    def check(self, request: Request) -> None:
        """Refuse a request unless it shows the token: `Authorization: Bearer ...`."""
        address = address_of(request)
        if self._wrong.is_full(address):
            raise Refused("too-fast")
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(_hash(token.strip()), self._hash):
            self._wrong.take(address)
            raise HTTPException(401)


def key_of(settings: Settings, name: str) -> Key | None:
    """Give the key that a setting names, itself or by a file; None if neither is set, so that nothing is opened."""
    token = token_of(name, getattr(settings, name), getattr(settings, f"{name}_file"))
    return Key(token) if token else None


def token_of(name: str, token: str, file: str) -> str:
    """Give a token from a setting or from a file. Raises `QwixxError` with a sentence if it is of no use."""
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
    if not _SHORTEST <= len(token) <= _LONGEST or not token.isascii() or not token.isprintable() or " " in token:
        raise QwixxError(
            f"{source} should hold {_SHORTEST} letters and digits or more, without spaces; make one with: "
            "openssl rand -hex 24"
        )
    return token


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
