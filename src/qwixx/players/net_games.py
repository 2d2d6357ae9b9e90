"""Whole games in which some seats follow a net and the others weigh: the games of `players.loops`, number by number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qwixx.kernel import flow, rng
from qwixx.kernel.jit import bulk, kernel
from qwixx.kernel.records import COLOR, MENU, OVER, SEATS, STATE, Ints, Record, Records
from qwixx.kernel.results import write_result
from qwixx.learn.bench import BENCH, is_as_planned
from qwixx.learn.deciding import decide
from qwixx.learn.net import HIDDEN, LAYERS, Floats, Net
from qwixx.learn.tables import INPUTS, lay_out
from qwixx.players import loops
from qwixx.players.seating import player_of
from qwixx.players.weights import SEATING, Weigher
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant

_NO_NET = Net(np.zeros((1, HIDDEN), np.float32), np.zeros(1, LAYERS))
"""Stands where nobody follows a net."""


@kernel
def _weigh(layout: Record, state: Record, seat: int, table: Record, luck: np.uint64, menu: Record) -> int:
    return loops.choice_of(layout, state, seat, table, luck, menu)


@bulk
def _play_block(
    layouts: Records,
    inputs: Records,
    tables: Floats,
    layers: Records,
    benches: Records,
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
    Play as many games as there is room for results; seatings take turns with the games.

    Games begin at the states of `starts`, which take turns too, if there are any; else with clean sheets.

    `followers` says for each seating which seats follow the net, as a mask, and `noises` how far each of them misjudges
    what it weighs. They look at the game itself and not at a redacted copy, as the others do: what the net is asked
    about is open to everybody.
    """
    layout = layouts[0]
    state = states[0]
    choices = np.zeros(SEATS, np.int32)
    for index in range(len(results)):
        game = first_game + index
        seating = game % len(seatings)
        if len(starts):
            states[0] = starts[game % len(starts)]
            rng.seed_stream(state, seed, np.uint64(game))
            luck = rng.luck_of(seed, np.uint64(game))
        else:
            luck = loops.begin(layout, state, seats, seed, np.uint64(game))
        is_planned = False
        benches[0].luck = luck
        benches[0].noise[:] = noises[seating]
        while state.phase != OVER:
            if state.waiting == 0:
                flow.roll(layout, state, None)
                continue
            asked = state.waiting
            following = asked & followers[seating]
            if following and is_planned and state.phase == COLOR and is_as_planned(seats, benches[0], choices):
                choices[state.active] = benches[0].plan[1]
            elif following:
                is_planned = asked == flow.asked(layout, state)  # in a window half open some have chosen already
                decide(layout, inputs[0], tables, layers[0], state, benches[0], following, choices)
            for seat in range(seats):
                if (asked & ~following) >> seat & 1:
                    choices[seat] = _weigh(layout, state, seat, seatings[seating], luck, menus[0])
            for seat in range(seats):
                if asked >> seat & 1:
                    flow.decide(layout, state, seat, choices[seat], None)
        write_result(layout, state, results[index])


class Company:
    """A line-up of players who weigh and of some who follow a net: in their place stands how far they misjudge it."""

    def __init__(
        self, variant: Variant, net: Net | None, players: Sequence[Weigher | float], *, rotate: bool = True
    ) -> None:
        """
        Seat the players; with `rotate` everybody moves on one seat from game to game.

        Without a net all of them weigh.

        A number is the standard deviation of what a follower of the net takes positions to be worth, in logits; 0 for
        one who never errs.
        """
        seats = len(players)
        self._layouts = compile_layout(variant)
        self._inputs: Records = np.zeros(1, INPUTS) if net is None else lay_out(self._layouts)
        self._net = _NO_NET if net is None else net.for_seats(seats)
        self._seats = seats
        self._seatings: Records = np.zeros(seats if rotate else 1, SEATING)
        self._followers = np.zeros(len(self._seatings), np.int32)
        self._noises = np.zeros((len(self._seatings), SEATS), np.float32)
        for table in range(len(self._seatings)):
            for seat in range(seats):
                player = players[player_of(seat, table, seats)]
                if isinstance(player, Weigher):
                    self._seatings["players"][table, seat] = player.record(variant)[0]
                else:
                    self._followers[table] |= 1 << seat
                    self._noises[table, seat] = player

    def play(self, seed: np.uint64, first_game: int, results: Records, starts: Records | None = None) -> None:
        """Play as many games as there is room for results; from the states of `starts` on, if there are any."""
        _play_block(
            self._layouts,
            self._inputs,
            self._net.tables,
            self._net.layers,
            np.zeros(1, BENCH),
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
