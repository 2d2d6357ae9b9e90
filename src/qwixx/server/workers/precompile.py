"""Compiles the code for reviews and hints in a separate process before its first use."""

from __future__ import annotations

from threading import Lock, Thread

from qwixx.coach.judges.judge import EXACT, Judge
from qwixx.jit import cache, tiering
from qwixx.jit.decorators import COMPILES
from qwixx.precompile import SOLVER, TRAINING

_lock = Lock()
_compiling: set[str] = set()
"""The parts that are being compiled."""


def is_compiled_for(judge: Judge) -> bool:
    """
    Return whether a judge can be used without waiting for the compiler; if not, start to compile its code.

    Without a compiler, or without a cache of compiled code, there is nothing to wait for.
    """
    part = SOLVER if judge.source == EXACT else TRAINING
    if not COMPILES or cache.cache_root() is None or not part.is_uncached:
        return True
    with _lock:
        is_first = part.folder not in _compiling
        _compiling.add(part.folder)
    if is_first:
        Thread(target=_compile, args=(part.folder,), name="qwixx-compiling", daemon=True).start()
    return False


def _compile(folder: str) -> None:
    tiering.compile_in_subprocess([folder])
    with _lock:
        _compiling.discard(folder)  # after a failure, the next request tries again
