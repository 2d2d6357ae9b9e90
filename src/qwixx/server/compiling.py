"""What a server needs compiled beside the games: compiled by a process of its own before its first use."""

from __future__ import annotations

from threading import Lock, Thread

from qwixx.kernel import kept, takeover
from qwixx.kernel.jit import COMPILES
from qwixx.warm import Part

_lock = Lock()
_at_work: set[str] = set()
"""The parts that are being compiled."""


def is_compiled(part: Part) -> bool:
    """
    Tell whether a part can be used without waiting for the compiler; if not, have it compiled.

    Where nothing is ever compiled, or nothing that was can be kept, there is nothing to wait for.
    """
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
