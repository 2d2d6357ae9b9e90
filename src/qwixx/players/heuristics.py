"""
Heuristic players: each is one record of weights.

The unit of weights is a cell: a weight of three means "worth skipping three cells for".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from qwixx.game.question import Question
from qwixx.jit.decorators import entry
from qwixx.kernel.state.records import (
    MENU,
    POSITIONS,
    ROWS,
    SEATS,
    SHEET,
    Ints,
    Records,
    record_type,
    type_int,
)
from qwixx.players.game_loop import choice_of
from qwixx.players.heuristic_policy import ALWAYS, cost_unmarked, most_for_a_cell
from qwixx.players.player import Pads, Player, Registered, Words, check_sits
from qwixx.solver.policies.ranking import Ranking
from qwixx.text.notation import Action
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant

WEIGHTS: Final = record_type(
    [
        ("slips", type_int),  # percent of decisions that are random, whatever the other weights
        ("most_skipped", type_int),  # passes rather than skip more cells than this
        ("most_skipped_or_miss", type_int),  # the same where passing means a miss (C6)
        ("lock", type_int),  # closing a row (C7)
        ("effect", type_int),  # a marked cell, and each cross that comes with another one (BA2, BB1, CB2)
        ("capture", type_int),  # duel: capturing a pawn (D3)
        ("stack", type_int),  # duel: a stack, which cannot be captured (D4)
        ("cross", type_int),  # cards: a cross of a play (K5)
        ("miss", type_int),  # cards: not taking a miss (K6)
        ("reach", type_int),  # cards: numbers further away than this are useless (K3)
    ]
)
"""The weights of a heuristic player, for compiled code."""
SEATING: Final = record_type([("players", WEIGHTS, (SEATS,))])
"""The heuristic players of a table, by seat."""
PAPER, BOARD, CARDS = "paper", "board", "cards"
"""Kinds of game: dice and a sheet each, the duel's shared board, the card game."""
Weights = Mapping[str, int]


def heuristic_kind(variant: Variant) -> str:
    """Return the kind of game of a variant."""
    return CARDS if variant.is_cards else BOARD if variant.is_duel else PAPER


@dataclass(frozen=True, slots=True)
class HeuristicPlayer(Registered):
    """A heuristic player: its name, its habit in a few words, and its weights for each kind of game it can play."""

    name: str
    habit: str
    weights: Mapping[str, Weights]
    is_built_in = True
    remembers = False
    is_quick = True

    def plays(self, variant: Variant, seats: int) -> bool:
        """Return whether there are weights for this kind of game."""
        return seats in variant.seats and heuristic_kind(variant) in self.weights

    def record(self, variant: Variant) -> Records:
        """Return the weights for compiled code, in an array of one record."""
        row: Records = np.zeros(1, WEIGHTS)
        for field, value in self.weights[heuristic_kind(variant)].items():
            row[field] = value
        return row

    def is_deterministic(self, variant: Variant) -> bool:
        """Return whether it never decides at random."""
        return not self.weights[heuristic_kind(variant)].get("slips")

    def ranking(self, variant: Variant) -> Ranking | None:
        """Return the costs of all cells of a sheet without marked cells; None for other games."""
        layouts = compile_layout(variant)
        if heuristic_kind(variant) != PAPER or PAPER not in self.weights or layouts[0].has_effects:
            return None
        player = self.record(variant)[0]
        sheets: Records = np.zeros(1, SHEET)
        costs = np.zeros((ROWS, POSITIONS + 1, POSITIONS), np.int32)
        for row, first, position in np.ndindex(costs.shape):
            sheets[0].next[row] = first
            costs[row, first, position] = cost_unmarked(layouts[0], sheets[0], player, row, position)
        most, most_or_miss = (most_for_a_cell(player, rather_than_miss) for rather_than_miss in (False, True))
        return Ranking(costs, most, most_or_miss, player.slips / ALWAYS)

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Return the player for a seat."""
        check_sits(self, variant, seats)
        return _SeatedHeuristic(variant, seats, self.record(variant))


class _SeatedHeuristic(Player):
    """A heuristic player for any seat of any game."""

    def __init__(self, variant: Variant, seats: int, weights: Records) -> None:
        super().__init__(variant, seats)
        self._tables: Records = np.zeros(1, SEATING)
        self._tables["players"] = weights
        self._menus: Records = np.zeros(1, MENU)

    def answer(self, question: Question) -> Action:
        """Decide once."""
        lucks = np.array([question.luck], np.uint64)
        seats = np.array([question.seat], np.int32)
        return question.action(int(self.answer_many(question.layouts, question.states, seats, lucks)[0]))

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """Decide in many games at once."""
        actions = np.zeros(len(states), np.int32)
        _choose_all(layouts, states, seats, self._tables, lucks, self._menus, actions)
        return actions


@entry
def _choose_all(
    layouts: Records, states: Records, seats: Ints, tables: Records, lucks: Words, menus: Records, actions: Ints
) -> None:
    for at in range(len(states)):
        actions[at] = choice_of(layouts[0], states[at], seats[at], tables[0], lucks[at], menus[0])
