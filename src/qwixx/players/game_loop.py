"""
Whole games of heuristic players, decision by decision, through the kernel functions that all other code uses.

Game number g of a run with a seed is always the same game, played singly or among a million others. For speed these
players read the game itself and not a redacted copy, which would cost a sixth of a card game's time. They are rows of
weights, and the code that reads the weights uses nothing hidden. `batched_games` gives redacted copies to all players,
and tests compare each of these players in both loops, game by game.
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import eager_entry, inlined, kernel
from qwixx.kernel import flow
from qwixx.kernel.results import write_result
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import OVER, SEATS, Ints, Record, Records
from qwixx.players.heuristic_policy import choose


@kernel
def begin(layout: Record, state: Record, seats: int, seed: np.uint64, game: np.uint64) -> np.uint64:
    """Set up a game of a run, in which seat 0 starts; return the random word of its players."""
    rng.seed_stream(state, seed, game)
    flow.begin(layout, state, seats, 0)
    return rng.player_stream_seed(seed, game)


@kernel
def begin_from(
    layout: Record, states: Records, seats: int, starts: Records, seed: np.uint64, game: np.uint64
) -> np.uint64:
    """Begin a game of a run in one of `starts`, which take turns, or with clean sheets if there are none."""
    if not len(starts):
        return begin(layout, states[0], seats, seed, game)
    states[0] = starts[game % np.uint64(len(starts))]
    rng.seed_stream(states[0], seed, game)
    return rng.player_stream_seed(seed, game)


@inlined
def choice_of(layout: Record, state: Record, seat: int, table: Record, luck: np.uint64, menu: Record) -> int:
    """Return the choice of the heuristic player on a seat."""
    count = flow.fill_menu(layout, state, seat, menu)
    return choose(layout, state, seat, table.players[seat], luck, menu, count)


@inlined
def play_game(layout: Record, state: Record, table: Record, luck: np.uint64, menu: Record, choices: Ints) -> None:
    """Play a game to its end: roll, or let every seat that has to decide choose."""
    while state.phase != OVER:
        if state.waiting == 0:
            flow.roll(layout, state, None)
            continue
        waiting = state.waiting
        for seat in range(state.seats):
            if waiting >> seat & 1:
                choices[seat] = choice_of(layout, state, seat, table, luck, menu)
        for seat in range(state.seats):
            if waiting >> seat & 1:
                flow.inlined_decide(layout, state, seat, choices[seat], None)


@eager_entry
def play_block(
    layouts: Records,
    states: Records,
    seats: int,
    tables: Records,
    seed: np.uint64,
    first_game: int,
    results: Records,
    menus: Records,
    starts: Records,
) -> None:
    """Fill `results` with one game each, decision by decision; tables and `starts` take turns with the games."""
    choices = np.empty(SEATS, np.int32)
    for index in range(len(results)):
        game = first_game + index
        luck = begin_from(layouts[0], states, seats, starts, seed, np.uint64(game))
        play_game(layouts[0], states[0], tables[game % len(tables)], luck, menus[0], choices)
        write_result(layouts[0], states[0], results[index])
