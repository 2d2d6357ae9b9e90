"""
The net's value of a position: the win probability and the expected final points of every seat.

Before a roll the net is evaluated directly. After it, the rest of the turn is first played as the net would play it,
until the next roll or the end of the game. With cards this is done for the number for all.

Of other hands the asking seat sees the numbers (K11). Their cards are dealt many times, from those that it has not
seen, and the mean is returned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from qwixx.jit.decorators import borrowed, eager_entry, kernel
from qwixx.kernel import flow
from qwixx.kernel.game_end import winners
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import (
    CARDS,
    COLOR,
    NUMBER,
    OVER,
    PLAY,
    SEATS,
    SHUFFLE,
    WHITE,
    Record,
    Records,
)
from qwixx.nets.deal_hidden import determinize_hands
from qwixx.nets.dice_policy import solitaire_points
from qwixx.nets.feature_tables import load_net
from qwixx.nets.hand_features import DRAWN, NUMBER_OVER, TURN
from qwixx.nets.network import (
    OWN_POINTS,
    POINTS_SCALE,
    THEIR_POINTS,
    WIN,
    Floats,
    LoadedNet,
    Net,
    NetArrays,
    sigmoid,
)
from qwixx.nets.policy import can_evaluate, decide, evaluate_position

_WORLDS: Final = 16
"""How often hidden hands are dealt for one value."""
_SEED: Final = np.uint64(0x3A4D5)
_TINY: Final = 1e-9
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a position, seat by seat."""

    win_probabilities: tuple[float, ...]
    """The win probability of each seat; they add up to 1, because k winners count 1/k each."""
    points: tuple[float, ...]
    """The expected final points of each seat."""


@kernel
def _finish_turn(net: LoadedNet, state: Record) -> None:
    """Play until the next roll, the end of the game, or a phase in which cards are drawn or played."""
    choices = np.zeros(SEATS, np.int32)
    while state.phase in (WHITE, COLOR, NUMBER):
        asked = flow.asked(net.layout, state)
        state.waiting = asked  # choices that others have made are hidden: they choose again
        decide(net, state, asked, choices)
        for seat in range(state.seats):
            if asked >> seat & 1:
                flow.decide(net.layout, state, seat, choices[seat], None)


@kernel
def _kind_of(state: Record, seat: int) -> int:
    """Return the kind of a position for a seat, outside the phase of the number for all (`hand_features`)."""
    if state.phase == PLAY:
        return NUMBER_OVER
    return DRAWN if state.phase == SHUFFLE and seat == state.active else TURN


@kernel
def value_state(net: LoadedNet, state: Record, win_probabilities: Floats, points: Floats) -> None:
    """Write the win probability and points of each seat; this plays the state. In solitaire only points matter."""
    layout = net.layout
    _finish_turn(net, state)
    seats = state.seats
    if state.phase == OVER:
        scores = np.zeros(SEATS, np.int32)
        for seat in range(seats):
            scores[seat] = flow.score(layout, state, seat)
            points[seat] = np.float32(scores[seat])
        mask = winners(scores, seats)
        for seat in range(seats):
            win_probabilities[seat] = np.float32(mask >> seat & 1)
        win_probabilities[:seats] /= win_probabilities[:seats].sum()
    elif seats == 1:
        win_probabilities[0] = np.float32(1.0)
        points[0] = solitaire_points(net, state) * POINTS_SCALE
    else:
        outputs = net.scratch.buffers.outputs
        for seat in range(seats):
            kind = _kind_of(state, seat)
            if can_evaluate(layout, state, kind, seats, seat):
                evaluate_position(net, state, kind, seats, seat)
                win_probabilities[seat] = sigmoid(outputs[WIN])
                points[seat] = outputs[OWN_POINTS] * POINTS_SCALE
                if seats == 2 and layout.flow != CARDS:
                    win_probabilities[1 - seat] = 1 - win_probabilities[seat]
                    points[1 - seat] = outputs[THEIR_POINTS] * POINTS_SCALE


@eager_entry
def _deal_worlds(layouts: Records, worlds: Records, seat: int) -> None:
    """Deal the hands that a seat (-1: a spectator) sees only from behind, in every copy of a state."""
    for at in range(len(worlds)):
        determinize_hands(layouts[0], worlds[at], seat, rng.player_stream_seed(_SEED, np.uint64(at)))


@eager_entry
def _evaluate_world(arrays: NetArrays, states: Records, win_probabilities: Floats, points: Floats) -> None:
    """Write the win probability and points of each seat; this plays the state."""
    net = LoadedNet(arrays.layouts[0], arrays.inputs[0], borrowed(arrays.tables), arrays.layers[0], arrays.scratches[0])
    value_state(net, states[0], win_probabilities, points)


def value_of(layouts: Records, net: Net, states: Records, seat: int | None = None) -> Value:
    """
    Return the net's value of a position; `states` holds one state.

    No hidden information is used: with cards, the hand of `seat` and the numbers of all hands; None is a spectator.
    """
    seats = int(states["seats"][0])
    has_hands = layouts["flow"][0] == CARDS
    worlds = states[:1].repeat(_WORLDS if has_hands else 1)
    if has_hands:
        _deal_worlds(layouts, worlds, -1 if seat is None else seat)
    worlds["rng"] = 0
    win_probabilities, points = np.zeros((len(worlds), SEATS), np.float32), np.zeros((len(worlds), SEATS), np.float32)
    arrays = load_net(layouts, net, seats)
    for at in range(len(worlds)):
        _evaluate_world(arrays, worlds[at : at + 1], win_probabilities[at], points[at])
    found = win_probabilities[:, :seats].mean(axis=0, dtype=np.float64)
    means = points[:, :seats].mean(axis=0, dtype=np.float64)
    return Value(tuple(_normalized(found, seat if has_hands else None).tolist()), tuple(means.tolist()))


def _normalized(win_probabilities: Doubles, seat: int | None) -> Doubles:
    """Scale probabilities to add up to 1; that of a seat which knows more than the others stays as it is."""
    total = float(win_probabilities.sum())
    own = 0.0 if seat is None else float(win_probabilities[seat])
    scaled: Doubles = win_probabilities * ((1 - own) / max(total - own, _TINY))
    if seat is not None:
        scaled[seat] = own
    return scaled
