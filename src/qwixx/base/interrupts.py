"""
The handler of Ctrl-C: it ends the program immediately, with one line and exit code 130.

By default Python raises `KeyboardInterrupt` between any two instructions: while modules are imported, before any code
can catch it, and while compiled code is loaded, which can end in a crash. So this handler ends the process itself,
unless code that has something to clean up runs inside `raising_on_interrupt`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130
_IMPORTING = {"importlib", "_frozen_importlib", "_frozen_importlib_external"}
_INTERRUPTIBLE = {"qwixx", "__main__", "click", "rich", "uvicorn", *sys.stdlib_module_names} - _IMPORTING
"""Packages whose code can be interrupted at any point; a compiler, for example, cannot."""
_SHOW_CURSOR = b"\x1b[?25h"
_MAX_RAISED = 2
"""How often Ctrl-C raises `KeyboardInterrupt`: once for the work, once for the cleanup."""
_catching: list[Callable[[], None] | None] = []
"""For each open `raising_on_interrupt`, what to call if raising is not safe."""
_raised = 0


def exit_on_interrupt() -> bool:
    """Make Ctrl-C end the program from now on; return False if Python's default handler was not installed."""
    if threading.current_thread() is not threading.main_thread():
        return False
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # ignored, or handled by other code
        return False
    signal.signal(signal.SIGINT, _on_sigint)
    return True


@contextlib.contextmanager
def exiting_on_interrupt() -> Iterator[None]:
    """Make Ctrl-C end the program inside this block."""
    if not exit_on_interrupt():
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def raising_on_interrupt(last_words: Callable[[], None] | None = None) -> Iterator[None]:
    """
    Make the first Ctrl-C raise `KeyboardInterrupt` inside this block, so that the caller can save its work.

    While compiled code is loaded that is not safe. Then `last_words` is called, and the program ends.
    """
    _catching.append(last_words)
    try:
        yield
    finally:
        _catching.pop()


def _on_sigint(_: int, frame: FrameType | None) -> None:
    global _raised  # noqa: PLW0603 - signals belong to the whole process, too
    if _catching and _raised < _MAX_RAISED and not _is_loading(frame):
        _raised += 1
        raise KeyboardInterrupt
    last_words = next((each for each in reversed(_catching) if each is not None), None)
    if last_words is not None and not _raised:
        with contextlib.suppress(Exception):
            last_words()
    exit_now()


def _is_loading(frame: FrameType | None) -> bool:
    """Return whether a frame of the stack imports modules, loads compiled code, or belongs to an unknown package."""
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] not in _INTERRUPTIBLE:
            return True
        frame = frame.f_back
    return False


def exit_now(last_line: str = "Interrupted.\n") -> NoReturn:
    """
    End the process without waiting for threads; flush the output and show the terminal's cursor again.

    In a program that has not called `exit_on_interrupt`, raise an ordinary `SystemExit`.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # it may be closed, full, or in the middle of a write
            stream.flush()
    if signal.getsignal(signal.SIGINT) is not _on_sigint:
        raise SystemExit(INTERRUPTED)
    with contextlib.suppress(OSError):
        if os.isatty(2):
            os.write(2, _SHOW_CURSOR)
        os.write(2, last_line.encode())
    os._exit(INTERRUPTED)
