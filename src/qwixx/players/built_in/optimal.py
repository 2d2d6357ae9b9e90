"""
The player that decides by the exact solution of solitaire.

In solitaire no player is better. With more seats it decides as if the rest of the game were solitaire. Its tables are
big: each process loads them from the solver's files once and caches those it used last. This is the only module of the
players that imports the solver.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

import numpy as np

from qwixx.errors import QwixxError
from qwixx.game.question import Question
from qwixx.jit.decorators import eager_entry, entry, kernel
from qwixx.kernel import flow
from qwixx.kernel.state.records import ACTIONS, STATE, Ints, Record, Records
from qwixx.players import game_loop
from qwixx.players.player import Pads, Player, Registered, Words, check_sits
from qwixx.solver import Solution, choose_optimal, plan, solve
from qwixx.solver.build.plan import refuse
from qwixx.solver.build.table_files import is_complete, table_path
from qwixx.solver.encoding.marked_state import Firsts
from qwixx.solver.encoding.sheet_index import FOLD, Policy
from qwixx.solver.lookahead.turn import TURN
from qwixx.solver.play.games import play_solitaire
from qwixx.text.notation import Action
from qwixx.variants.layout import compile_layout, layout_hash
from qwixx.variants.model import Pad, Variant

Policies = tuple[Policy, ...]
"""A table for each pad of lucky numbers (L5), or the only one; pads that mirror one another share theirs."""
Solver = Callable[[Variant, Pad | None], Solution]
"""Returns the solution for a sheet and, in Longo, the lucky numbers of its player."""
_NO_PAD = -1


class Tables(NamedTuple):
    """The tables of the optimal player, for each pad that can be dealt."""

    pads: Ints
    """The lucky numbers of each pad; one pair of zeros where there are none."""
    folds: Records
    firsts: Firsts
    """The numbering of marked-cell states, the same for all pads."""
    policies: Policies


@kernel
def _pad_of(pads: Ints, sheet: Record) -> int:
    """Return the index of the pad that a seat was dealt; without lucky numbers there is one, with two zeros."""
    for pad in range(len(pads)):
        if pads[pad, 0] == sheet.lucky[0] and pads[pad, 1] == sheet.lucky[1]:
            return pad
    return _NO_PAD


@entry
def _answer_all(layouts: Records, known: Tables, states: Records, seats: Ints, room: Ints, actions: Ints) -> bool:
    """Look up the best action for every state and its seat; return whether there was a table for each of them."""
    for at in range(len(states)):
        count = flow.legal(layouts[0], states[at], seats[at], room)
        pad = _pad_of(known.pads, states[at].sheets[seats[at]])
        if pad == _NO_PAD:
            return False
        fold, policy = known.folds[pad], known.policies[pad]
        actions[at] = choose_optimal(layouts[0], fold, known.firsts, policy, states[at], seats[at], room, count)
    return True


class _Run(NamedTuple):
    """The games to play, and memory for one of them."""

    seed: np.uint64
    first_game: int
    states: Records
    turns: Records


@eager_entry
def _play_solitaires(layouts: Records, known: Tables, run: _Run, results: Records) -> None:
    """Fill `results` with one solitaire game each, without computing legal actions."""
    state = run.states[0]
    for index in range(len(results)):
        game_loop.begin(layouts[0], state, 1, run.seed, np.uint64(run.first_game + index))
        pad = _pad_of(known.pads, state.sheets[0])
        play_solitaire(layouts[0], known.folds[pad], known.policies[pad], state, run.turns[0], results[index])


_lock = Lock()
_last: dict[tuple[str, tuple[Pad, ...]], Tables] = {}
"""A cache of the tables used last: those of one game, because Longo's take a gigabyte."""


def optimal_tables(variant: Variant, pads: Pads | None = None, solver: Solver = solve) -> Tables:
    """
    Return the tables of a game for the pads that can be dealt, by default all printed ones.

    If the game was not solved before, `solver` solves it. Raises `QwixxError` if the game cannot be solved.
    """
    dealt = tuple(dict.fromkeys(variant.lucky if pads is None else pads))
    # Sheets with pairs in another order are equal as variants, but their states are numbered differently.
    key = layout_hash(compile_layout(variant)), dealt
    with _lock:
        found = _last.get(key)
        if found is None:
            _last.clear()
            found = _last[key] = _make_tables(variant, dealt or (None,), solver)
        return found


def _make_tables(variant: Variant, pads: tuple[Pad | None, ...], solver: Solver) -> Tables:
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


def is_solved(variant: Variant, pads: Pads | None = None) -> bool:
    """Return whether all tables of a game are solved, for the pads that can be dealt."""
    key = layout_hash(compile_layout(variant))
    numbers = {_folded(variant, pad) for pad in (variant.lucky if pads is None else pads) or (None,)}
    return all(is_complete(table_path(key, lucky, variant.id)) for lucky in numbers)


def _folded(variant: Variant, pad: Pad | None) -> tuple[int, ...]:
    """Return the lucky numbers in the table key of a pad; pads that mirror one another share a table."""
    return () if pad is None else tuple(int(number) for number in plan(variant, pad).folds[0].lucky if number)


class OptimalPlayer(Player):
    """Decides by tables, for any seat of any game."""

    def __init__(self, variant: Variant, seats: int, pads: Pads | None = None) -> None:
        """Load the tables; solve the game if that was not done before."""
        super().__init__(variant, seats)
        self._tables = optimal_tables(variant, pads)
        self._room = np.zeros(ACTIONS, np.int32)

    def answer(self, question: Question) -> Action:
        """Return one decision."""
        seats = np.array([question.seat], np.int32)
        found = self.answer_many(question.layouts, question.states, seats, np.zeros(1, np.uint64))
        return question.action(int(found[0]))

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """Decide in many games at once."""
        actions = np.zeros(len(states), np.int32)
        if not _answer_all(layouts, self._tables, states, seats, self._room, actions):
            raise QwixxError("The optimal player has no table for the lucky numbers it was dealt.")
        return actions


class SolitaireGames:
    """A faster form of the optimal player, for many solitaire games; tests compare both forms."""

    def __init__(self, variant: Variant, pads: Pads | None = None) -> None:
        """Load the tables."""
        self._tables = optimal_tables(variant, pads)
        self._states: Records = np.zeros(1, STATE)
        self._turns: Records = np.zeros(1, TURN)

    @property
    def can_play(self) -> bool:
        """Whether this form supports the sheet: it must have no marked cells."""
        return not self._tables.folds[0].remembers

    def play(self, layouts: Records, seed: np.uint64, first_game: int, results: Records) -> None:
        """Fill `results` with one game each."""
        _play_solitaires(layouts, self._tables, _Run(seed, first_game, self._states, self._turns), results)


class Optimal(Registered):
    """The player `optimal` in the registry."""

    name = "optimal"
    habit = "the best solitaire decision, also against other players"
    is_built_in = True
    remembers = False

    def plays(self, variant: Variant, seats: int) -> bool:
        """Return whether the sheet can be solved."""
        try:
            refuse(variant)
        except QwixxError:
            return False
        return seats in variant.seats

    def setup_needed(self, variant: Variant, pads: Pads | None = None) -> str:
        """Describe the size of its table, and the time to solve the game if that was not done before."""
        return f"It reads its table, or solves {variant.id} first: {plan(variant, next(iter(pads or ()), None))}."

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Return the player for a seat; this reads the tables, or solves the game first."""
        check_sits(self, variant, seats)
        return OptimalPlayer(variant, seats, pads)


OPTIMAL = Optimal()
PLAYERS = (OPTIMAL,)
