"""
What happened, in the order it happened: the kernel tells it while it resolves.

A trail is an array of 32-bit integers. Its first entry counts what is used; each note takes four: its kind, a
seat and two details. `qwixx.events` turns notes into words. Where nobody listens, None stands for a trail, and
the compiler leaves out all telling.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel.jit import kernel
from qwixx.kernel.records import Ints

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
) = range(22)

Trail = Ints | None
"""A trail, or None where nobody listens."""

NOTE: Final = 4
PACK: Final = 100
"""Up to three cards stand in one note: each is its code and one more, which is smaller than this."""
_LONGEST: Final = 1 + NOTE * 512
"""Five seats, each with the longest chain of bonuses, need less than half of this."""


def new_trail() -> Ints:
    """Make an empty trail."""
    trail = np.zeros(_LONGEST, np.int32)
    trail[0] = 1
    return trail


@kernel
def clear(trail: Trail) -> None:
    """Forget what happened before."""
    if trail is not None:
        trail[0] = 1


@kernel
def note(trail: Trail, kind: int, seat: int, detail: int, more: int) -> None:
    """Write down one thing that happened."""
    if trail is None:
        return
    at = trail[0]
    trail[at] = kind
    trail[at + 1] = seat
    trail[at + 2] = detail
    trail[at + 3] = more
    trail[0] = at + NOTE
