"""Whole games of players that follow a net and of heuristic players: the same games as in `game_loop`, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qwixx.jit.decorators import eager_entry, kernel
from qwixx.kernel import flow
from qwixx.kernel.results import write_result
from qwixx.kernel.state.records import COLOR, MENU, OVER, SEATS, STATE, Ints, Record, Records
from qwixx.nets.feature_tables import feature_layout
from qwixx.nets.network import Floats, Net
from qwixx.nets.policy import decide
from qwixx.nets.scratch import SCRATCH, is_as_planned
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


@eager_entry
def _play_block(
    layouts: Records,
    inputs: Records,
    tables: Floats,
    layers: Records,
    scratches: Records,
    states: Records,
    menus: Records,
    seats: int,
    seatings: Records,
    followers: Ints,
    noises: Floats,
    starts: Records,
    seed: np.uint64,
    first_game: int,
    results: Records,
) -> None:
    """
    Fill `results` with one game each; seatings take turns with the games.

    Games start from the states of `starts`, which take turns too, if there are any; else with clean sheets.

    `followers` has for each seating a mask of the seats that follow the net, and `noises` the noise of each seat. Both
    kinds of players read the game itself and not a redacted copy: the inputs of the net hold nothing that is hidden
    from the seat.
    """
    layout = layouts[0]
    state = states[0]
    choices = np.zeros(SEATS, np.int32)
    for index in range(len(results)):
        game = first_game + index
        seating = game % len(seatings)
        luck = game_loop.begin_from(layout, states, seats, starts, seed, np.uint64(game))
        is_planned = False
        scratches[0].luck = luck
        scratches[0].noise[:] = noises[seating]
        while state.phase != OVER:
            if state.waiting == 0:
                flow.roll(layout, state, None)
                continue
            asked = state.waiting
            following = asked & followers[seating]
            if following and is_planned and state.phase == COLOR and is_as_planned(seats, scratches[0], choices):
                choices[state.active] = scratches[0].plan[1]
            elif following:
                is_planned = asked == flow.asked(layout, state)  # in a half decided window some have chosen already
                decide(layout, inputs[0], tables, layers[0], state, scratches[0], following, choices)
            for seat in range(seats):
                if (asked & ~following) >> seat & 1:
                    choices[seat] = _heuristic_choice(layout, state, seat, seatings[seating], luck, menus[0])
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
        self._layouts = compile_layout(variant)
        self._inputs = feature_layout(self._layouts)
        self._net = net.for_seats(seats)
        self._seats = seats
        self._seatings: Records = np.zeros(seats if rotate else 1, SEATING)
        self._followers = np.zeros(len(self._seatings), np.int32)
        self._noises = np.zeros((len(self._seatings), SEATS), np.float32)
        for table in range(len(self._seatings)):
            for seat in range(seats):
                player = players[player_of(seat, table, seats)]
                if isinstance(player, HeuristicPlayer):
                    self._seatings["players"][table, seat] = player.record(variant)[0]
                else:
                    self._followers[table] |= 1 << seat
                    self._noises[table, seat] = player.noise

    def play(self, seed: np.uint64, first_game: int, results: Records, starts: Records | None = None) -> None:
        """Fill `results` with one game each; start from the states of `starts`, if there are any."""
        _play_block(
            self._layouts,
            self._inputs,
            self._net.tables,
            self._net.layers,
            np.zeros(1, SCRATCH),
            np.zeros(1, STATE),
            np.zeros(1, MENU),
            self._seats,
            self._seatings,
            self._followers,
            self._noises,
            np.zeros(0, STATE) if starts is None else starts,
            seed,
            first_game,
            results,
        )
