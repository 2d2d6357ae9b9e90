"""The three levels that a table offers: the rule of thumb of each game, with more or less care."""

from __future__ import annotations

from qwixx.players.house import gap, greedy
from qwixx.players.weights import BOARD, CARDS, PAPER, Weigher

_THUMB = {PAPER: gap.WEIGHTS, BOARD: greedy.WEIGHTS, CARDS: greedy.WEIGHTS}


def _level(name: str, slips: int, habit: str) -> Weigher:
    return Weigher(name, habit, {kind: {**weights, "slips": slips} for kind, weights in _THUMB.items()})


PLAYERS = (
    _level("easy", 35, "the rule of thumb, and anything at all in 35 of 100 decisions"),
    _level("normal", 12, "the rule of thumb, and anything at all in 12 of 100 decisions"),
    _level("strong", 0, "the rule of thumb: gap on sheets, greedy on the board and with cards"),
)
