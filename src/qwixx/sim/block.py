"""A block of consecutive games: the unit of work that a thread, a process or another machine plays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qwixx.kernel.loops import RESULT, play_block
from qwixx.kernel.records import MENU, STATE, Records
from qwixx.sim import fused
from qwixx.sim.lineup import find_bot, seated
from qwixx.sim.tally import Tally
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant

_AT_ONCE = 2048
"""Games whose results are kept before they are counted up: few enough to stay close to the processor."""


@dataclass(frozen=True, slots=True)
class Block:
    """Games `first` to `first + count - 1` of a run. It says all that is needed to play them, anywhere."""

    variant: Variant
    bots: tuple[str, ...]
    rotate: bool
    seed: int
    first: int
    count: int

    @property
    def is_fused(self) -> bool:
        """Whether the fast lane can play it: sheets and dice, and nobody who draws lots."""
        is_paper = not (self.variant.is_cards or self.variant.is_duel)
        return is_paper and not any(find_bot(name).weights.get("by_lot") for name in self.bots)


def play(block: Block) -> Tally:
    """Play a block and count it up. Threads do not wait for one another: the kernel releases the interpreter lock."""
    seats = len(block.bots)
    layouts = compile_layout(block.variant)
    tables = seated(block.bots, rotate=block.rotate)
    states: Records = np.zeros(1, STATE)
    menus: Records = np.zeros(1, MENU)
    tally = Tally.empty(seats)
    seed = np.uint64(block.seed)
    room: Records = np.zeros(min(_AT_ONCE, block.count), RESULT)
    for first in range(block.first, block.first + block.count, _AT_ONCE):
        results = room[: block.first + block.count - first]
        if block.is_fused:
            fused.play_block(layouts, states, seats, tables, seed, first, results)
        else:
            play_block(layouts, states, seats, tables, seed, first, results, menus, None)
        tally.add_games(results, seats, first, len(tables))
    return tally
