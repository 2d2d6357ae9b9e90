"""The solver's own compilation, so that nobody wonders why the first solve is slow to start."""

from __future__ import annotations

from pathlib import Path

from qwixx.kernel import jit

_ROOM = Path(__file__).parent


def is_cold() -> bool:
    """Whether the first solve will have to wait for the compiler."""
    return jit.is_cold(_ROOM)


def mark_warm() -> None:
    """Note that the solver has been compiled."""
    jit.mark_warm(_ROOM)
