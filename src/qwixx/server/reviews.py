"""What a finished game's decisions were worth: by whoever is at hand, and never for minutes."""

from __future__ import annotations

from threading import Lock, Thread

import msgspec

import qwixx
from qwixx.analysis import analyse, find_judge
from qwixx.analysis.judging import EXACT
from qwixx.errors import QwixxError
from qwixx.kernel import kept, takeover
from qwixx.kernel.jit import COMPILES
from qwixx.server import replays
from qwixx.server.room import Refused, Room
from qwixx.warm import SOLVER, TRAINING, Part

_lock = Lock()
_begun: set[str] = set()
"""The parts that somebody was asked to compile."""


def review(room: Room, lines: list[str]) -> bytes:
    """
    Analyse a finished game, as `qwixx analyse --json` does.

    Raises `Refused` where nobody at hand knows the game, and as long as what that takes is still being compiled.
    """
    text = replays.record(room, lines)
    try:
        judge = find_judge(qwixx.Game.from_record(text), at_hand=True)
    except QwixxError:
        raise Refused("no-judge") from None
    check_compiled(SOLVER if judge.source == EXACT else TRAINING)
    return msgspec.json.encode(analyse(text, by=judge).to_dict())


def check_compiled(part: Part) -> None:
    """Have a part compiled by a process of its own before its first use: no table shall wait for the compiler."""
    if not COMPILES or kept.base() is None or not part.is_cold:
        return
    with _lock:
        is_first = part.folder not in _begun
        _begun.add(part.folder)
    if is_first:
        Thread(target=takeover.compile_elsewhere, args=([part.folder],), name="qwixx-reviews", daemon=True).start()
    raise Refused("busy")
