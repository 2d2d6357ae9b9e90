"""
Whole games for simulations, with the optimal player on the seats it was given.

Alone it takes the fused way of `solver.games` on sheets without marked cells. Elsewhere every decision goes through the
kernel's own steps; the others choose by their weights. These loops stand here and not in `sim` because compiled code is
kept by the sources of the kernel and of its own room, and they are made of this room's.
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel import flow, loops
from qwixx.kernel.jit import kernel
from qwixx.kernel.records import OVER, Ints, Record, Records
from qwixx.solver.numbering.fold import Policy
from qwixx.solver.numbering.memory import Firsts
from qwixx.solver.play.choose import choose_optimal
from qwixx.solver.play.games import play_solitaire

Policies = tuple[Policy, ...]
"""A table for each pad of lucky numbers (L5), or the only one; pads that mirror one another share theirs."""


@kernel
def _pad_of(pads: Ints, sheet: Record) -> int:
    """Find the pad that a seat was dealt; without lucky numbers there is one, with two zeros."""
    for pad in range(len(pads)):
        if pads[pad, 0] == sheet.lucky[0] and pads[pad, 1] == sheet.lucky[1]:
            return pad
    return 0


@kernel
def ask_optimal(
    layouts: Records,
    folds: Records,
    firsts: Firsts,
    policies: Policies,
    pads: Ints,
    states: Records,
    seat: int,
    actions: Ints,
) -> int:
    """Ask the optimal player on a seat what it chooses now."""
    count = flow.legal(layouts[0], states[0], seat, actions)
    pad = _pad_of(pads, states[0].sheets[seat])
    return choose_optimal(layouts[0], folds[pad], firsts, policies[pad], states[0], seat, actions, count)


@kernel
def play_alone(
    layouts: Records,
    folds: Records,
    policies: Policies,
    pads: Ints,
    states: Records,
    turns: Records,
    seed: np.uint64,
    first_game: int,
    results: Records,
) -> None:
    """Play as many solitaires as there is room for results, fast."""
    for index in range(len(results)):
        loops.begin(layouts[0], states[0], 1, seed, np.uint64(first_game + index))
        pad = _pad_of(pads, states[0].sheets[0])
        play_solitaire(layouts[0], folds[pad], policies[pad], states[0], turns[0], results[index])


@kernel
def play_seated(
    layouts: Records,
    folds: Records,
    firsts: Firsts,
    policies: Policies,
    pads: Ints,
    states: Records,
    seats: int,
    tables: Records,
    optimal: Ints,
    seed: np.uint64,
    first_game: int,
    results: Records,
    menus: Records,
    actions: Ints,
) -> None:
    """
    Play games decision by decision; tables take turns with the games.

    `optimal` says which seats of each table are played by the tables of the solver, as a mask.
    """
    state = states[0]
    for index in range(len(results)):
        game = first_game + index
        table = game % len(tables)
        luck = loops.begin(layouts[0], state, seats, seed, np.uint64(game))
        while state.phase != OVER:
            if state.waiting == 0:
                flow.roll(layouts[0], state, None)
                continue
            waiting = state.waiting
            for seat in range(seats):
                if not waiting >> seat & 1:
                    continue
                if optimal[table] >> seat & 1:
                    choice = ask_optimal(layouts, folds, firsts, policies, pads, states, seat, actions)
                else:
                    choice = loops.choice_of(layouts[0], state, seat, tables[table], luck, menus[0])
                flow.decide(layouts[0], state, seat, choice, None)
        loops.write_result(layouts[0], state, results[index])
