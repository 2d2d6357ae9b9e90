"""Games of a net against itself, kept as the positions before each roll: what there is to learn from."""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel import flow, rng
from qwixx.kernel.jit import kernel
from qwixx.kernel.records import (
    ACTIONS,
    COLOR,
    OVER,
    POSITIONS,
    ROLL,
    ROWS,
    SEATS,
    SHEET,
    STATE,
    Ints,
    Record,
    Records,
    record_type,
    type_int,
)
from qwixx.learn.bench import BENCH, is_as_planned
from qwixx.learn.deciding import decide
from qwixx.learn.net import Floats, Net

POSITION: Final = record_type(
    [
        ("game", type_int),
        ("active", type_int),
        ("closed", type_int),
        ("sheets", SHEET, (SEATS,)),
        ("board", type_int, (2, ROWS, POSITIONS)),
    ]
)
"""What is kept of a position before a roll: all that its value can depend on."""
PER_MILLE: Final = 1000
_TURNS_KEPT: Final = 60
"""Turns for which there is room, for each game and on average."""


@kernel
def _keep(layout: Record, state: Record, position: Record, game: int) -> None:
    position.game = game
    position.active = state.active
    position.closed = state.closed
    for seat in range(state.seats):
        position.sheets[seat] = state.sheets[seat]
    if layout.shared:
        position.board[:] = state.board


@kernel
def _explore(
    layout: Record, state: Record, menu: Ints, choices: Ints, asked: int, per_mille: int, luck: np.uint64, drawn: int
) -> int:
    """Now and then take anything, so that the net sees where its own play does not lead; give how often it drew."""
    for seat in range(state.seats):
        if asked >> seat & 1:
            drawn += 2
            if rng.below_at(luck, drawn, PER_MILLE) < per_mille:
                count = flow.legal(layout, state, seat, menu)
                choices[seat] = menu[rng.below_at(luck, drawn + 1, count)]
    return drawn


@kernel
def _play(
    layouts: Records,
    inputs: Records,
    tables: Floats,
    layers: Records,
    benches: Records,
    states: Records,
    menu: Ints,
    seats: int,
    per_mille: int,
    seed: np.uint64,
    first_game: int,
    positions: Records,
    scores: Ints,
) -> int:
    """Play as many games as there are rows for scores; give how many positions were kept."""
    layout = layouts[0]
    state = states[0]
    bench = benches[0]
    choices = np.zeros(SEATS, np.int32)
    kept = 0
    for game in range(len(scores)):
        rng.seed_stream(state, seed, np.uint64(first_game + game))
        luck = rng.luck_of(seed, np.uint64(first_game + game))
        flow.begin(layout, state, seats, 0)
        drawn = 0
        while state.phase != OVER:
            if state.waiting == 0:
                if state.phase == ROLL and kept < len(positions):
                    _keep(layout, state, positions[kept], game)
                    kept += 1
                flow.roll(layout, state, None)
                continue
            asked = state.waiting
            if state.phase == COLOR and is_as_planned(seats, bench, choices):
                choices[state.active] = bench.plan[1]
            else:
                decide(layout, inputs[0], tables, layers[0], state, bench, asked, choices)
            drawn = _explore(layout, state, menu, choices, asked, per_mille, luck, drawn)
            for seat in range(seats):
                if asked >> seat & 1:
                    flow.decide(layout, state, seat, choices[seat], None)
        for seat in range(seats):
            scores[game, seat] = flow.score(layout, state, seat)
    return kept


def play_games(
    layouts: Records, inputs: Records, net: Net, seats: int, games: int, *, seed: int, first: int, per_mille: int
) -> tuple[Records, Ints]:
    """Play games of a net against itself; give their positions, game by game in order, and the scores of each game."""
    positions: Records = np.zeros(games * _TURNS_KEPT * max(1, seats // 2), POSITION)
    scores = np.zeros((games, SEATS), np.int32)
    kept = _play(
        layouts,
        inputs,
        net.tables,
        net.layers,
        np.zeros(1, BENCH),
        np.zeros(1, STATE),
        np.zeros(ACTIONS, np.int32),
        seats,
        per_mille,
        np.uint64(seed),
        first,
        positions,
        scores,
    )
    return positions[:kept], scores
