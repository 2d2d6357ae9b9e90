"""A block of consecutive games: the unit of work that a thread, a process or another machine plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qwixx.kernel.records import MENU, STATE, Records
from qwixx.kernel.results import RESULT
from qwixx.players import Registered
from qwixx.players.house.master import MASTER, net_of
from qwixx.players.house.optimal import OPTIMAL, Solitaires
from qwixx.players.learned import Company
from qwixx.players.loops import play_block
from qwixx.players.side_by_side import SideBySide
from qwixx.players.weights import Weigher
from qwixx.sim import fused
from qwixx.sim.lineup import Bot, player_named, seated
from qwixx.sim.pads import deal, pads_of
from qwixx.sim.tally import Tally
from qwixx.variants.compile import compile_layout
from qwixx.variants.features import features_of
from qwixx.variants.model import Pad, Variant

Lane = Callable[[np.uint64, int, Records], None]
"""Plays games of a run, from a number on, as many as there is room for results."""
_AT_ONCE = 2048
"""Games whose results are kept before they are counted up: few enough to stay close to the processor."""


@dataclass(frozen=True, slots=True)
class Block:
    """Games `first` to `first + count - 1` of a run. It says all that is needed to play them, anywhere."""

    variant: Variant
    bots: tuple[Bot, ...]
    rotate: bool
    seed: int
    first: int
    count: int
    lucky: Pad | None = None
    """Longo: the lucky numbers of everybody, None if the pads are dealt by lot."""
    seconds: float | None = None
    """How long a player of one's own may take for a decision, None for the usual time."""

    @property
    def players(self) -> list[Registered]:
        """The players of the line-up."""
        return [player_named(bot) for bot in self.bots]

    @property
    def is_fused(self) -> bool:
        """Whether the fast lane knows all that the sheet has, and everybody weighs cells and never draws lots."""
        is_known = features_of(compile_layout(self.variant)) <= fused.FEATURES
        return is_known and all(
            isinstance(player, Weigher) and player.never_slips(self.variant) for player in self.players
        )


def play(block: Block) -> Tally:
    """Play a block and count it up. Threads do not wait for one another: the kernel releases the interpreter lock."""
    seats = len(block.bots)
    tables = seats if block.rotate else 1
    tally = Tally.empty(seats)
    seed = np.uint64(block.seed)
    play_games = lane_of(block)
    room: Records = np.zeros(min(_AT_ONCE, block.count), RESULT)
    for first in range(block.first, block.first + block.count, _AT_ONCE):
        results = room[: block.first + block.count - first]
        play_games(seed, first, results)
        tally.add_games(results, seats, first, tables)
    return tally


def lane_of(block: Block) -> Lane:
    """Choose the loop that plays a block: the fastest that knows its players."""
    players = block.players
    if players == [OPTIMAL]:
        alone = Solitaires(block.variant, pads_of(block.variant, block.lucky))
        if alone.can_play:
            return _alone(block, alone)
    weighers = [player for player in players if isinstance(player, Weigher)]
    if len(weighers) == len(players):
        return _weighing(block, weighers)
    if len(weighers) + players.count(MASTER) == len(players):
        return _learned(block)
    return side_by_side(block)


def side_by_side(block: Block) -> Lane:
    """Give the lane that knows all players."""
    pads = pads_of(block.variant, block.lucky)
    variant = deal(block.variant, block.lucky)
    return SideBySide(variant, block.players, rotate=block.rotate, pads=pads, seconds=block.seconds).play


def _alone(block: Block, alone: Solitaires) -> Lane:
    layouts = compile_layout(deal(block.variant, block.lucky))

    def play_alone(seed: np.uint64, first: int, results: Records) -> None:
        alone.play(layouts, seed, first, results)

    return play_alone


def _learned(block: Block) -> Lane:
    net = net_of(block.variant, len(block.bots))
    weighers = [player if isinstance(player, Weigher) else None for player in block.players]
    return Company(deal(block.variant, block.lucky), net, weighers, rotate=block.rotate).play


def _weighing(block: Block, players: list[Weigher]) -> Lane:
    seats = len(players)
    layouts = compile_layout(deal(block.variant, block.lucky))
    tables = seated(block.variant, players, rotate=block.rotate)
    states: Records = np.zeros(1, STATE)
    menus: Records = np.zeros(1, MENU)

    def play_fused(seed: np.uint64, first: int, results: Records) -> None:
        fused.play_block(layouts, states, seats, tables, seed, first, results)

    def play_steps(seed: np.uint64, first: int, results: Records) -> None:
        play_block(layouts, states, seats, tables, seed, first, results, menus, None)

    return play_fused if block.is_fused else play_steps
