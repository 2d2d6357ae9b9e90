"""
Compiled code taking over from interpreted rules, in a process that has played for a while or is going to.

What was never compiled on this machine is compiled by another process, at a low priority, so that play does not feel
it. Then a thread loads it, for all that this process has called so far, and the entries change over one by one.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Final

from qwixx.kernel.forking import at_work
from qwixx.kernel.jit import COMPILES, ENTRIES, Entry, pace
from qwixx.kernel.kept import base, have_changed, is_cold
from qwixx.kernel.sources import SHARED_PLACES

_TO_PLAY: Final = frozenset({"kernel", "players"})
"""The folders of what one needs to play: games and house players."""
PROGRAM: Final = "qwixx.warm"
"""The module that compiles the parts it is told, run as a program."""
_PACKAGE = Path(__file__).parent.parent
_LONGEST_EXIT: Final = 10.0

_lock = Lock()
_stop = Event()
_thread: Thread | None = None


def begin(then: Callable[[], object] | None = None) -> None:
    """Have compiled code take over as soon as it can, and then something be done. Works once, and returns at once."""
    global _thread  # noqa: PLW0603 - one for the process
    with _lock:
        if not COMPILES or pace.is_over or _thread is not None or base() is None or have_changed(_PACKAGE):
            return
        _thread = Thread(target=_take_over, args=(then,), name="qwixx-takeover", daemon=True)
        atexit.register(_leave)
        _thread.start()


def finish(seconds: float | None = None) -> bool:
    """Wait until it is done, if it was begun; tell whether compiled code has taken over."""
    if _thread is not None:
        _thread.join(seconds)
    return pace.is_over


def _take_over(then: Callable[[], object] | None) -> None:
    called = [entry for entry in ENTRIES if entry.samples]
    home = f"{_PACKAGE.name}."
    names = [entry.function.__module__ for entry in called if entry.function.__module__.startswith(home)]
    parts = sorted(_TO_PLAY.union(name.split(".")[1] for name in names))
    if any(is_cold(_PACKAGE / part) for part in parts) and not compile_elsewhere(parts):
        return
    for entry in [entry for entry in ENTRIES if entry.samples]:
        if _stop.is_set():
            return
        try:
            _load(entry)
        except Exception:  # one that cannot be compiled stays as it is, and keeps nobody else from it
            entry.run = entry.function
    pace.is_over = True
    if then is not None:
        then()


def _load(entry: Entry) -> None:
    with at_work:
        from qwixx.kernel import twins  # noqa: PLC0415 - loads the compiler

        for sample in list(entry.samples.values()):
            twins.load(entry.function, sample)
        entry.compile()


def compile_elsewhere(parts: list[str]) -> bool:
    """Have another process compile and keep what is missing; tell whether it did."""
    if not sys.executable:
        return False
    # The folder that one plays in must not bring modules of its own, and installed packages are found anyway.
    own = [] if _PACKAGE.parent.name in SHARED_PLACES else [str(_PACKAGE.parent)]
    known = [path for path in (os.environ.get("PYTHONPATH"), *own) if path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(known)}
    try:
        child = subprocess.Popen(  # noqa: S603 - this very program
            [sys.executable, "-P", "-m", PROGRAM, str(os.getpid()), *parts],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
    except OSError:
        return False
    while not _stop.is_set():
        with contextlib.suppress(subprocess.TimeoutExpired):
            return child.wait(0.2) == 0
    child.kill()
    child.wait()
    return False


def _leave() -> None:
    """Stop before the program ends: code must not be loaded into a process that is being torn down."""
    _stop.set()
    if _thread is not None:
        _thread.join(_LONGEST_EXIT)


def _after_fork() -> None:
    """Begin anew in a child: it has no thread, and what the parent's was at is the parent's."""
    global _thread, _stop, _lock
    _thread, _stop, _lock = None, Event(), Lock()
    pace.begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
