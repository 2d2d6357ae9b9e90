"""
`Player`, which makes decisions at a table, and `Registered`, the entry of a player in the registry.

A `Registered` player has a name, knows which games it can play, and creates a `Player` for a seat (`sit`).
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

from qwixx.errors import QwixxError
from qwixx.game.question import Question, hand_of
from qwixx.game.view import View
from qwixx.kernel.state.records import Ints, Records
from qwixx.solver.policies.ranking import Ranking
from qwixx.text.action_parser import read_action
from qwixx.text.arguments import describe_value, with_noun
from qwixx.text.notation import Action
from qwixx.variants.model import Pad, Variant

Pads = Sequence[Pad]
Words = npt.NDArray[np.uint64]
_NO_ACTION = -1
Answer = Action | str | int
"""What `choose` may return: one of the legal actions, its text or its number."""


class InvalidAnswerError(QwixxError):
    """An answer that is not one of the legal actions."""


class Player:
    """
    The base class of players. Implement `choose` in a subclass, and it can play everywhere.

    There is a new instance for each game and each seat, with the variant, the number of seats, and a seed for this seat
    of this game. Take random numbers from `self.random`, so that a game can be repeated.
    """

    def __init__(self, variant: Variant, seats: int, seed: int = 0) -> None:
        """Prepare for one game."""
        self.variant = variant
        self.seats = seats
        self.random = random.Random(seed)  # noqa: S311 - a game, not a secret

    def choose(self, view: View, legal: Sequence[Action]) -> Answer:
        """Return one of the legal actions, by what the seat sees."""
        raise NotImplementedError

    def answer(self, question: Question) -> Action:
        """Return one decision. Raises `InvalidAnswerError` if `choose` does not return a legal action."""
        return read_answer(question, self.choose(question.view, list(question.legal)))

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """Decide in many games at once; each state is redacted for its seat. Return the numbers of the actions."""
        actions = np.zeros(len(states), np.int32)
        for at in range(len(states)):
            question = Question(self.variant, layouts, states[at : at + 1], int(seats[at]), int(lucks[at]))
            actions[at] = self.answer(question).id
        return actions


class Registered(ABC):
    """An entry of the registry: a player's name, and its habit in a few words."""

    __slots__ = ()

    name: str
    habit: str
    is_built_in: bool = False
    """Whether it is part of this package: then it is called directly, without supervision."""
    remembers: bool = True
    """Whether each game and seat needs its own instance; without memory one instance can decide for all."""
    is_quick: bool = False
    """Whether it decides in microseconds, and so need not wait in a queue with players that may take long."""

    @abstractmethod
    def plays(self, variant: Variant, seats: int) -> bool:
        """Return whether it can play this game with this number of seats."""

    def setup_needed(self, variant: Variant, pads: Pads | None = None) -> str:
        """Describe the setup that `sit` needs, if it may take long; empty if not."""
        return ""

    def ranking(self, variant: Variant) -> Ranking | None:
        """Return how it ranks the cells of a sheet, if that is all it does: the solver then knows its exact score."""
        return None

    @abstractmethod
    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """
        Return the player for one seat of one game.

        `pads` are the lucky numbers that can be dealt in Longo (L5); by default all that are printed.
        """


def check_sits(player: Registered, variant: Variant, seats: int) -> None:
    """Raise `QwixxError` if a player cannot sit down at a game, as the first step of `sit`."""
    if not isinstance(variant, Variant):
        shown = describe_value(variant)
        raise QwixxError(f"A player sits down at a variant such as qwixx.variant('classic'), not at {shown}.")
    if not player.plays(variant, seats):
        raise QwixxError(f"The player {player.name!r} cannot play {variant.id} with {with_noun(seats, 'seat')}.")


def read_answer(question: Question, answer: object) -> Action:
    """Return the legal action of an answer: an action, its text or its number. Raises `InvalidAnswerError`."""
    number, text = _NO_ACTION, answer if isinstance(answer, str) else None
    if isinstance(answer, Action):
        number = answer.id
    elif isinstance(answer, SupportsIndex) and not isinstance(answer, bool):
        with suppress(TypeError):  # an array has an index only if it is a number
            number = operator.index(answer)
    if text is not None:
        with suppress(QwixxError):  # parsed as in `Game.decide`: in any order, with blanks
            number = read_action(question.variant, hand_of(question.states, question.seat), text)
    for action in question.legal:
        if number == action.id:
            return action
    some = ", ".join(action.text for action in question.legal[:5])
    more = ", ..." if len(question.legal) > 5 else ""
    raise InvalidAnswerError(f"{_shown(answer)} is none of the legal actions ({some}{more})")


def _shown(answer: object) -> str:
    """Return a short text for any answer."""
    try:
        text = f"the action {answer.text}" if isinstance(answer, Action) else repr(answer)
    except Exception:  # even the `repr` of an answer may fail
        text = f"a {type(answer).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
