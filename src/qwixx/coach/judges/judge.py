"""What a judge says: what a position is worth to each seat, and what each legal choice there would leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from qwixx.game import Game
from qwixx.kernel import door
from qwixx.kernel.records import ACTIONS, NO_CHOICE, STATE, Ints, Records
from qwixx.kernel.trail import new_trail
from qwixx.notation import Action
from qwixx.phrases import phrases_of
from qwixx.question import legal_actions

WIN, POINTS = "win", "points"
"""What is measured: the chance of winning, or alone the points at the end."""
EXACT, LEARNED, ROLLOUTS, PLAYED_ON = "exact", "learned", "rollouts", "played on"
"""How a value was obtained: worked out, by a net, by playing the net's games on, by playing a rule of thumb's on."""
BY_LOT = (ROLLOUTS, PLAYED_ON)
"""Those whose values are means of games drawn by lot, with an interval each."""
Numbers = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Weight:
    """One legal action of a seat: what it is worth to each seat, as the seat that decides can see it."""

    action: Action
    values: Numbers
    """By the measure, for each seat."""
    points: Numbers
    """Points that each seat will have at the end, on average."""
    interval: float = 0.0
    """Half the width of the 95 % interval of the difference to the best; 0 where nothing was drawn by lot."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A position in which somebody decides: what it is worth to each seat, and all choices of each who decides."""

    values: Numbers
    points: Numbers
    choices: dict[int, list[Weight]]
    shows_cards: bool = False
    """Whether the decision shows cards that its seat has not seen yet: then chance has a part in what follows."""
    settled: dict[int, str] = field(default_factory=dict)
    """By seat: how its choices were compared, where that differs from what the judge usually does."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth to each seat where chance is next, or the game is over."""

    values: Numbers
    points: Numbers


class Judge(Protocol):
    """Somebody who says what positions are worth."""

    by: str
    """Who says so."""
    source: str
    measure: str
    error: float
    """How far its values may be off: a smaller loss is no mistake."""

    def worth(self, game: Game) -> Worth:
        """Value a position where chance is next, or the game is over."""

    def weigh(self, game: Game) -> Weighed:
        """Value all choices of all who decide; each is judged by what its seat may know, and no more."""

    def settle(self, game: Game, seat: int, weighed: Weighed, actions: Sequence[Action], games: int) -> Weighed | None:
        """Compare some choices of a seat better, by playing so many games on after each; None where it cannot."""


def best_of(found: Sequence[Weight], seat: int) -> Weight:
    """Give the choice that is worth most to a seat."""
    return max(found, key=lambda weight: weight.values[seat])


# ---- states to try choices on


def repeated(states: Records, times: int) -> Records:
    """Copy one state many times; numpy's own copy goes field by field, and takes far longer."""
    return np.frombuffer(bytearray(states.tobytes() * times), STATE)


def fresh(layouts: Records, states: Records) -> Records:
    """Copy a state as it was when its window opened: nobody has chosen."""
    copies = repeated(states, 1)
    copies["waiting"] = door.asked(layouts, copies, 0)
    copies["choices"] = NO_CHOICE
    return copies


def choices_of(game: Game, seat: int) -> list[Action]:
    """List what a seat may decide in the open window, whether or not it has decided."""
    layouts, states = game.raw()
    room = np.zeros(ACTIONS, np.int32)
    return legal_actions(phrases_of(game.variant, layouts), layouts, fresh(layouts, states), seat, room)


def asked_of(game: Game) -> tuple[int, ...]:
    """List the seats that decide in the open window, whether or not they have decided."""
    layouts, states = game.raw()
    mask = int(door.asked(layouts, states, 0))
    return tuple(seat for seat in range(game.seats) if mask >> seat & 1)


_TRAIL: Ints = new_trail()


def carry_out(layouts: Records, states: Records, at: int, choices: dict[int, int]) -> None:
    """Let seats decide in one of the states; all of it is legal."""
    for seat, action in choices.items():
        refused = door.decide(layouts, states, at, seat, action, _TRAIL)
        assert not refused, "a legal action was refused"
