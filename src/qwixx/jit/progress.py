"""Progress of the compiler while a long job waits for it: one line, and a progress bar in a terminal."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock, Thread
from time import monotonic
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
    """Shows on standard error what is compiled, and in the end how long it took."""

    def __init__(self, what: str) -> None:
        """Name the function that is compiled, with all that it calls."""
        self._line = f"Compiling {what} for this machine, once ..."
        self._started = 0.0

    def begin(self, total: int) -> None:
        """Begin the line."""
        self._started = monotonic()
        self._write(self._line)

    def advance(self, done: int, total: int) -> None:
        """Update the bar, in a terminal."""
        if self._is_terminal():
            filled = _WIDTH * done // max(1, total)
            bar = f"[{'#' * filled}{'.' * (_WIDTH - filled)}]"
            self._write(f"\r{self._line} {bar} {monotonic() - self._started:.0f} s")

    def end(self) -> None:
        """End the line with the seconds that it took; in a terminal, erase it."""
        if self._is_terminal():
            self._write(f"\r{' ' * (len(self._line) + _WIDTH + 9)}\r")
        else:
            self._write(f" {monotonic() - self._started:.0f} s\n")

    def _is_terminal(self) -> bool:
        return sys.stderr is not None and sys.stderr.isatty()

    def _write(self, text: str) -> None:
        if sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()


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

    what = f"{function.__module__}.{function.__name__}"
    thread = Thread(target=work, name="qwixx-compiler", daemon=True)
    with _lock:
        is_first = not _busy and not _reporters
        _busy.add(thread)
    with report_progress(StderrProgress(what), len(compiler.callees_of(function))) if is_first else nullcontext():
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
