"""One game of a simulation, played again alone, as a `Game` with its record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from qwixx.game import Game
from qwixx.kernel import rng
from qwixx.kernel.choose import luck_of
from qwixx.kernel.jit import kernel
from qwixx.kernel.loops import choice_of
from qwixx.kernel.records import MENU, STATE, Records
from qwixx.sim.lineup import OPTIMAL, lineup, seated
from qwixx.sim.optimal import optimal_choice, optimal_seats, optimal_tables
from qwixx.sim.pads import Pair
from qwixx.variants import variant_of
from qwixx.variants.model import Variant


@kernel
def _luck(states: Records, seed: np.uint64, number: np.uint64) -> np.uint64:
    """Give the word from which the players of a game draw."""
    rng.seed_stream(states[0], seed, number)
    return luck_of(states[0])


@kernel
def _choice(
    layouts: Records, states: Records, seat: int, tables: Records, table: int, luck: np.uint64, menus: Records
) -> int:
    """Ask the player on a seat."""
    return choice_of(layouts[0], states[0], seat, tables[table], luck, menus[0])


def replay_game(
    variant: str | Path | Variant,
    seats: int,
    bots: Sequence[str],
    seed: int,
    number: int,
    *,
    rotate: bool = True,
    sheet: str | Path | None = None,
    lucky: Pair | None = None,
) -> Game:
    """Play game `number` of the simulation with these settings once more; its `record()` shows every step."""
    chosen = variant_of(variant, sheet)
    chosen.check_lucky(lucky)
    pads = None if lucky is None else [f"{lucky[0]}/{lucky[1]}"] * seats
    game = Game(chosen, seats, seed=seed, first=0, number=number, lucky=pads)
    names = lineup(chosen, seats, bots)
    known = optimal_tables(chosen, lucky) if OPTIMAL in names else None
    tables = seated(names, rotate=rotate)
    table = number % len(tables)
    optimal = int(optimal_seats(names, len(tables))[table])
    luck = np.uint64(_luck(np.zeros(1, STATE), np.uint64(seed), np.uint64(number)))
    menus: Records = np.zeros(1, MENU)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
            continue
        layouts, states = game.raw()  # the players of a window decide without seeing one another's choices
        for seat in game.deciders():
            if known is not None and optimal >> seat & 1:
                game.decide(seat, optimal_choice(known, layouts, states, seat))
            else:
                game.decide(seat, _choice(layouts, states, seat, tables, table, luck, menus))
    return game
