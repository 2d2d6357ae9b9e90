"""A block of consecutive games: the unit of work that a thread, a process or another machine plays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qwixx.kernel.loops import RESULT, play_block
from qwixx.kernel.records import MENU, STATE, Records
from qwixx.sim.lineup import seated
from qwixx.sim.tally import Tally
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant

_AT_ONCE = 8192
"""Games whose results are kept before they are counted up."""


@dataclass(frozen=True, slots=True)
class Block:
    """Games `first` to `first + count - 1` of a run. It says all that is needed to play them, anywhere."""

    variant: Variant
    bots: tuple[str, ...]
    rotate: bool
    seed: int
    first: int
    count: int


def play(block: Block) -> Tally:
    """Play a block and count it up. Threads do not wait for one another: the kernel releases the interpreter lock."""
    seats = len(block.bots)
    layouts = compile_layout(block.variant)
    tables = seated(block.bots, rotate=block.rotate)
    states: Records = np.zeros(1, STATE)
    menus: Records = np.zeros(1, MENU)
    tally = Tally.empty(seats)
    for first in range(block.first, block.first + block.count, _AT_ONCE):
        games = min(_AT_ONCE, block.first + block.count - first)
        results: Records = np.zeros(games, RESULT)
        play_block(layouts, states, seats, tables, np.uint64(block.seed), first, results, menus, None)
        tally.add_games(results, seats, first, len(tables))
    return tally
