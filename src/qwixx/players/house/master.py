"""
The player that has learned the game by playing against itself.

It follows a net (`qwixx.learn`) that was trained for the sheet and the number of seats: one that came with the package,
or one of your own (`qwixx train`). Where there is none it does not play.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel.jit import bulk
from qwixx.kernel.records import SEATS, Ints, Records
from qwixx.learn.bench import BENCH
from qwixx.learn.deciding import decide, refuse
from qwixx.learn.net import Floats, Net
from qwixx.learn.tables import lay_out
from qwixx.learn.value import Value, value_of
from qwixx.learn.weights import find_weights, read_weights
from qwixx.notation import Action
from qwixx.players.base import Pads, Player, Registered, Words
from qwixx.question import Question
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant


@bulk
def _answer_all(
    layouts: Records,
    inputs: Records,
    tables: Floats,
    layers: Records,
    benches: Records,
    states: Records,
    seats: Ints,
    actions: Ints,
) -> None:
    choices = np.zeros(SEATS, np.int32)
    for at in range(len(states)):
        decide(layouts[0], inputs[0], tables, layers[0], states[at], benches[0], 1 << seats[at], choices)
        actions[at] = choices[seats[at]]


@lru_cache(maxsize=8)
def _read(path: Path, _written: int, variant: Variant, seats: int) -> Net:
    return read_weights(path, variant, seats)[1].for_seats(seats)


def net_of(variant: Variant, seats: int) -> Net:
    """Get the net for a game and a number of seats; those used last are kept. Raises `QwixxError` if there is none."""
    refuse(variant, seats)
    path = find_weights(variant, seats)
    if path is None:
        raise QwixxError(
            f"Nobody has trained a net for {variant.id} with {seats} seats; qwixx train {variant.id} does it."
        )
    return _read(path, path.stat().st_mtime_ns, variant, seats)


class MasterPlayer(Player):
    """Decides by a net, for any seat of any game."""

    def __init__(self, variant: Variant, seats: int) -> None:
        """Get the net."""
        super().__init__(variant, seats)
        self._net = net_of(variant, seats)
        self._inputs = lay_out(compile_layout(variant))

    def answer(self, question: Question) -> Action:
        """Decide once."""
        seats = np.array([question.seat], np.int32)
        found = self.answer_many(question.layouts, question.states, seats, np.zeros(1, np.uint64))
        return question.action(int(found[0]))

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """Decide in many games at once."""
        actions = np.zeros(len(states), np.int32)
        net = self._net
        # Room of its own for every call: threads may share a player.
        benches: Records = np.zeros(1, BENCH)
        _answer_all(layouts, self._inputs, net.tables, net.layers, benches, states, seats, actions)
        return actions

    def value(self, question: Question) -> Value:
        """Say what the position is worth to every seat, as far as the one who is asked can see it."""
        return value_of(question.layouts, self._net, question.states)


class Master(Registered):
    """The learned player as it is known."""

    name = "master"
    habit = "what it has learned in games against itself"
    is_house = True
    remembers = False
    is_quick = True

    def plays(self, variant: Variant, seats: int) -> bool:
        """Whether there is a net for the game and the number of seats."""
        try:
            refuse(variant, seats)
        except QwixxError:
            return False
        return find_weights(variant, seats) is not None

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Give the one who decides."""
        return MasterPlayer(variant, seats)


MASTER = Master()
PLAYERS = (MASTER,)
