"""A block of consecutive games: the unit of work that a thread, a process or another machine plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qwixx.kernel.loops import RESULT, play_block
from qwixx.kernel.records import MENU, STATE, Records
from qwixx.sim import fused
from qwixx.sim.lineup import OPTIMAL, find_bot, seated
from qwixx.sim.optimal import OptimalGames
from qwixx.sim.pads import Pair, deal
from qwixx.sim.tally import Tally
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant

Lane = Callable[[np.uint64, int, Records], None]
"""Plays games of a run, from a number on, as many as there is room for results."""
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
    lucky: Pair | None = None
    """Longo: the lucky numbers of everybody, None if the pads are dealt by lot."""

    @property
    def is_fused(self) -> bool:
        """Whether the fast lane can play it: sheets and dice, and nobody who draws lots."""
        is_paper = not (self.variant.is_cards or self.variant.is_duel)
        return is_paper and not any(find_bot(name).weights.get("by_lot") for name in self.bots)


def play(block: Block) -> Tally:
    """Play a block and count it up. Threads do not wait for one another: the kernel releases the interpreter lock."""
    seats = len(block.bots)
    tables = seats if block.rotate else 1
    tally = Tally.empty(seats)
    seed = np.uint64(block.seed)
    play_games = _lane(block)
    room: Records = np.zeros(min(_AT_ONCE, block.count), RESULT)
    for first in range(block.first, block.first + block.count, _AT_ONCE):
        results = room[: block.first + block.count - first]
        play_games(seed, first, results)
        tally.add_games(results, seats, first, tables)
    return tally


def _lane(block: Block) -> Lane:
    """Choose the loop that plays a block: the optimal player's own, the fast lane, or the kernel step by step."""
    if OPTIMAL in block.bots:
        return OptimalGames(block.variant, block.bots, rotate=block.rotate, lucky=block.lucky).play
    seats = len(block.bots)
    layouts = compile_layout(deal(block.variant, block.lucky))
    tables = seated(block.bots, rotate=block.rotate)
    states: Records = np.zeros(1, STATE)
    menus: Records = np.zeros(1, MENU)

    def play_fused(seed: np.uint64, first: int, results: Records) -> None:
        fused.play_block(layouts, states, seats, tables, seed, first, results)

    def play_steps(seed: np.uint64, first: int, results: Records) -> None:
        play_block(layouts, states, seats, tables, seed, first, results, menus, None)

    return play_fused if block.is_fused else play_steps
