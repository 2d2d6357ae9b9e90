"""What players from elsewhere print: it goes to standard error, so that it never gets into an answer."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from threading import Lock, current_thread
from typing import Any, Final, TextIO, cast

PLAYER: Final = "qwixx-player"
"""The name of the threads in which players from elsewhere think."""

_lock = Lock()
_open = 0


class _BesideTheAnswer:
    """Standard output as it is, but for players from elsewhere."""

    def __init__(self, usual: TextIO) -> None:
        self.usual = usual

    def write(self, text: str) -> int:
        return self._mine().write(text)

    def _mine(self) -> TextIO:
        return sys.stderr if current_thread().name == PLAYER else self.usual

    def __getattr__(self, name: str) -> Any:
        return getattr(self._mine(), name)


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """Send what players print to standard error as long as this lasts; several threads may be in here at once."""
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _open  # noqa: PLW0603 - there is one standard output
    with _lock:
        if not _open:
            sys.stdout = cast(TextIO, _BesideTheAnswer(sys.stdout))
        _open += 1


def _leave() -> None:
    global _open  # noqa: PLW0603 - as above
    with _lock:
        _open -= 1
        if not _open and isinstance(sys.stdout, _BesideTheAnswer):
            sys.stdout = sys.stdout.usual
