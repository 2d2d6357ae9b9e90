"""The player that takes a random legal action."""

from __future__ import annotations

from qwixx.players.heuristic_policy import ALWAYS
from qwixx.players.heuristics import BOARD, CARDS, PAPER, HeuristicPlayer

RANDOM = HeuristicPlayer(
    "random",
    "any legal action with the same probability",
    {kind: {"slips": ALWAYS} for kind in (PAPER, BOARD, CARDS)},
)
PLAYERS = (RANDOM,)
