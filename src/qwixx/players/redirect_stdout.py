"""Redirect what third-party players print to standard error, so that it never gets into the program's output."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from threading import Lock, current_thread
from typing import Any, Final, TextIO, cast

PLAYER: Final = "qwixx-player"
"""The name of the threads that run third-party players."""

_lock = Lock()
_open = 0


class _ThreadAwareStdout:
    """Standard output; in threads of players it writes to standard error."""

    def __init__(self, original: TextIO) -> None:
        self.original = original

    def write(self, text: str) -> int:
        return self._target().write(text)

    def _target(self) -> TextIO:
        return sys.stderr if current_thread().name == PLAYER else self.original

    def __getattr__(self, name: str) -> Any:
        return getattr(self._target(), name)


@contextlib.contextmanager
def player_output_to_stderr() -> Iterator[None]:
    """Redirect the output of players to standard error; several threads may use this at the same time."""
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _open  # noqa: PLW0603 - there is one standard output
    with _lock:
        if not _open:
            sys.stdout = cast(TextIO, _ThreadAwareStdout(sys.stdout))
        _open += 1


def _leave() -> None:
    global _open  # noqa: PLW0603 - as above
    with _lock:
        _open -= 1
        if not _open and isinstance(sys.stdout, _ThreadAwareStdout):
            sys.stdout = sys.stdout.original
