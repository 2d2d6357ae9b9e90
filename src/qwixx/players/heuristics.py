"""
Players who weigh: what each of them likes, as one record of weights.

Weights are counted in cells: a weight of three means "worth skipping three cells for".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from qwixx.kernel.jit import entry
from qwixx.kernel.records import MENU, SEATS, Ints, Records, record_type, type_int
from qwixx.notation import Action
from qwixx.players.base import Pads, Player, Registered, Words
from qwixx.players.loops import choice_of
from qwixx.question import Question
from qwixx.variants.model import Variant

WEIGHTS: Final = record_type(
    [
        ("slips", type_int),  # takes any legal action in so many decisions out of a hundred, whatever the weights say
        ("most_skipped", type_int),  # passes rather than skip more cells than this
        ("most_skipped_or_miss", type_int),  # the same where passing means a miss (C6)
        ("lock", type_int),  # closing a row (C7)
        ("effect", type_int),  # a boxed or paired cell (BA2, BB1)
        ("capture", type_int),  # duel: capturing a pawn (D3)
        ("stack", type_int),  # duel: a stack, which nobody can capture (D4)
        ("cross", type_int),  # cards: a cross of a play (K5)
        ("miss", type_int),  # cards: not taking a miss (K6)
        ("reach", type_int),  # cards: numbers further away than this are of no use in the hand (K3)
    ]
)
"""A player who weighs, as compiled code reads it."""
SEATING: Final = record_type([("players", WEIGHTS, (SEATS,))])
"""Who sits on which seat."""
PAPER, BOARD, CARDS = "paper", "board", "cards"
"""Kinds of game: dice and a sheet each, the duel's shared board, the card game."""
Weights = Mapping[str, int]


def kind_of(variant: Variant) -> str:
    """Tell what kind of game a variant is."""
    return CARDS if variant.is_cards else BOARD if variant.is_duel else PAPER


@dataclass(frozen=True, slots=True)
class Weigher(Registered):
    """A player who weighs: its name, its habit in a few words, and its weights for each kind of game it can play."""

    name: str
    habit: str
    weights: Mapping[str, Weights]
    is_house = True
    remembers = False
    is_quick = True

    def plays(self, variant: Variant, seats: int) -> bool:
        """Whether there are weights for this kind of game."""
        return seats in variant.seats and kind_of(variant) in self.weights

    def record(self, variant: Variant) -> Records:
        """Give the weights as compiled code reads them, in an array of one."""
        row: Records = np.zeros(1, WEIGHTS)
        for field, value in self.weights[kind_of(variant)].items():
            row[field] = value
        return row

    def never_slips(self, variant: Variant) -> bool:
        """Whether it thinks about every decision, and so needs no luck."""
        return not self.weights[kind_of(variant)].get("slips")

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Give the one who decides."""
        return _WeighingPlayer(variant, seats, self.record(variant))


class _WeighingPlayer(Player):
    """Weighs, for any seat of any game."""

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
