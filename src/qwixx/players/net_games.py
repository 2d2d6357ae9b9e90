"""Whole games of players that follow a net and of heuristic players: the same games as in `game_loop`, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from qwixx.jit.decorators import borrowed, eager_entry, kernel
from qwixx.kernel import flow
from qwixx.kernel.results import write_result
from qwixx.kernel.state.records import COLOR, OVER, SEATS, STATE, Ints, Record, Records
from qwixx.nets.feature_tables import load_net
from qwixx.nets.network import Floats, LoadedNet, Net, NetArrays
from qwixx.nets.policy import decide
from qwixx.nets.scratch import is_as_planned
from qwixx.players import game_loop
from qwixx.players.heuristics import SEATING, HeuristicPlayer
from qwixx.players.rotation import player_of
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant


@dataclass(frozen=True, slots=True)
class NetFollower:
    """A player that follows the net of its table."""

    noise: float = 0.0
    """The standard deviation of its errors when it evaluates positions, in logits; 0 for no errors."""


@kernel
def _heuristic_choice(layout: Record, state: Record, seat: int, table: Record, luck: np.uint64, menu: Record) -> int:
    return game_loop.choice_of(layout, state, seat, table, luck, menu)


class _Lineup(NamedTuple):
    """The players of a block of games, and the positions that the games start from."""

    seats: int
    seatings: Records
    """The heuristic players by seat. Seatings take turns with the games."""
    followers: Ints
    """For each seating a mask of the seats that follow the net."""
    noises: Floats
    """For each seating the noise of each seat."""
    starts: Records
    """The first states of games, which take turns, too; if there are none, games start with clean sheets."""


@eager_entry
def _play_block(
    arrays: NetArrays, lineup: _Lineup, states: Records, seed: np.uint64, first_game: int, results: Records
) -> None:
    """
    Fill `results` with one game each.

    Both kinds of players read the game itself and not a redacted copy: the inputs of the net hold nothing that is
    hidden from the seat.
    """
    net = LoadedNet(arrays.layouts[0], arrays.inputs[0], borrowed(arrays.tables), arrays.layers[0], arrays.scratches[0])
    layout, scratch = net.layout, net.scratch
    state = states[0]
    seats, menu = lineup.seats, scratch.option_menu
    choices = np.zeros(SEATS, np.int32)
    for index in range(len(results)):
        game = first_game + index
        seating = game % len(lineup.seatings)
        luck = game_loop.begin_from(layout, states, seats, lineup.starts, seed, np.uint64(game))
        is_planned = False
        scratch.luck = luck
        scratch.noise[:] = lineup.noises[seating]
        while state.phase != OVER:
            if state.waiting == 0:
                flow.roll(layout, state, None)
                continue
            asked = state.waiting
            following = asked & lineup.followers[seating]
            if following and is_planned and state.phase == COLOR and is_as_planned(seats, scratch, choices):
                choices[state.active] = scratch.plan[1]
            elif following:
                is_planned = asked == flow.asked(layout, state)  # in a half decided window some have chosen already
                decide(net, state, following, choices)
            for seat in range(seats):
                if (asked & ~following) >> seat & 1:
                    choices[seat] = _heuristic_choice(layout, state, seat, lineup.seatings[seating], luck, menu)
            for seat in range(seats):
                if asked >> seat & 1:
                    flow.decide(layout, state, seat, choices[seat], None)
        write_result(layout, state, results[index])


class NetGames:
    """Games of a line-up of heuristic players and of players that follow a net."""

    def __init__(
        self,
        variant: Variant,
        net: Net,
        players: Sequence[HeuristicPlayer | NetFollower],
        *,
        rotate: bool = True,
    ) -> None:
        """Seat the players; with `rotate` each player moves on one seat from game to game."""
        seats = len(players)
        self._arrays = load_net(compile_layout(variant), net, seats)
        self._lineup = lineup = _Lineup(
            seats,
            np.zeros(seats if rotate else 1, SEATING),
            np.zeros(seats if rotate else 1, np.int32),
            np.zeros((seats if rotate else 1, SEATS), np.float32),
            np.zeros(0, STATE),
        )
        for table in range(len(lineup.seatings)):
            for seat in range(seats):
                player = players[player_of(seat, table, seats)]
                if isinstance(player, HeuristicPlayer):
                    lineup.seatings["players"][table, seat] = player.record(variant)[0]
                else:
                    lineup.followers[table] |= 1 << seat
                    lineup.noises[table, seat] = player.noise

    def play(self, seed: np.uint64, first_game: int, results: Records, starts: Records | None = None) -> None:
        """Fill `results` with one game each; start from the states of `starts`, if there are any."""
        lineup = self._lineup if starts is None else self._lineup._replace(starts=starts)
        _play_block(self._arrays.with_scratch(), lineup, np.zeros(1, STATE), seed, first_game, results)
