"""
The event log: the kernel writes each event while it resolves a decision.

A log is an array of 32-bit integers. Its first entry is the used length; each event takes four: its kind, a seat and
two details. `qwixx.game.events` turns them into objects. Callers that need no events pass None, and the compiler leaves
out all logging.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel.state.records import Ints

(
    ROLLED,
    DEALT,
    SHUFFLED,
    DECIDED,
    CROSSED,
    LOCKED,
    BONUS,
    LOST,
    PAIR,
    PLAYED,
    TOOK,
    NUMBER_SHOWN,
    PLACED,
    CAPTURED,
    STACKED,
    CLOSED,
    DIE_LEFT,
    STRUCK,
    MISSED,
    GAME_OVER,
    TURN_BEGAN,
    PHASE_BEGAN,
    EXCHANGED,
    SECOND,
    LINK,
    SMALL,
    BONUS_CELL,
    TRACKED,
) = range(28)

EventLog = Ints | None
"""A log, or None where no events are needed."""

EVENT_SIZE: Final = 4
PACK: Final = 100
"""The base in which up to three cards are packed into one detail, each as its code plus 1."""
_MAX_SIZE: Final = 1 + EVENT_SIZE * 512
"""More than double the need of five seats, each with the longest chain of bonuses."""


def new_log() -> Ints:
    """Return an empty log."""
    log = np.zeros(_MAX_SIZE, np.int32)
    log[0] = 1
    return log


@kernel
def clear_log(log: EventLog) -> None:
    """Remove all events."""
    if log is not None:
        log[0] = 1


@kernel
def append_event(log: EventLog, kind: int, seat: int, detail: int, more: int) -> None:
    """Append one event; do nothing without a log."""
    if log is None:
        return
    at = log[0]
    log[at] = kind
    log[at + 1] = seat
    log[at + 2] = detail
    log[at + 3] = more
    log[0] = at + EVENT_SIZE
