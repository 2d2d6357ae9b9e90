"""What a net is worth beside players that everybody knows: one seat follows the net, the others weigh."""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel.records import MENU, STATE, Records
from qwixx.kernel.results import RESULT
from qwixx.learn.inputs import lay_out
from qwixx.learn.net import Net
from qwixx.learn.turn import BENCH
from qwixx.players import find
from qwixx.players.learned import play_block
from qwixx.players.seating import seat_of
from qwixx.players.weights import SEATING, Weigher
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant

YARDSTICKS: Final = ("gap:1", "gap:2", "greedy")
_SEED: Final = np.uint64(0x9A2D)
"""Games of the yardsticks are the same for every net, so that nets can be compared."""


def yardsticks_of(variant: Variant, seats: int) -> tuple[str, ...]:
    """Name the yardsticks that can play a game."""
    return tuple(name for name in YARDSTICKS if find(name).plays(variant, seats))


def win_share(variant: Variant, seats: int, net: Net, yardstick: str, games: int) -> float:
    """Let a net play against a yardstick on all other seats, taking every seat in turn; a shared win counts in part."""
    weigher = find(yardstick)
    assert isinstance(weigher, Weigher)
    layouts = compile_layout(variant)
    seatings: Records = np.zeros(seats, SEATING)
    seatings["players"] = weigher.record(variant)
    own_seats = np.array([seat_of(0, table, seats) for table in range(seats)])
    results: Records = np.zeros(games, RESULT)
    play_block(
        layouts,
        lay_out(layouts),
        net.tables,
        net.layers,
        np.zeros(1, BENCH),
        np.zeros(1, STATE),
        np.zeros(1, MENU),
        seats,
        seatings,
        (1 << own_seats).astype(np.int32),
        _SEED,
        0,
        results,
    )
    scores = results["score"][:, :seats]
    won = scores == scores.max(axis=1, keepdims=True)
    own = own_seats[np.arange(games) % seats]
    return float((won[np.arange(games), own] / won.sum(axis=1)).mean())
