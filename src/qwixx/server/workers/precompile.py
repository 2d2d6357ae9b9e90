"""What a server needs compiled beside the games: compiled by a process of its own before its first use."""

from __future__ import annotations

from threading import Lock, Thread

from qwixx.analysis.judging import EXACT, Judge
from qwixx.kernel import kept, takeover
from qwixx.kernel.jit import COMPILES
from qwixx.warm import SOLVER, TRAINING

_lock = Lock()
_at_work: set[str] = set()
"""The parts that are being compiled."""


def is_compiled_for(judge: Judge) -> bool:
    """
    Tell whether a judge can be asked without waiting for the compiler; if not, have what it takes compiled.

    Where nothing is ever compiled, or nothing that was can be kept, there is nothing to wait for.
    """
    part = SOLVER if judge.source == EXACT else TRAINING
    if not COMPILES or kept.base() is None or not part.is_cold:
        return True
    with _lock:
        is_first = part.folder not in _at_work
        _at_work.add(part.folder)
    if is_first:
        Thread(target=_compile, args=(part.folder,), name="qwixx-compiling", daemon=True).start()
    return False


def _compile(folder: str) -> None:
    takeover.compile_elsewhere([folder])
    with _lock:
        _at_work.discard(folder)  # if it failed, whoever asks next has it tried again
