"""
The player that follows a net, trained by self-play.

The net (`qwixx.nets`) was trained for the sheet and the number of seats. It comes with the package or from
`qwixx train`. Without a net the player does not play. The levels follow the same nets with random errors (`levels`).

In solitaire it looks up the best decision if the sheet was solved before (`optimal`). Otherwise it follows a net for
one seat, which the exact solution has taught; docs/strength.md says how far that is from the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from qwixx.errors import QwixxError
from qwixx.game.question import Question
from qwixx.jit.decorators import borrowed, entry
from qwixx.kernel.state.records import COLOR, SEATS, Ints, Records
from qwixx.nets.feature_tables import feature_layout
from qwixx.nets.network import Floats, LoadedNet, Net
from qwixx.nets.policy import decide, refuse
from qwixx.nets.scratch import SCRATCH
from qwixx.nets.value import Value, value_of
from qwixx.nets.weight_files import Heading, check_seats, find_weights, read_weights
from qwixx.players.built_in.optimal import OPTIMAL, OptimalPlayer, is_solved
from qwixx.players.player import Pads, Player, Registered, Words, check_sits
from qwixx.text.arguments import with_noun
from qwixx.text.notation import Action
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant


@entry
def _answer_all(
    layouts: Records,
    inputs: Records,
    tables: Floats,
    layers: Records,
    scratches: Records,
    states: Records,
    seats: Ints,
    lucks: Words,
    actions: Ints,
) -> None:
    net = LoadedNet(layouts[0], inputs[0], borrowed(tables), layers[0], scratches[0])
    choices = np.zeros(SEATS, np.int32)
    for at in range(len(states)):
        net.scratch.luck = lucks[at]
        decide(net, states[at], 1 << seats[at], choices)
        actions[at] = choices[seats[at]]


@lru_cache(maxsize=16)
def _read(path: Path, _written: int, variant: Variant) -> tuple[Heading, Net]:
    return read_weights(path, variant)


def net_of(variant: Variant, seats: int) -> Net:
    """Return the net for a game and a number of seats, from a cache. Raises `QwixxError` if there is none."""
    refuse(variant, seats)
    path = find_weights(variant, seats)
    if path is None:
        raise QwixxError(
            f"There is no trained net for {variant.id} with {with_noun(seats, 'seat')}; "
            f"qwixx train {variant.id} --seats {seats} trains one."
        )
    heading, net = _read(path, path.stat().st_mtime_ns, variant)
    check_seats(path, heading, seats)
    return net.for_seats(seats)


def has_net(variant: Variant, seats: int) -> bool:
    """Return whether there is a net for a game with a number of seats."""
    try:
        refuse(variant, seats)
    except QwixxError:
        return False
    return find_weights(variant, seats) is not None


class LearnedPlayer(Player):
    """Decides by a net, for any seat of any game, with random errors of a given size (`qwixx.nets.noise`)."""

    def __init__(self, variant: Variant, seats: int, noise: float = 0.0) -> None:
        """Load the net."""
        super().__init__(variant, seats)
        self._net = net_of(variant, seats)
        self._inputs = feature_layout(compile_layout(variant))
        self._noise = noise

    def answer(self, question: Question) -> Action:
        """Return one decision."""
        seats = np.array([question.seat], np.int32)
        lucks = np.array([question.luck], np.uint64)
        return question.action(int(self.answer_many(question.layouts, question.states, seats, lucks)[0]))

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """Decide in many games at once."""
        return self._evaluate(layouts, states, seats, lucks)[0]

    def _evaluate(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> tuple[Ints, Records]:
        """Return the decisions, and the scratch memory of the last one."""
        actions = np.zeros(len(states), np.int32)
        net = self._net
        # New scratch memory for every call: threads may share a player.
        scratches: Records = np.zeros(1, SCRATCH)
        scratches["noise"] = self._noise
        _answer_all(layouts, self._inputs, net.tables, net.layers, scratches, states, seats, lucks, actions)
        return actions, scratches


class MasterPlayer(LearnedPlayer):
    """Decides by a net without errors, and returns values of positions and actions."""

    measure = "win probability"

    def value(self, question: Question) -> Value:
        """Return the value of the position for every seat, by what the asked seat can see."""
        return value_of(question.layouts, self._net, question.states, question.seat)

    def values(self, question: Question) -> Sequence[float]:
        """Return the win probability of each legal action, from 0 to 1, if all seats continue as the net would."""
        if len(question.legal) == 1:  # nothing was evaluated
            return [self.value(question).win_probabilities[question.seat]]
        seats, lucks = np.array([question.seat], np.int32), np.zeros(1, np.uint64)
        scratch = self._evaluate(question.layouts, question.states, seats, lucks)[1][0]
        is_color = question.states["phase"][0] == COLOR
        menu, values = (
            (scratch.next_menu, scratch.next_values) if is_color else (scratch.option_menu, scratch.option_values)
        )
        count = len(question.legal)  # behind them are values of earlier evaluations
        values_by_id = dict(zip(menu.actions[:count].tolist(), values[:count].tolist(), strict=True))
        return [_sigmoid(values_by_id[action.id]) for action in question.legal]


def _sigmoid(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(logit, -50, 50))))


class Master(Registered):
    """The player `master` in the registry."""

    name = "master"
    habit = "what it has learned in games against itself"
    is_built_in = True
    remembers = False
    is_quick = True

    def plays(self, variant: Variant, seats: int) -> bool:
        """Return whether there is a net for the game and the number of seats, or in solitaire a solved table."""
        return has_net(variant, seats) or (seats == 1 and OPTIMAL.plays(variant, 1) and is_solved(variant))

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Return the player for a seat."""
        check_sits(self, variant, seats)
        if seats == 1:
            return OptimalPlayer(variant, 1, pads) if is_solved(variant, pads) else LearnedPlayer(variant, 1)
        return MasterPlayer(variant, seats)


MASTER = Master()
PLAYERS = (MASTER,)
