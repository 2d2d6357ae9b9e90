"""
Whole games of players who weigh, played decision by decision through the same verbs that everything else uses.

Game number g of a run with a seed is always the same game, alone or among a million others. For speed these players
look at the game itself and not at a redacted copy of it, which would take a sixth of a card game's time: they are rows
of weights, and what reads them looks at nothing hidden. `players.side_by_side` hands out redacted copies to everybody,
and tests hold each of these players there against here, game by game.
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel import flow, rng
from qwixx.kernel.jit import bulk, inlined, kernel
from qwixx.kernel.records import OVER, SEATS, Ints, Record, Records
from qwixx.kernel.results import write_result
from qwixx.kernel.trail import Trail
from qwixx.players.weighing import choose


@kernel
def begin(layout: Record, state: Record, seats: int, seed: np.uint64, game: np.uint64) -> np.uint64:
    """Set up a game of a run, in which seat 0 begins; give the word from which its players draw."""
    rng.seed_stream(state, seed, game)
    flow.begin(layout, state, seats, 0)
    return rng.luck_of(seed, game)


@inlined
def choice_of(layout: Record, state: Record, seat: int, table: Record, luck: np.uint64, menu: Record) -> int:
    """Ask the player on a seat what it chooses now."""
    count = flow.fill_menu(layout, state, seat, menu)
    return choose(layout, state, seat, table.players[seat], luck, menu, count)


@inlined
def play_game(
    layout: Record, state: Record, table: Record, luck: np.uint64, menu: Record, choices: Ints, trail: Trail
) -> None:
    """Play a game to its end: chance has its turn, or every seat that owes a decision decides."""
    while state.phase != OVER:
        if state.waiting == 0:
            flow.roll(layout, state, trail)
            continue
        waiting = state.waiting
        for seat in range(state.seats):
            if waiting >> seat & 1:
                choices[seat] = choice_of(layout, state, seat, table, luck, menu)
        for seat in range(state.seats):
            if waiting >> seat & 1:
                flow.inlined_decide(layout, state, seat, choices[seat], trail)


@bulk
def play_block(
    layouts: Records,
    states: Records,
    seats: int,
    tables: Records,
    seed: np.uint64,
    first_game: int,
    results: Records,
    menus: Records,
    trail: Trail,
) -> None:
    """Play as many games as there is room for results, decision by decision; tables take turns with the games."""
    choices = np.empty(SEATS, np.int32)
    for index in range(len(results)):
        game = first_game + index
        luck = begin(layouts[0], states[0], seats, seed, np.uint64(game))
        play_game(layouts[0], states[0], tables[game % len(tables)], luck, menus[0], choices, trail)
        write_result(layouts[0], states[0], results[index])
