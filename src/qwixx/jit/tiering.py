"""
Tiering: the switch from interpreted to compiled rules, in a process that has played for a while or is going to.

If the cache is not complete, a subprocess compiles at a low priority, so that the game stays responsive. Then a thread
loads the code of every entry that this process has called so far, and switches the entries one by one.
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

from qwixx.jit.cache import cache_root, is_uncached, sources_changed
from qwixx.jit.decorators import COMPILES, ENTRIES, Entry, interpret_budget
from qwixx.jit.fork_safety import COMPILE_LOCK
from qwixx.jit.source_key import SITE_DIRS

_NEEDED_TO_PLAY: Final = frozenset({"kernel", "players"})
"""The folders with the code that every game needs: rules and built-in players."""
PROGRAM: Final = "qwixx.precompile"
"""The module that compiles the parts given as arguments, run as a program."""
_PACKAGE = Path(__file__).parent.parent
_MAX_EXIT_SECONDS: Final = 10.0

_lock = Lock()
_stop = Event()
_thread: Thread | None = None


def start_background_compile(then: Callable[[], object] | None = None) -> None:
    """Start to compile in the background and return; `then` is called at the end. Later calls do nothing."""
    global _thread  # noqa: PLW0603 - one for the process
    with _lock:
        if (
            not COMPILES
            or interpret_budget.has_ended
            or _thread is not None
            or cache_root() is None
            or sources_changed(_PACKAGE)
        ):
            return
        _thread = Thread(target=_switch_entries, args=(then,), name="qwixx-tiering", daemon=True)
        atexit.register(_stop_at_exit)
        _thread.start()


def wait_for_compile(seconds: float | None = None) -> bool:
    """Wait for the background thread, if it was started; return whether the entries have switched."""
    if _thread is not None:
        _thread.join(seconds)
    return interpret_budget.has_ended


def _switch_entries(then: Callable[[], object] | None) -> None:
    called = [entry for entry in ENTRIES if entry.samples]
    prefix = f"{_PACKAGE.name}."
    names = [entry.function.__module__ for entry in called if entry.function.__module__.startswith(prefix)]
    parts = sorted(_NEEDED_TO_PLAY.union(name.split(".")[1] for name in names))
    if any(is_uncached(_PACKAGE / part) for part in parts) and not compile_in_subprocess(parts):
        return
    for entry in [entry for entry in ENTRIES if entry.samples]:
        if _stop.is_set():
            return
        try:
            _load(entry)
        except Exception:  # it cannot be compiled: it stays interpreted, and the others still switch
            entry.run = entry.function
    interpret_budget.has_ended = True
    if then is not None:
        then()


def _load(entry: Entry) -> None:
    with COMPILE_LOCK:
        from qwixx.jit import compiler  # noqa: PLC0415 - loads the compiler

        for sample in list(entry.samples.values()):
            compiler.load(entry.function, sample)
        entry.compile()


def compile_in_subprocess(parts: list[str]) -> bool:
    """Compile the missing code of some parts in a subprocess; return whether that succeeded."""
    if not sys.executable:
        return False
    # Modules of the current folder must not be imported (-P), and installed packages are found anyway.
    package_path = [] if _PACKAGE.parent.name in SITE_DIRS else [str(_PACKAGE.parent)]
    paths = [path for path in (os.environ.get("PYTHONPATH"), *package_path) if path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    try:
        child = subprocess.Popen(  # noqa: S603 - runs this package
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


def _stop_at_exit() -> None:
    """Stop before the process ends: code must not be loaded during the shutdown."""
    _stop.set()
    if _thread is not None:
        _thread.join(_MAX_EXIT_SECONDS)


def _after_fork() -> None:
    """Reset the state in a forked child: the thread exists only in the parent."""
    global _thread, _stop, _lock
    _thread, _stop, _lock = None, Event(), Lock()
    interpret_budget.reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
