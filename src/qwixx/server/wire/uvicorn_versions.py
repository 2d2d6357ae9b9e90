"""The one place that says for which versions the short way (`sockets`) was made; with others the plain way is taken."""

from __future__ import annotations

import re
from importlib import metadata

MADE_FOR = {"uvicorn": ((0, 54), (0, 55)), "websockets": ((17,), (18,))}
"""The first version that fits, and the first that does not any more. docs/server.md says the same."""


def fits() -> bool:
    """Tell whether everything the short way leans on has a version that it was made for."""
    return all(first <= _installed(name) < too_new for name, (first, too_new) in MADE_FOR.items())


def _installed(name: str) -> tuple[int, ...]:
    found = re.match(r"\d+(?:\.\d+)*", metadata.version(name))
    return tuple(int(number) for number in found[0].split(".")) if found else ()
