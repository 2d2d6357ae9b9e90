"""
What Ctrl-C does to the program: it ends at once, with one line and exit code 130.

Left to itself Python raises `KeyboardInterrupt` between any two instructions: while modules are imported, when nobody
is there yet to catch it, and while compiled code is loaded, which can end in a crash. So the program leaves by itself,
unless somebody has something to tidy up and says so with `gently`.
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
_PATIENT = {"qwixx", "__main__", "click", "rich", "uvicorn", *sys.stdlib_module_names} - _IMPORTING
"""Packages that can be torn out of their work at any moment; a compiler, say, cannot."""
_SHOW_CURSOR = b"\x1b[?25h"
_PATIENCE = 2
"""How often Ctrl-C is told to those who tidy up: once for the work, once for the tidying up."""
_gentle: list[Callable[[], None] | None] = []
"""For each `gently` that is open, the last words to say if the work cannot be left in peace."""
_told = 0


def leave_at_once() -> bool:
    """Let Ctrl-C end the program from now on; tells whether it was Python's own way before, which is put back else."""
    if threading.current_thread() is not threading.main_thread():
        return False
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # ignored, or somebody else's
        return False
    signal.signal(signal.SIGINT, _interrupt)
    return True


@contextlib.contextmanager
def leaving_at_once() -> Iterator[None]:
    """Let Ctrl-C end the program as long as this lasts."""
    if not leave_at_once():
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def gently(last_words: Callable[[], None] | None = None) -> Iterator[None]:
    """
    Have Ctrl-C raise `KeyboardInterrupt` here, the first times: whoever has something to keep catches it.

    In the middle of loading compiled code that is not safe; then the last words are said, and the program ends.
    """
    _gentle.append(last_words)
    try:
        yield
    finally:
        _gentle.pop()


def _interrupt(_: int, frame: FrameType | None) -> None:
    global _told  # noqa: PLW0603 - signals belong to the whole program, too
    if _gentle and _told < _PATIENCE and not _is_loading(frame):
        _told += 1
        raise KeyboardInterrupt
    words = next((each for each in reversed(_gentle) if each is not None), None)
    if words is not None and not _told:
        with contextlib.suppress(Exception):
            words()
    leave()


def _is_loading(frame: FrameType | None) -> bool:
    """Whether modules or compiled code are being loaded where the program stands, or anything like it is at work."""
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] not in _PATIENT:
            return True
        frame = frame.f_back
    return False


def leave(last_line: str = "Interrupted.\n") -> NoReturn:
    """
    End the program now: what was written is flushed, the terminal gets its cursor back, and nobody waits for threads.

    In a program that has not asked for it with `leave_at_once`, this is a `SystemExit` like any other.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # it may be closed, full, or in the middle of writing
            stream.flush()
    if signal.getsignal(signal.SIGINT) is not _interrupt:
        raise SystemExit(INTERRUPTED)
    with contextlib.suppress(OSError):
        if os.isatty(2):
            os.write(2, _SHOW_CURSOR)
        os.write(2, last_line.encode())
    os._exit(INTERRUPTED)
