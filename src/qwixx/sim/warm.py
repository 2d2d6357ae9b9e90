"""The simulator's own compilation, once, so that nobody wonders why the first run is slow to start."""

from __future__ import annotations

from pathlib import Path

from qwixx.kernel import jit
from qwixx.sim.run import simulate

_ROOM = Path(__file__).parent


def is_cold() -> bool:
    """Whether the first simulation will have to wait for the compiler."""
    return jit.is_cold(_ROOM)


def warm() -> None:
    """Play a game in each lane, so that both are compiled and kept."""
    for bot in ("gap", "random"):
        simulate("classic", 2, (bot,), 1)
    jit.mark_warm(_ROOM)
