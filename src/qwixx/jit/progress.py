"""What people see while a lot of work waits for the compiler: one line, and in a terminal a bar that fills."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock, Thread
from typing import Final, Protocol

from qwixx.kernel import twins
from qwixx.kernel.forking import at_work

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

    _has_said = False

    def begin(self, total: int) -> None:
        """Say it, once in a program."""
        if not self._is_terminal() and not OnStderr._has_said:
            OnStderr._has_said = True
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
_LONGEST_EXIT: Final = 10.0
_lock = Lock()
_busy: set[Thread] = set()
_watchers: list[Show] = []
"""Whoever shows it now: what is compiled on the way is shown by the outermost alone."""


def prepare(function: Callable[..., object], args: tuple[object, ...]) -> None:
    """
    Have the code of a function ready, compiled or loaded; show how the compiler gets on, if it has anything to do.

    It works in a thread of its own: there Ctrl-C cannot interrupt it halfway, which would leave broken code behind.
    """
    failures: list[BaseException] = []

    def work() -> None:
        try:
            with at_work:
                twins.load(function, args)
        except BaseException as error:  # told to whoever waits
            failures.append(error)
        finally:
            _busy.discard(thread)

    thread = Thread(target=work, name="qwixx-compiler", daemon=True)
    with _lock:
        is_first = not _busy and not _watchers
        _busy.add(thread)
    with watching(OnStderr(), len(twins.within(function))) if is_first else nullcontext():
        try:
            thread.start()
        except RuntimeError:  # there is no thread to be had
            work()
        else:
            thread.join()
    if failures:
        raise failures[0]


@atexit.register
def _leave() -> None:
    """Let the compiler finish before the program ends: code must not be loaded into a process that is torn down."""
    for thread in tuple(_busy):
        thread.join(_LONGEST_EXIT)


@contextmanager
def watching(show: Show, total: int) -> Iterator[None]:
    """Show how the compiler gets on with about so many functions."""
    begun, done = 0, 0
    _watchers.append(show)

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
        _watchers.remove(show)
        if begun:
            show.end()
