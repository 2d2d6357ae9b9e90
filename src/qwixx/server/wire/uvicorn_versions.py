"""The versions of uvicorn and websockets that the fast path supports (`uvicorn_fast_socket`); with others it is off."""

from __future__ import annotations

import re
from importlib import metadata

SUPPORTED = {"uvicorn": ((0, 54), (0, 55)), "websockets": ((17,), (18,))}
"""The first supported version, and the first that is too new. docs/server.md lists the same."""


def is_supported() -> bool:
    """Return whether the installed versions support the fast path."""
    return all(first <= _installed(name) < too_new for name, (first, too_new) in SUPPORTED.items())


def _installed(name: str) -> tuple[int, ...]:
    found = re.match(r"\d+(?:\.\d+)*", metadata.version(name))
    return tuple(int(number) for number in found[0].split(".")) if found else ()
