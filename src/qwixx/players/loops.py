"""
Whole games of players who weigh, played decision by decision through the same verbs that everything else uses.

Game number g of a run with a seed is always the same game, alone or among a million others. Nobody who decides here can
see more than its seat: the choices of a window are all made before any is stored, the game's stream of chance is put
away while players think, and where cards are hidden they look at a redacted copy.
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel import flow, observe, rng
from qwixx.kernel.jit import inlined, kernel
from qwixx.kernel.records import CARDS, OVER, SEATS, Ints, Record, Records
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
    layout: Record, states: Records, table: Record, luck: np.uint64, menu: Record, choices: Ints, trail: Trail
) -> None:
    """Play a game to its end: chance has its turn, or every seat that owes a decision decides."""
    state = states[0]
    while state.phase != OVER:
        if state.waiting == 0:
            flow.roll(layout, state, trail)
            continue
        waiting = state.waiting
        stream = state.rng
        state.rng = 0
        at = 0
        for seat in range(state.seats):
            if waiting >> seat & 1:
                if layout.flow == CARDS:
                    observe.redact(layout, states, 0, states, 1, seat)
                    at = 1
                choices[seat] = choice_of(layout, states[at], seat, table, luck, menu)
        state.rng = stream
        for seat in range(state.seats):
            if waiting >> seat & 1:
                flow.inlined_decide(layout, state, seat, choices[seat], trail)


@kernel
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
    """
    Play as many games as there is room for results, decision by decision; tables take turns with the games.

    `states` has two places: the game, and the copy of it that a seat sees where cards are hidden.
    """
    choices = np.empty(SEATS, np.int32)
    for index in range(len(results)):
        game = first_game + index
        luck = begin(layouts[0], states[0], seats, seed, np.uint64(game))
        play_game(layouts[0], states, tables[game % len(tables)], luck, menus[0], choices, trail)
        write_result(layouts[0], states[0], results[index])
