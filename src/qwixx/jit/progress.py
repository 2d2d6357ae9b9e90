"""Progress of the compiler while a long job waits for it: one line, and a progress bar in a terminal."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock, Thread
from typing import Final, Protocol

from qwixx.jit import compiler
from qwixx.jit.fork_safety import COMPILE_LOCK

_WIDTH: Final = 24


class ProgressReporter(Protocol):
    """Shows the progress of the compiler."""

    def begin(self, total: int) -> None:
        """Start: about `total` functions have to be compiled."""

    def advance(self, done: int, total: int) -> None:
        """Show that `done` of them are compiled."""

    def end(self) -> None:
        """Clear the screen: everything is compiled."""


class StderrProgress:
    """Shows the progress on standard error, for programs that have no display of it."""

    _has_printed = False

    def begin(self, total: int) -> None:
        """Print the line, once per process."""
        if not self._is_terminal() and not StderrProgress._has_printed:
            StderrProgress._has_printed = True
            self._write(f"{LINE}\n")

    def advance(self, done: int, total: int) -> None:
        """Update the bar."""
        if self._is_terminal():
            filled = _WIDTH * done // max(1, total)
            self._write(f"\r{LINE} [{'#' * filled}{'.' * (_WIDTH - filled)}]")

    def end(self) -> None:
        """Erase the line."""
        if self._is_terminal():
            self._write(f"\r{' ' * (len(LINE) + _WIDTH + 3)}\r")

    def _is_terminal(self) -> bool:
        return sys.stderr is not None and sys.stderr.isatty()

    def _write(self, text: str) -> None:
        if sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()


LINE: Final = "Compiling for this machine, once ..."
_MAX_EXIT_SECONDS: Final = 10.0
_lock = Lock()
_busy: set[Thread] = set()
_reporters: list[ProgressReporter] = []
"""The reporters in use. Only the outermost shows functions that are compiled on the way."""


def load_with_progress(function: Callable[..., object], args: tuple[object, ...]) -> None:
    """
    Compile a function, or load its compiled code; show the progress if there is anything to compile.

    The compiler runs in its own thread. There Ctrl-C cannot interrupt it halfway, which would leave broken code behind.
    """
    failures: list[BaseException] = []

    def work() -> None:
        try:
            with COMPILE_LOCK:
                compiler.load(function, args)
        except BaseException as error:  # raised again in the thread that waits
            failures.append(error)
        finally:
            _busy.discard(thread)

    thread = Thread(target=work, name="qwixx-compiler", daemon=True)
    with _lock:
        is_first = not _busy and not _reporters
        _busy.add(thread)
    with report_progress(StderrProgress(), len(compiler.callees_of(function))) if is_first else nullcontext():
        try:
            thread.start()
        except RuntimeError:  # no more threads can be started
            work()
        else:
            thread.join()
    if failures:
        raise failures[0]


@atexit.register
def _wait_at_exit() -> None:
    """Wait for the compiler before the process ends: code must not be loaded during the shutdown."""
    for thread in tuple(_busy):
        thread.join(_MAX_EXIT_SECONDS)


@contextmanager
def report_progress(reporter: ProgressReporter, total: int) -> Iterator[None]:
    """Show the progress of the compiler inside this block, with about `total` functions to compile."""
    started, done = 0, 0
    _reporters.append(reporter)

    def on_start() -> None:
        nonlocal started
        started += 1
        if started == 1:
            reporter.begin(total)

    def on_end() -> None:
        nonlocal done
        done += 1
        reporter.advance(min(done, total), total)

    try:
        with compiler.compile_listener(on_start, on_end):
            yield
    finally:
        _reporters.remove(reporter)
        if started:
            reporter.end()
