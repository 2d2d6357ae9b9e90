"""The player who takes anything."""

from __future__ import annotations

from qwixx.players.weighing import ALWAYS
from qwixx.players.weights import BOARD, CARDS, PAPER, Weigher

RANDOM = Weigher(
    "random",
    "any legal action with the same chance",
    {kind: {"slips": ALWAYS} for kind in (PAPER, BOARD, CARDS)},
)
PLAYERS = (RANDOM,)
