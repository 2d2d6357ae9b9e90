"""What players from elsewhere print: it goes to standard error, so that it never gets into an answer."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from threading import Lock
from typing import TextIO

_lock = Lock()
_open = 0
_usual: TextIO | None = None


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """Send what is printed to standard error as long as this lasts; several threads may be in here at once."""
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _open, _usual  # noqa: PLW0603 - there is one standard output
    with _lock:
        if not _open:
            _usual, sys.stdout = sys.stdout, sys.stderr
        _open += 1


def _leave() -> None:
    global _open  # noqa: PLW0603 - as above
    with _lock:
        _open -= 1
        if not _open and _usual is not None:
            sys.stdout = _usual
