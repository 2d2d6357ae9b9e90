"""
The optimal player in simulations: its tables, and the games it plays.

It decides by the exact solution of solitaire. Alone it is the best player there can be; with more seats it makes every
decision as if it were alone from there on. A table is big and a block of games must be small, so a block names its game
only: each process takes the tables from the store (`solver.store`) once and keeps those it used last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from qwixx.kernel.records import ACTIONS, MENU, STATE, Ints, Records
from qwixx.sim.lineup import OPTIMAL, player_of, seated
from qwixx.sim.pads import Pair, deal
from qwixx.solver import Solution, plan, solve
from qwixx.solver.ahead.turn import TURN
from qwixx.solver.numbering.fold import FOLD, Policy
from qwixx.solver.numbering.memory import Firsts
from qwixx.solver.seats import Policies, ask_optimal, play_alone, play_seated
from qwixx.variants.compile import compile_layout, layout_hash
from qwixx.variants.model import Variant

Solver = Callable[[Variant, Pair | None], Solution]
"""Gives the solution for a sheet and, in Longo, the lucky numbers of its player."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What the optimal player looks up, for each pad that can be dealt."""

    pads: Ints
    """The lucky numbers of each pad; one pair of zeros where there are none."""
    folds: Records
    firsts: Firsts
    """What marked cells remember is numbered alike for all pads."""
    policies: Policies


_lock = Lock()
_last: dict[tuple[str, Pair | None], Tables] = {}
"""The tables used last: those of one game, since Longo's alone take a gigabyte."""


def optimal_tables(variant: Variant, lucky: Pair | None = None, solver: Solver = solve) -> Tables:
    """
    Get the tables for all pads of a game, or for the lucky numbers that everybody has.

    They are solved if that was never done before, by `solver`. Raises `QwixxError` if the game cannot be solved.
    """
    # Sheets whose pairs stand in another order are equal as variants and yet numbered differently.
    key = layout_hash(compile_layout(variant)), lucky
    with _lock:
        found = _last.get(key)
        if found is None:
            _last.clear()
            found = _make_tables(variant, lucky, solver)
            _last[key] = found
        return found


def _make_tables(variant: Variant, lucky: Pair | None, solver: Solver) -> Tables:
    pads: list[Pair | None] = [lucky] if lucky is not None else [*variant.lucky] or [None]
    folds: Records = np.zeros(len(pads), FOLD)
    policies: list[Policy] = []
    shared: dict[tuple[int, ...], Policy] = {}
    for number, pad in enumerate(pads):
        work = plan(variant, pad)
        folds[number] = work.folds[0]
        # Pads that mirror one another are folded to the same numbers and so to the same table.
        folded = tuple(int(number) for number in folds[number].lucky)
        if folded not in shared:
            shared[folded] = solver(variant, pad).policy
        policies.append(shared[folded])
    return Tables(np.array([pad or (0, 0) for pad in pads], np.int32), folds, work.firsts, tuple(policies))


class OptimalGames:
    """Games of one line-up in which the optimal player has a seat."""

    def __init__(self, variant: Variant, bots: Sequence[str], *, rotate: bool, lucky: Pair | None) -> None:
        """Get the tables and set up the seats."""
        self._tables = optimal_tables(variant, lucky)
        self._layouts = compile_layout(deal(variant, lucky))
        self._bots = bots
        self._seated = seated(bots, rotate=rotate)
        self._optimal = optimal_seats(bots, len(self._seated))
        self._states: Records = np.zeros(1, STATE)
        self._turns: Records = np.zeros(1, TURN)
        self._actions: Ints = np.zeros(ACTIONS, np.int32)

    def play(self, seed: np.uint64, first_game: int, results: Records) -> None:
        """
        Play as many games as there is room for results: alone the fast way, among others step by step.

        Sheets with marked cells have no faster way than the kernel's steps.
        """
        if len(self._bots) > 1 or self._tables.folds[0].remembers:
            self.play_steps(seed, first_game, results)
            return
        known = self._tables
        play_alone(
            self._layouts,
            known.folds,
            known.policies,
            known.pads,
            self._states,
            self._turns,
            seed,
            first_game,
            results,
        )

    def play_steps(self, seed: np.uint64, first_game: int, results: Records) -> None:
        """Play the same games through the kernel's own steps."""
        known = self._tables
        play_seated(
            self._layouts,
            known.folds,
            known.firsts,
            known.policies,
            known.pads,
            self._states,
            len(self._bots),
            self._seated,
            self._optimal,
            seed,
            first_game,
            results,
            self._actions.view(MENU),
            self._actions,
        )


def optimal_seats(bots: Sequence[str], tables: int) -> Ints:
    """Tell which seats of each table the optimal player has, as masks."""
    seats = len(bots)
    masks = np.zeros(tables, np.int32)
    for table in range(tables):
        for seat in range(seats):
            masks[table] |= int(bots[player_of(seat, table, seats)] == OPTIMAL) << seat
    return masks


def optimal_choice(tables: Tables, layouts: Records, states: Records, seat: int) -> int:
    """Ask the optimal player on a seat what it chooses now."""
    actions = np.zeros(ACTIONS, np.int32)
    return int(ask_optimal(layouts, tables.folds, tables.firsts, tables.policies, tables.pads, states, seat, actions))
