"""The default heuristic on the duel's board and with cards."""

from __future__ import annotations

from qwixx.players.heuristics import BOARD, CARDS, HeuristicPlayer

WEIGHTS = {
    "most_skipped": 2,
    "most_skipped_or_miss": 6,
    "lock": 3,
    "capture": 2,
    "stack": 1,
    "cross": 3,
    "miss": 8,
    "reach": 4,
}
GREEDY = HeuristicPlayer("greedy", "many crosses and few skipped cells", {BOARD: WEIGHTS, CARDS: WEIGHTS})
PLAYERS = (GREEDY,)
