"""The simulator's own compilation, once, so that nobody wonders why the first run is slow to start."""

from __future__ import annotations

from pathlib import Path

from qwixx import solve
from qwixx.kernel.jit import COMPILED, cache_directory
from qwixx.sim.run import simulate

_ROOM = Path(__file__).parent
_SOLVER = Path(solve.__file__).parent
_COMPLETE = "complete"


def is_cold() -> bool:
    """Whether the first simulation will have to wait for the compiler."""
    directory = cache_directory(_ROOM) if COMPILED else None
    return COMPILED and (directory is None or not (directory / _COMPLETE).exists())


def is_optimal_cold() -> bool:
    """Whether the optimal player will have to wait for the compiler."""
    directory = cache_directory(_SOLVER) if COMPILED else None
    return COMPILED and (directory is None or not (directory / _COMPLETE).exists())


def mark_optimal_warm() -> None:
    """Note that the optimal player has been compiled."""
    directory = cache_directory(_SOLVER) if COMPILED else None
    if directory is not None:
        (directory / _COMPLETE).touch()


def warm() -> None:
    """Play a game in each lane, so that both are compiled and kept."""
    for bot in ("gap", "random"):
        simulate("classic", 2, (bot,), 1)
    directory = cache_directory(_ROOM) if COMPILED else None
    if directory is not None:
        (directory / _COMPLETE).touch()
