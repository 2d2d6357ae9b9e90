"""
A question to a seat: the state as this seat may know it, and its legal actions.

A question is made only from a copy of the state that the kernel has redacted. So a player that answers it cannot see
more than the seat.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b

import numpy as np

from qwixx.errors import QwixxError
from qwixx.game.view import SheetCache, View, read_view
from qwixx.game.vocabulary import Vocabulary
from qwixx.kernel import api
from qwixx.kernel.state.records import ACTIONS, Ints, Records
from qwixx.text.notation import Action
from qwixx.variants.model import Variant


class Question:
    """One decision that a seat owes."""

    def __init__(
        self,
        variant: Variant,
        layouts: Records,
        states: Records,
        seat: int,
        luck: int = 0,
        sheet_cache: SheetCache | None = None,
    ) -> None:
        """
        Ask a seat. `states` holds one state, redacted for it; `luck` is a seed for the player's own random numbers.

        `sheet_cache` keeps sheets of the same game for the next question.
        """
        self.variant = variant
        self.layouts = layouts
        self.states = states
        self.seat = seat
        self.luck = luck
        self._sheet_cache = sheet_cache

    @property
    def seats(self) -> int:
        """How many seats play."""
        return int(self.states["seats"][0])

    @cached_property
    def view(self) -> View:
        """The game as the seat sees it."""
        return read_view(self.variant, self.layouts, self.states, self.seat, self._sheet_cache)

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the seat."""
        room = np.zeros(ACTIONS, np.int32)
        return tuple(legal_actions(self.variant.derived(Vocabulary), self.layouts, self.states, self.seat, room))

    def for_custom_player(self, sheet_cache: SheetCache | None = None) -> Question:
        """Return a copy for a custom player, so that its changes have no effect on this question."""
        copy = Question(
            self.variant, self.layouts, self.states.copy(), self.seat, private_seed(self.luck, self.seat), sheet_cache
        )
        copy.__dict__["legal"] = tuple(Action(action.id, action.text) for action in self.legal)  # computed already
        return copy

    def action(self, number: int) -> Action:
        """Return the action of this seat with a number. Raises `QwixxError` if the seat has nothing to decide."""
        if not int(api.asked(self.layouts, self.states, 0)) >> self.seat & 1:
            raise QwixxError(f"Seat {self.seat} has nothing to decide here.")
        return self.variant.derived(Vocabulary).action(number, hand_of(self.states, self.seat))

    def __repr__(self) -> str:
        view = self.view
        words = "" if view.dice is None else f", dice {view.dice}"
        return f"<Question to seat {self.seat} of {self.variant.id}: turn {view.turn}, phase {view.phase}{words}>"


def private_seed(luck: int, seat: int) -> int:
    """
    Return a seed for a custom player, from the game's player seed and the seat, so that no two seats are equal.

    It is a one-way hash: code that knew the player seed of a game could compute the dice to come.
    """
    digest = blake2b(luck.to_bytes(8, "little") + seat.to_bytes(1, "little"), digest_size=8, person=b"qwixx-seed")
    return int.from_bytes(digest.digest(), "little")


def legal_actions(vocabulary: Vocabulary, layouts: Records, states: Records, seat: int, room: Ints) -> list[Action]:
    """Return the legal actions of a seat; `room` is an array with a place for every action."""
    count = api.legal(layouts, states, 0, seat, room)
    numbers = room[:count].tolist()
    known = vocabulary.known
    try:
        return [known[number] for number in numbers]
    except KeyError:  # not cached yet, or a play of cards
        hand = hand_of(states, seat)
        return [vocabulary.action(number, hand) for number in numbers]


def hand_of(states: Records, seat: int) -> list[int]:
    """Return the cards in a seat's hand."""
    hand: list[int] = states["hands"][0, seat, : states["held"][0, seat]].tolist()
    return hand
