"""
Who decides: players, and the entries under which they are known.

A `Player` sits at a table and answers questions. A `Registered` player is known by a name, says what it can play, and
sits down when it is invited.
"""

from __future__ import annotations

import operator
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from qwixx.actions import read_action
from qwixx.errors import QwixxError
from qwixx.kernel.records import Ints, Records
from qwixx.notation import Action
from qwixx.question import Question, hand_of
from qwixx.variants.model import Pad, Variant
from qwixx.view import View

Pads = Sequence[Pad]
Words = npt.NDArray[np.uint64]
_NO_ACTION = -1
Answer = Action | str | int
"""What `choose` may give: one of the legal actions, its text or its number."""


class NonsenseError(QwixxError):
    """An answer that is none of the legal actions."""


class Player:
    """
    Somebody who decides. Write `choose` in a class of your own and it plays everywhere.

    It is built anew for each game and each seat: with the variant, the number of seats, and a seed that belongs to this
    seat of this game alone. Whoever draws lots draws from `self.random`, so that a game can be played again.
    """

    def __init__(self, variant: Variant, seats: int, seed: int = 0) -> None:
        """Sit down for one game."""
        self.variant = variant
        self.seats = seats
        self.random = random.Random(seed)  # noqa: S311 - a game, not a secret

    def choose(self, view: View, legal: Sequence[Action]) -> Answer:
        """Choose one of the legal actions, knowing what the seat sees."""
        raise NotImplementedError

    def answer(self, question: Question) -> Action:
        """Decide once. Raises `NonsenseError` if `choose` gives anything but a legal action."""
        return read_answer(question, self.choose(question.view, list(question.legal)))

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """Decide in many games at once: each state is redacted for its seat; gives the numbers of the actions."""
        actions = np.zeros(len(states), np.int32)
        for at in range(len(states)):
            question = Question(self.variant, layouts, states[at : at + 1], int(seats[at]), int(lucks[at]))
            actions[at] = self.answer(question).id
        return actions


class Registered(ABC):
    """A player as it is known: by a name, with a habit in a few words."""

    __slots__ = ()

    name: str
    habit: str
    is_house: bool = False
    """Whether it came with this package: then it is asked directly, without a guard."""
    remembers: bool = True
    """Whether it is built anew for each game and seat; one that remembers nothing can decide for all at once."""
    is_quick: bool = False
    """Whether it decides in microseconds, and so need not wait in line with those who may take long."""

    @abstractmethod
    def plays(self, variant: Variant, seats: int) -> bool:
        """Whether it can play this game with so many seats."""

    def takes(self, variant: Variant, pads: Pads | None = None) -> str:
        """Say what it takes to sit down, if that may take long; empty if it does not."""
        return ""

    @abstractmethod
    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """
        Give the one who decides.

        `pads` are the lucky numbers that can come up in Longo (L5); all that are printed, if they are not given.
        """


def read_answer(question: Question, answer: object) -> Action:
    """Find the legal action that was meant: by itself, its text or its number. Raises `NonsenseError`."""
    number, text = _NO_ACTION, answer if isinstance(answer, str) else None
    if isinstance(answer, Action):
        number = answer.id
    elif isinstance(answer, SupportsIndex) and not isinstance(answer, bool):
        with suppress(TypeError):  # an array has an index only if it is a number
            number = operator.index(answer)
    if text is not None:
        with suppress(QwixxError):  # read as `Game.decide` reads it: in any order, with blanks
            number = read_action(question.variant, hand_of(question.states, question.seat), text)
    for action in question.legal:
        if number == action.id:
            return action
    some = ", ".join(action.text for action in question.legal[:5])
    more = ", ..." if len(question.legal) > 5 else ""
    raise NonsenseError(f"{_shown(answer)} is none of the legal actions ({some}{more})")


def _shown(answer: object) -> str:
    """Show an answer, whatever it is, in a few letters."""
    try:
        text = f"the action {answer.text}" if isinstance(answer, Action) else repr(answer)
    except Exception:  # an answer may not even be able to show itself
        text = f"a {type(answer).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
