"""
Whole games, played decision by decision through the same verbs that everything else uses.

Game number g of a run with a seed is always the same game, alone or among a million others.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel import flow, rng
from qwixx.kernel.choose import choose, luck_of
from qwixx.kernel.ends import count_rows
from qwixx.kernel.jit import inlined, kernel
from qwixx.kernel.records import OVER, SEATS, Record, Records, record_type, type_int
from qwixx.kernel.trail import Trail

RESULT: Final = record_type(
    [
        ("turns", type_int),
        ("ending", type_int),
        ("score", type_int, (SEATS,)),
        ("misses", type_int, (SEATS,)),
        ("locks", type_int, (SEATS,)),  # lock boxes crossed by the seat
    ]
)
"""What is kept of a finished game."""


@kernel
def begin(layout: Record, state: Record, seats: int, seed: np.uint64, game: np.uint64) -> np.uint64:
    """Set up a game of a run, in which seat 0 begins; give the word from which its players draw."""
    rng.seed_stream(state, seed, game)
    luck = luck_of(state)
    flow.begin(layout, state, seats, 0)
    return luck


@inlined
def choice_of(layout: Record, state: Record, seat: int, table: Record, luck: np.uint64, menu: Record) -> int:
    """Ask the player on a seat what it chooses now."""
    count = flow.fill_menu(layout, state, seat, menu)
    return choose(layout, state, seat, table.players[seat], luck, menu, count)


@inlined
def play_game(layout: Record, state: Record, table: Record, luck: np.uint64, menu: Record, trail: Trail) -> None:
    """Play a game to its end: chance has its turn, or every seat that owes a decision decides."""
    while state.phase != OVER:
        if state.waiting == 0:
            flow.roll(layout, state, trail)
            continue
        waiting = state.waiting
        for seat in range(state.seats):
            if waiting >> seat & 1:
                flow.inlined_decide(layout, state, seat, choice_of(layout, state, seat, table, luck, menu), trail)


@kernel
def write_result(layout: Record, state: Record, result: Record) -> None:
    """Keep what people ask about a finished game."""
    result.turns = state.turn
    result.ending = state.ending
    for seat in range(state.seats):
        sheet = state.sheets[seat]
        result.score[seat] = flow.score(layout, state, seat)
        result.misses[seat] = sheet.misses
        result.locks[seat] = count_rows(sheet.locks)


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
    """Play as many games as there is room for results, decision by decision; tables take turns with the games."""
    for index in range(len(results)):
        game = first_game + index
        luck = begin(layouts[0], states[0], seats, seed, np.uint64(game))
        play_game(layouts[0], states[0], tables[game % len(tables)], luck, menus[0], trail)
        write_result(layouts[0], states[0], results[index])
