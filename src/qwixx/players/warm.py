"""The players' own compilation, once, so that nobody wonders why the first decision of a bot takes so long."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from qwixx.game import Game
from qwixx.kernel import jit
from qwixx.kernel.results import RESULT
from qwixx.players.registry import find
from qwixx.players.side_by_side import SideBySide

_ROOM = Path(__file__).parent


def is_cold() -> bool:
    """Whether the first player to decide will have to wait for the compiler."""
    return jit.is_cold(_ROOM)


def warm() -> None:
    """Let a player who weighs answer one question, and play a game side by side with another."""
    game = Game("classic", 2, seed=1, first=0)
    game.roll()
    find("easy").sit(game.variant, 2).answer(game.question(0))
    SideBySide(game.variant, [find("easy"), find("random")]).play(np.uint64(1), 0, np.zeros(1, RESULT))
    jit.mark_warm(_ROOM)
