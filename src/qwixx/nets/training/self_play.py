"""Games of a net against itself, kept as the positions that it is asked about: what there is to learn from."""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel import flow, rng
from qwixx.kernel.after import state_after
from qwixx.kernel.jit import bulk, inlined, kernel
from qwixx.kernel.records import (
    ACTIONS,
    CARDS,
    COLOR,
    DECK,
    DISPLAY,
    DRAW,
    HAND,
    OVER,
    PLAY,
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
from qwixx.learn.bench import AFTER_TURN, BENCH, is_as_planned
from qwixx.learn.deciding import decide
from qwixx.learn.hand import DRAWN, NUMBER_OVER, TURN
from qwixx.learn.net import Floats, Net

POSITION: Final = record_type(
    [
        ("game", type_int),
        ("kind", type_int),  # with cards: before a turn, after a draw, or after the number for all (`hand`)
        ("active", type_int),
        ("crossed", type_int),
        ("closed", type_int),
        ("sheets", SHEET, (SEATS,)),
        ("board", type_int, (2, ROWS, POSITIONS)),
        ("held", type_int, (SEATS,)),
        ("hands", type_int, (SEATS, HAND)),
        ("display", type_int, (DISPLAY,)),
        ("discarded", type_int),
        ("discards", type_int, (DECK,)),
    ]
)
"""What is kept of a position: all that its value can depend on."""
PER_MILLE: Final = 1000
_TURNS_KEPT: Final = 60
"""Turns for which there is room, for each game and on average."""


@kernel
def keep(layout: Record, state: Record, position: Record, game: int, kind: int) -> None:
    """Keep a position of a game."""
    position.game = game
    position.kind = kind
    position.active = state.active
    position.crossed = state.crossed
    position.closed = state.closed
    for seat in range(state.seats):
        position.sheets[seat] = state.sheets[seat]
    if layout.shared:
        position.board[:] = state.board
    if layout.flow == CARDS:
        position.held[:] = state.held
        position.hands[:] = state.hands
        position.display[:] = state.display
        position.discarded = state.discarded
        position.discards[:] = state.discards


@inlined
def _keep_at(layout: Record, state: Record, positions: Records, kept: int, game: int, kind: int) -> int:
    """Keep a position if there is room; give how many are kept then."""
    if kept < len(positions):
        keep(layout, state, positions[kept], game, kind)
        kept += 1
    return kept


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


@bulk
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
                if state.phase == ROLL:
                    kept = _keep_at(layout, state, positions, kept, game, TURN)
                flow.roll(layout, state, None)
                continue
            asked = state.waiting
            if state.phase == DRAW:
                kept = _keep_at(layout, state, positions, kept, game, TURN)
            elif state.phase == PLAY:
                kept = _keep_at(layout, state, positions, kept, game, NUMBER_OVER)
            if state.phase == COLOR and is_as_planned(seats, bench, choices):
                choices[state.active] = bench.plan[1]
            else:
                decide(layout, inputs[0], tables, layers[0], state, bench, asked, choices)
            drawn = _explore(layout, state, menu, choices, asked, per_mille, luck, drawn)
            if state.phase == DRAW:  # as it is valued: nobody has seen the colors yet
                state_after(layout, states, 0, state.active, choices[state.active], bench.states, AFTER_TURN)
                kept = _keep_at(layout, bench.states[AFTER_TURN], positions, kept, game, DRAWN)
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
    a_turn = 3 if layouts[0].flow == CARDS else 1
    positions: Records = np.zeros(games * _TURNS_KEPT * max(1, seats // 2) * a_turn, POSITION)
    scores = np.zeros((games, SEATS), np.int32)
    part = net.for_seats(seats)
    kept = _play(
        layouts,
        inputs,
        part.tables,
        part.layers,
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
