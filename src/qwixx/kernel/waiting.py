"""What people see while a lot of work waits for the compiler: one line, and in a terminal a bar that fills."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final, Protocol

from qwixx.kernel import twins

_WIDTH: Final = 24


class Show(Protocol):
    """Shows how far the compiler is."""

    def begin(self, total: int) -> None:
        """Something has to be compiled: about so many functions."""

    def advance(self, done: int, total: int) -> None:
        """So many are done."""

    def end(self) -> None:
        """Leave the screen: it is all done."""


class OnStderr:
    """Shows it on standard error, for programs that know nothing of it."""

    def begin(self, total: int) -> None:
        """Say it, once."""
        if not self._is_terminal():
            self._write(f"{LINE}\n")

    def advance(self, done: int, total: int) -> None:
        """Fill the bar."""
        if self._is_terminal():
            filled = _WIDTH * done // max(1, total)
            self._write(f"\r{LINE} [{'#' * filled}{'.' * (_WIDTH - filled)}]")

    def end(self) -> None:
        """Leave the line as if nothing had been there."""
        if self._is_terminal():
            self._write(f"\r{' ' * (len(LINE) + _WIDTH + 3)}\r")

    def _is_terminal(self) -> bool:
        return sys.stderr is not None and sys.stderr.isatty()

    def _write(self, text: str) -> None:
        if sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()


LINE: Final = "Compiling for this machine, once ..."
_lock = Lock()
_running = 0


@contextmanager
def compiling(function: Callable[..., object]) -> Iterator[None]:
    """Show how the compiler gets on with a function, if it has anything to do; for the first of several at once."""
    global _running  # noqa: PLW0603 - one screen for the process
    with _lock:
        _running += 1
        is_first = _running == 1
    try:
        if is_first:
            with watching(OnStderr(), len(twins.within(function))):
                yield
        else:
            yield
    finally:
        with _lock:
            _running -= 1


@contextmanager
def watching(show: Show, total: int) -> Iterator[None]:
    """Show how the compiler gets on with about so many functions."""
    begun, done = 0, 0

    def on_begin() -> None:
        nonlocal begun
        begun += 1
        if begun == 1:
            show.begin(total)

    def on_end() -> None:
        nonlocal done
        done += 1
        show.advance(min(done, total), total)

    try:
        with twins.watched(on_begin, on_end):
            yield
    finally:
        if begun:
            show.end()
