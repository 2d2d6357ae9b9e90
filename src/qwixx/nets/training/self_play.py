"""Self-play: games of a net against itself, stored as the positions that it evaluates, for the updates."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from qwixx.jit.decorators import borrowed, eager_entry, inlined, kernel
from qwixx.kernel import flow
from qwixx.kernel.afterstates import state_after
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import (
    CARDS,
    COLOR,
    DRAW,
    OVER,
    PLAY,
    ROLL,
    SEATS,
    STATE,
    Ints,
    Record,
    Records,
)
from qwixx.nets.hand_features import DRAWN, NUMBER_OVER, TURN
from qwixx.nets.network import LoadedNet, NetArrays
from qwixx.nets.policy import decide
from qwixx.nets.scratch import AFTER_TURN, POSITION, is_as_planned, store_position

PER_MILLE: Final = 1000
_TURNS_STORED: Final = 60
"""Turns for which there is memory, for each game on average."""


@inlined
def _store_if_room(layout: Record, state: Record, positions: Records, stored: int, game: int, kind: int) -> int:
    """Store a position if there is room; return the number of stored positions."""
    if stored < len(positions):
        store_position(layout, state, positions[stored], game, kind)
        stored += 1
    return stored


@kernel
def _explore(net: LoadedNet, state: Record, choices: Ints, explore_per_mille: int, luck: np.uint64, drawn: int) -> int:
    """Replace some choices by random ones, so that the net sees other positions; return the new draw counter."""
    menu = net.scratch.option_menu.actions
    for seat in range(state.seats):
        if state.waiting >> seat & 1:
            drawn += 2
            if rng.randbelow_at(luck, drawn, PER_MILLE) < explore_per_mille:
                count = flow.legal(net.layout, state, seat, menu)
                choices[seat] = menu[rng.randbelow_at(luck, drawn + 1, count)]
    return drawn


class _Games(NamedTuple):
    """The games that compiled code plays."""

    seats: int
    seed: np.uint64
    first: int
    explore_per_mille: int


@eager_entry
def _play(arrays: NetArrays, games: _Games, states: Records, positions: Records, scores: Ints) -> int:
    """Play one game for each row of `scores`; return the number of stored positions."""
    net = LoadedNet(arrays.layouts[0], arrays.inputs[0], borrowed(arrays.tables), arrays.layers[0], arrays.scratches[0])
    layout, scratch = net.layout, net.scratch
    state = states[0]
    seats = games.seats
    choices = np.zeros(SEATS, np.int32)
    stored = 0
    for game in range(len(scores)):
        rng.seed_stream(state, games.seed, np.uint64(games.first + game))
        luck = rng.player_stream_seed(games.seed, np.uint64(games.first + game))
        flow.begin(layout, state, seats, 0)
        drawn = 0
        while state.phase != OVER:
            if state.waiting == 0:
                if state.phase == ROLL:
                    stored = _store_if_room(layout, state, positions, stored, game, TURN)
                flow.roll(layout, state, None)
                continue
            asked = state.waiting
            if state.phase == DRAW:
                stored = _store_if_room(layout, state, positions, stored, game, TURN)
            elif state.phase == PLAY:
                stored = _store_if_room(layout, state, positions, stored, game, NUMBER_OVER)
            if state.phase == COLOR and is_as_planned(seats, scratch, choices):
                choices[state.active] = scratch.plan[1]
            else:
                decide(net, state, asked, choices)
            drawn = _explore(net, state, choices, games.explore_per_mille, luck, drawn)
            if state.phase == DRAW:  # as the net values it: no seat has seen the colors yet
                state_after(layout, states, 0, state.active, choices[state.active], scratch.states, AFTER_TURN)
                stored = _store_if_room(layout, scratch.states[AFTER_TURN], positions, stored, game, DRAWN)
            for seat in range(seats):
                if asked >> seat & 1:
                    flow.decide(layout, state, seat, choices[seat], None)
        for seat in range(seats):
            scores[game, seat] = flow.score(layout, state, seat)
    return stored


def self_play(
    arrays: NetArrays, seats: int, games: int, *, seed: int, first: int, explore_per_mille: int
) -> tuple[Records, Ints]:
    """Play games of a net against itself; return their positions, game by game in order, and their scores."""
    a_turn = 3 if arrays.layouts[0].flow == CARDS else 1
    positions: Records = np.zeros(games * _TURNS_STORED * max(1, seats // 2) * a_turn, POSITION)
    scores = np.zeros((games, SEATS), np.int32)
    played = _Games(seats, np.uint64(seed), first, explore_per_mille)
    stored = _play(arrays, played, np.zeros(1, STATE), positions, scores)
    return positions[:stored], scores
