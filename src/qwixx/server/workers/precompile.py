"""Compiles the code for reviews and hints in a separate process, at the start of a server or before its first use."""

from __future__ import annotations

from threading import Lock, Thread

from qwixx.coach.judges.judge import EXACT, Judge
from qwixx.jit import cache, tiering
from qwixx.jit.decorators import COMPILES, make_eager
from qwixx.nets.evaluate import action_values, state_value
from qwixx.precompile import SOLVER, TRAINING, Part

_JUDGES = (TRAINING, SOLVER)
"""The parts with the code of the judges, the most used first."""
_lock = Lock()
_compiling: set[str] = set()
"""The parts that are being compiled."""


def is_compiled_for(judge: Judge) -> bool:
    """Return whether a judge can be used without waiting for the compiler; if not, start to compile its code."""
    is_ready = _is_compiled(SOLVER if judge.source == EXACT else TRAINING)
    if is_ready and COMPILES:
        make_eager(action_values, state_value)  # interpreted code in a thread would slow down the event loop
    return is_ready


def are_judges_compiled() -> bool:
    """
    Return whether reviews need not wait for the compiler; if they have to, start to compile the code.

    The code of the nets counts. Exact values need a table that was solved here, with compiled code.
    """
    return _is_compiled(TRAINING)


def compile_judges() -> None:
    """Compile the code of all judges, one part after the other, and wait for it."""
    for part in _JUDGES:
        if _begins(part):
            _compile(part.folder)


def _is_compiled(part: Part) -> bool:
    if not _has_to_wait(part):
        return True
    if _begins(part):
        Thread(target=_compile, args=(part.folder,), name="qwixx-compiling", daemon=True).start()
    return False


def _has_to_wait(part: Part) -> bool:
    """Without a compiler, or without a cache of compiled code, there is nothing to wait for."""
    return COMPILES and cache.cache_root() is not None and part.is_uncached


def _begins(part: Part) -> bool:
    """Note that a part is being compiled from now on, if it has to be and is not yet."""
    if not _has_to_wait(part):
        return False
    with _lock:
        is_first = part.folder not in _compiling
        _compiling.add(part.folder)
    return is_first


def _compile(folder: str) -> None:
    tiering.compile_in_subprocess([folder])
    with _lock:
        _compiling.discard(folder)  # after a failure, the next request tries again
