"""
The simple players: what each of them likes, as one record of weights.

Weights are counted in cells: a weight of three means "worth skipping three cells for".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from qwixx.kernel.records import SEATS, Records, record_type, type_int

PLAYER: Final = record_type(
    [
        ("by_lot", type_int),  # 1: takes any legal action with the same chance, whatever the weights say
        ("most_skipped", type_int),  # passes rather than skip more cells than this
        ("most_skipped_or_miss", type_int),  # the same where passing means a miss (C6)
        ("lock", type_int),  # closing a row (C7)
        ("effect", type_int),  # a boxed or paired cell (BA2, BB1)
        ("capture", type_int),  # duel: capturing a pawn (D3)
        ("stack", type_int),  # duel: a stack, which nobody can capture (D4)
        ("cross", type_int),  # cards: a cross of a play (K5)
        ("miss", type_int),  # cards: not taking a miss (K6)
        ("reach", type_int),  # cards: numbers further away than this are of no use in the hand (K3)
    ]
)
"""A simple player as the kernel reads it."""
TABLE: Final = record_type([("players", PLAYER, (SEATS,))])
"""Who sits on which seat."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A simple player: its name, its habit in a few words, the kinds of game it can play, and its weights."""

    name: str
    habit: str
    plays: frozenset[str]
    weights: dict[str, int]

    def record(self) -> Records:
        """Give the weights as the kernel reads them, in an array of one."""
        player: Records = np.zeros(1, PLAYER)
        for field, value in self.weights.items():
            player[field] = value
        return player


PAPER, BOARD, CARDS = "paper", "board", "cards"
"""Kinds of game: dice and a sheet each, the duel's shared board, the card game."""

RANDOM: Final = Bot("random", "any legal action with the same chance", frozenset({PAPER, BOARD, CARDS}), {"by_lot": 1})
GAP: Final = Bot(
    "gap",
    "the smallest gap, up to one skipped cell, and up to five rather than a miss",
    frozenset({PAPER}),
    {"most_skipped": 1, "most_skipped_or_miss": 5, "lock": 3, "effect": 1},
)
GREEDY: Final = Bot(
    "greedy",
    "many crosses and few skipped cells",
    frozenset({BOARD, CARDS}),
    {
        "most_skipped": 2,
        "most_skipped_or_miss": 6,
        "lock": 3,
        "capture": 2,
        "stack": 1,
        "cross": 3,
        "miss": 8,
        "reach": 4,
    },
)
BOTS: Final = {bot.name: bot for bot in (RANDOM, GAP, GREEDY)}
"""All simple players by name."""
