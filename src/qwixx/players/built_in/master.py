"""
The player that has learned the game by playing against itself.

It follows a net (`qwixx.learn`) that was trained for the sheet and the number of seats: one that came with the package,
or one of your own (`qwixx train`). Where there is none it does not play. The levels follow the same nets and misjudge
what they see there (`levels`).

Alone it looks the best decision up if the sheet was solved before (`optimal`). Else a net for two seats stands in, and
goes for the points that it expects; docs/strength.md says how far that is from the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel.jit import entry
from qwixx.kernel.records import COLOR, SEATS, Ints, Records
from qwixx.learn.bench import BENCH
from qwixx.learn.deciding import decide, refuse
from qwixx.learn.net import Floats, Net
from qwixx.learn.tables import lay_out
from qwixx.learn.value import Value, value_of
from qwixx.learn.weights import Heading, check_seats, find_weights, read_weights
from qwixx.notation import Action
from qwixx.players.base import Pads, Player, Registered, Words
from qwixx.players.house.optimal import OPTIMAL, OptimalPlayer, is_solved
from qwixx.question import Question
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant
from qwixx.wanted import counted

_FEWEST: Final = 2
"""Seats that a net knows at least."""


@entry
def _answer_all(
    layouts: Records,
    inputs: Records,
    tables: Floats,
    layers: Records,
    benches: Records,
    states: Records,
    seats: Ints,
    lucks: Words,
    actions: Ints,
) -> None:
    choices = np.zeros(SEATS, np.int32)
    for at in range(len(states)):
        benches[0].luck = lucks[at]
        decide(layouts[0], inputs[0], tables, layers[0], states[at], benches[0], 1 << seats[at], choices)
        actions[at] = choices[seats[at]]


@lru_cache(maxsize=16)
def _read(path: Path, _written: int, variant: Variant) -> tuple[Heading, Net]:
    return read_weights(path, variant)


def net_of(variant: Variant, seats: int) -> Net:
    """Get the net for a game and a number of seats; those used last are kept. Raises `QwixxError` if there is none."""
    refuse(variant, seats)
    path = find_weights(variant, seats)
    if path is None:
        raise QwixxError(
            f"Nobody has trained a net for {variant.id} with {counted(seats, 'seat')}; "
            f"qwixx train {variant.id} does it."
        )
    heading, net = _read(path, path.stat().st_mtime_ns, variant)
    check_seats(path, heading, seats)
    return net.for_seats(seats)


def has_net(variant: Variant, seats: int) -> bool:
    """Whether a game was learned with a number of seats."""
    try:
        refuse(variant, seats)
    except QwixxError:
        return False
    return find_weights(variant, seats) is not None


class LearnedPlayer(Player):
    """Decides by a net, for any seat of any game, and misjudges positions by so much (`qwixx.learn.noise`)."""

    def __init__(self, variant: Variant, seats: int, noise: float = 0.0) -> None:
        """Get the net."""
        super().__init__(variant, seats)
        self._net = net_of(variant, max(seats, _FEWEST))
        self._inputs = lay_out(compile_layout(variant))
        self._noise = noise

    def answer(self, question: Question) -> Action:
        """Decide once."""
        seats = np.array([question.seat], np.int32)
        lucks = np.array([question.luck], np.uint64)
        return question.action(int(self.answer_many(question.layouts, question.states, seats, lucks)[0]))

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """Decide in many games at once."""
        return self._weigh(layouts, states, seats, lucks)[0]

    def _weigh(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> tuple[Ints, Records]:
        """Decide, and give the bench on which the last decision was weighed."""
        actions = np.zeros(len(states), np.int32)
        net = self._net
        # Room of its own for every call: threads may share a player.
        benches: Records = np.zeros(1, BENCH)
        benches["noise"] = self._noise
        _answer_all(layouts, self._inputs, net.tables, net.layers, benches, states, seats, lucks, actions)
        return actions, benches


class MasterPlayer(LearnedPlayer):
    """Decides by a net as well as it can, and can say what everything is worth."""

    measure = "chance to win, in percent"

    def value(self, question: Question) -> Value:
        """Say what the position is worth to every seat, as far as the one who is asked can see it."""
        return value_of(question.layouts, self._net, question.states, question.seat)

    def values(self, question: Question) -> Sequence[float]:
        """Say what each legal action is worth: the chance to win in percent, if all go on as the net would."""
        if len(question.legal) == 1:  # nothing was weighed
            return [100 * self.value(question).chances[question.seat]]
        seats, lucks = np.array([question.seat], np.int32), np.zeros(1, np.uint64)
        bench = self._weigh(question.layouts, question.states, seats, lucks)[1][0]
        is_color = question.states["phase"][0] == COLOR
        menu, worths = (bench.color_menu, bench.color_worths) if is_color else (bench.white_menu, bench.white_worths)
        count = len(question.legal)  # behind them stands what was weighed before
        found = dict(zip(menu.actions[:count].tolist(), worths[:count].tolist(), strict=True))
        return [100 * _chance_of(found[action.id]) for action in question.legal]


def _chance_of(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(logit, -50, 50))))


class Master(Registered):
    """The learned player as it is known."""

    name = "master"
    habit = "what it has learned in games against itself"
    is_house = True
    remembers = False
    is_quick = True

    def plays(self, variant: Variant, seats: int) -> bool:
        """Whether there is a net for the game and the number of seats, or alone a table of the best decisions."""
        if seats == 1:
            return OPTIMAL.plays(variant, 1) and (has_net(variant, _FEWEST) or is_solved(variant))
        return has_net(variant, seats)

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Give the one who decides."""
        if seats == 1:
            return OptimalPlayer(variant, 1, pads) if is_solved(variant, pads) else LearnedPlayer(variant, 1)
        return MasterPlayer(variant, seats)


MASTER = Master()
PLAYERS = (MASTER,)
