"""
What a seat is asked: where the game stands, as far as this seat may know it.

A question is made from a copy of the state that the kernel has redacted, and from nothing else; whoever answers it
cannot see more than the seat.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b

import numpy as np

from qwixx.kernel import door
from qwixx.kernel.records import ACTIONS, Ints, Records
from qwixx.notation import Action
from qwixx.phrases import Phrases, phrases_of
from qwixx.variants.model import Variant
from qwixx.view import Drawn, View, read_view


class Question:
    """One decision that a seat owes."""

    def __init__(
        self,
        variant: Variant,
        layouts: Records,
        states: Records,
        seat: int,
        luck: int = 0,
        drawn: Drawn | None = None,
    ) -> None:
        """
        Ask a seat; `states` holds one state, redacted for it, and `luck` is a word for the player's own draws.

        `drawn` remembers sheets of the same game from one question to the next.
        """
        self.variant = variant
        self.layouts = layouts
        self.states = states
        self.seat = seat
        self.luck = luck
        self._drawn = drawn

    @property
    def seats(self) -> int:
        """How many seats play."""
        return int(self.states["seats"][0])

    @cached_property
    def view(self) -> View:
        """The game as the seat sees it."""
        return read_view(self.variant, self.layouts, self.states, self.seat, self._drawn)

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """What the seat may decide."""
        room = np.zeros(ACTIONS, np.int32)
        return tuple(legal_actions(phrases_of(self.variant, self.layouts), self.layouts, self.states, self.seat, room))

    def for_a_guest(self, drawn: Drawn | None = None) -> Question:
        """Copy the question for a player from elsewhere: what it does to its copy changes nothing here."""
        copy = Question(self.variant, self.layouts, self.states.copy(), self.seat, seed_of(self.luck, self.seat), drawn)
        copy.__dict__["legal"] = tuple(Action(action.id, action.text) for action in self.legal)  # found already
        return copy

    def action(self, number: int) -> Action:
        """Write an action of this seat."""
        return phrases_of(self.variant, self.layouts).action(number, hand_of(self.states, self.seat))

    def __repr__(self) -> str:
        view = self.view
        words = "" if view.dice is None else f", dice {view.dice}"
        return f"<Question to seat {self.seat} of {self.variant.id}: turn {view.turn}, phase {view.phase}{words}>"


def seed_of(luck: int, seat: int) -> int:
    """
    Give the seed of a player of its own, from the game's luck and the seat, so that no two are alike.

    There is no way back from it: whoever knew the luck of a game could work out the dice to come.
    """
    digest = blake2b(luck.to_bytes(8, "little") + seat.to_bytes(1, "little"), digest_size=8, person=b"qwixx-seed")
    return int.from_bytes(digest.digest(), "little")


def legal_actions(phrases: Phrases, layouts: Records, states: Records, seat: int, room: Ints) -> list[Action]:
    """List what a seat may decide now; `room` is an array with a place for every action."""
    count = door.legal(layouts, states, 0, seat, room)
    numbers = room[:count].tolist()
    known = phrases.known
    try:
        return [known[number] for number in numbers]
    except KeyError:  # never said before, or a play of cards
        hand = hand_of(states, seat)
        return [phrases.action(number, hand) for number in numbers]


def hand_of(states: Records, seat: int) -> list[int]:
    """Give the cards in a seat's hand."""
    hand: list[int] = states["hands"][0, seat, : states["held"][0, seat]].tolist()
    return hand
