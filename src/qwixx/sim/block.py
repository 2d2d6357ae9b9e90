"""A block of consecutive games: the unit of work that a thread, a process or another machine plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import MENU, STATE, Records
from qwixx.players import Registered
from qwixx.players.batched_games import BatchedGames
from qwixx.players.built_in.levels import seat_kind
from qwixx.players.built_in.master import net_of
from qwixx.players.built_in.optimal import OPTIMAL, SolitaireGames
from qwixx.players.game_loop import play_block
from qwixx.players.heuristics import HeuristicPlayer
from qwixx.players.net_games import NetFollower, NetGames
from qwixx.sim import fast_path
from qwixx.sim.lineup import Bot, player_named, seating_tables
from qwixx.sim.lucky_pads import deal, pads_of
from qwixx.sim.tally import Tally
from qwixx.variants.features import features_of
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Pad, Variant

Engine = Callable[[np.uint64, int, Records], None]
"""Plays consecutive games of a run: called with the seed, the first number and an array for the results."""
_AT_ONCE = 2048
"""Games whose results are kept before they are counted: few enough to fit into the CPU cache."""


@dataclass(frozen=True, slots=True)
class Block:
    """Games `first` to `first + count - 1` of a run. It holds all that a worker needs to play them."""

    variant: Variant
    bots: tuple[Bot, ...]
    rotate: bool
    seed: int
    first: int
    count: int
    lucky: Pad | None = None
    """Longo: the lucky numbers of all seats, None if the pads are drawn at random."""
    seconds: float | None = None
    """How long a custom player may take for a decision, None for the default."""

    @property
    def players(self) -> list[Registered]:
        """The players of the lineup."""
        return [player_named(bot) for bot in self.bots]

    @property
    def uses_fast_path(self) -> bool:
        """Whether the fast path supports the sheet, and all players are heuristics without randomness."""
        is_known = features_of(compile_layout(self.variant)) <= fast_path.FEATURES
        return is_known and all(
            isinstance(player, HeuristicPlayer) and player.is_deterministic(self.variant) for player in self.seated
        )

    @property
    def seated(self) -> list[HeuristicPlayer | NetFollower | None]:
        """The kind of each player at this table: see `seat_kind`."""
        return [seat_kind(player, self.variant, len(self.bots)) for player in self.players]


def play(block: Block) -> Tally:
    """Play a block and count it. Threads run in parallel: compiled code releases the interpreter lock."""
    seats = len(block.bots)
    tables = seats if block.rotate else 1
    tally = Tally.empty(seats)
    seed = np.uint64(block.seed)
    play_games = engine_for(block)
    room: Records = np.zeros(min(_AT_ONCE, block.count), RESULT)
    for first in range(block.first, block.first + block.count, _AT_ONCE):
        results = room[: block.first + block.count - first]
        play_games(seed, first, results)
        tally.add_games(results, seats, first, tables)
    return tally


def engine_for(block: Block) -> Engine:
    """Choose the engine that plays a block: the fastest one that supports its players."""
    if block.players == [OPTIMAL]:
        alone = SolitaireGames(block.variant, pads_of(block.variant, block.lucky))
        if alone.can_play:
            return _solitaire_engine(block, alone)
    known = [player for player in block.seated if player is not None]
    if len(known) < len(block.bots):
        return batched_engine(block)
    heuristics = [player for player in known if isinstance(player, HeuristicPlayer)]
    return _heuristic_engine(block, heuristics) if len(heuristics) == len(known) else _net_engine(block, known)


def batched_engine(block: Block) -> Engine:
    """Return the engine that supports all players."""
    pads = pads_of(block.variant, block.lucky)
    variant = deal(block.variant, block.lucky)
    return BatchedGames(variant, block.players, rotate=block.rotate, pads=pads, seconds=block.seconds).play


def _solitaire_engine(block: Block, alone: SolitaireGames) -> Engine:
    layouts = compile_layout(deal(block.variant, block.lucky))

    def play_solitaires(seed: np.uint64, first: int, results: Records) -> None:
        alone.play(layouts, seed, first, results)

    return play_solitaires


def _net_engine(block: Block, players: list[HeuristicPlayer | NetFollower]) -> Engine:
    net = net_of(block.variant, len(players))
    return NetGames(deal(block.variant, block.lucky), net, players, rotate=block.rotate).play


def _heuristic_engine(block: Block, players: list[HeuristicPlayer]) -> Engine:
    seats = len(players)
    layouts = compile_layout(deal(block.variant, block.lucky))
    tables = seating_tables(block.variant, players, rotate=block.rotate)
    states: Records = np.zeros(1, STATE)
    menus: Records = np.zeros(1, MENU)
    no_starts: Records = np.zeros(0, STATE)

    def play_fast(seed: np.uint64, first: int, results: Records) -> None:
        fast_path.play_block(layouts, states, seats, tables, seed, first, results)

    def play_steps(seed: np.uint64, first: int, results: Records) -> None:
        play_block(layouts, states, seats, tables, seed, first, results, menus, no_starts)

    return play_fast if block.uses_fast_path else play_steps
