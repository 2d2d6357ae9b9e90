"""The path below which a proxy shows this server, such as /games/qwixx. It is the prefix of all its addresses."""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any

MAX_LENGTH = 200
_PREFIX = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)*")
"""
Names of unreserved characters only: they mean the same in a URL, in a header and in HTML. `.` and `..` are no names.
"""
_KEY, _FRAME_KEY = "qwixx.prefix", "qwixx.in-frame"


def read_prefix(text: str) -> str | None:
    """Return the prefix in a text, without a slash at its end; "" means no prefix, None that the text is none."""
    prefix = text.strip()[: MAX_LENGTH + 2].removesuffix("/")
    return prefix if len(prefix) <= MAX_LENGTH and _PREFIX.fullmatch(prefix) else None


def set_prefix(scope: MutableMapping[str, Any], prefix: str, *, in_frame: bool = False) -> None:
    """Store the prefix of a request, and whether a page of the same origin may show the response in a frame."""
    scope[_KEY], scope[_FRAME_KEY] = prefix, in_frame


def prefix_of(scope: MutableMapping[str, Any]) -> str:
    """Return the prefix of a request; "" if there is none."""
    return str(scope.get(_KEY, ""))


def may_be_framed(scope: MutableMapping[str, Any]) -> bool:
    """Return whether a page of the same origin may show the response in a frame."""
    return bool(scope.get(_FRAME_KEY))
