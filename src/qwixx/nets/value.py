"""
What a net says about a position: the chance of winning of every seat, and the points it expects them to end with.

Before a roll the net is asked directly. After it, the rest of the turn is played out first as the net itself would play
it: then chance is next again, or the game is over. With cards that goes for the number for all.

Hands that are hidden from whoever asks are dealt many times, from the cards that were not seen, and the mean is told.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from qwixx.kernel import flow
from qwixx.kernel.ends import winners
from qwixx.kernel.jit import bulk, kernel
from qwixx.kernel.records import (
    CARDS,
    COLOR,
    HAND,
    NO_CARD,
    NUMBER,
    OVER,
    PLAY,
    SEATS,
    SHUFFLE,
    WHITE,
    Record,
    Records,
)
from qwixx.learn.bench import BENCH
from qwixx.learn.deciding import decide, is_asked, look_at
from qwixx.learn.games import POSITION, keep
from qwixx.learn.hand import DRAWN, NUMBER_OVER, TURN
from qwixx.learn.lessons import chance_of
from qwixx.learn.net import OWN_POINTS, POINTS_SCALE, THEIR_POINTS, WIN, Floats, Net
from qwixx.learn.tables import lay_out
from qwixx.learn.turn import points_alone

_WORLDS: Final = 16
"""How often hidden hands are dealt."""
_SEED: Final = 0x3A4D5
_TINY: Final = 1e-9
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Value:
    """What a position is worth, seat by seat."""

    chances: tuple[float, ...]
    """The chance of winning of each seat; they add up to 1, since a shared win counts in part."""
    points: tuple[float, ...]
    """The points that each seat will have at the end, on average."""


@kernel
def _finish_turn(layout: Record, inputs: Record, tables: Floats, layers: Record, state: Record, bench: Record) -> None:
    """Play on until chance has its turn, the game is over, or cards are drawn or played."""
    choices = np.zeros(SEATS, np.int32)
    while state.phase in (WHITE, COLOR, NUMBER):
        asked = flow.asked(layout, state)
        state.waiting = asked  # what others have chosen already is hidden: they choose anew
        decide(layout, inputs, tables, layers, state, bench, asked, choices)
        for seat in range(state.seats):
            if asked >> seat & 1:
                flow.decide(layout, state, seat, choices[seat], None)


@kernel
def _kind_of(state: Record, seat: int) -> int:
    """Tell what kind of position it is to a seat, where nobody has a number to use (`hand`)."""
    if state.phase == PLAY:
        return NUMBER_OVER
    return DRAWN if state.phase == SHUFFLE and seat == state.active else TURN


@kernel
def value_state(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    state: Record,
    bench: Record,
    position: Record,
    chances: Floats,
    points: Floats,
) -> None:
    """Write down chances and points of each seat; the state is played on. Alone there are only points."""
    _finish_turn(layout, inputs, tables, layers, state, bench)
    seats = state.seats
    if state.phase == OVER:
        scores = np.zeros(SEATS, np.int32)
        for seat in range(seats):
            scores[seat] = flow.score(layout, state, seat)
            points[seat] = np.float32(scores[seat])
        mask = winners(scores, seats)
        for seat in range(seats):
            chances[seat] = np.float32(mask >> seat & 1)
        chances[:seats] /= chances[:seats].sum()
    elif seats == 1:
        chances[0] = np.float32(1.0)
        points[0] = points_alone(layout, inputs, tables, layers, state, bench) * POINTS_SCALE
    else:
        outputs = bench.desk.outputs
        for seat in range(seats):
            keep(layout, state, position, 0, _kind_of(state, seat))
            if is_asked(layout, position, seats, seat):
                look_at(layout, inputs, tables, layers, bench, position, seats, seat)
                chances[seat] = chance_of(outputs[WIN])
                points[seat] = outputs[OWN_POINTS] * POINTS_SCALE
                if seats == 2 and layout.flow != CARDS:
                    chances[1 - seat] = 1 - chances[seat]
                    points[1 - seat] = outputs[THEIR_POINTS] * POINTS_SCALE


@bulk
def _value(
    layouts: Records,
    inputs: Records,
    tables: Floats,
    layers: Records,
    states: Records,
    benches: Records,
    positions: Records,
    chances: Floats,
    points: Floats,
) -> None:
    """Write down chances and points of each seat; the state is played on."""
    value_state(layouts[0], inputs[0], tables, layers[0], states[0], benches[0], positions[0], chances, points)


def value_of(layouts: Records, net: Net, states: Records, seat: int | None = None) -> Value:
    """
    Say what a net thinks of a position; `states` holds one state.

    Nothing hidden is looked at: with cards, of all hands only that of `seat`, and none for a spectator, None.
    """
    seats = int(states["seats"][0])
    has_hands = layouts["flow"][0] == CARDS
    worlds = _worlds(layouts[0], states, seat) if has_hands else states[:1].copy()
    worlds["rng"] = 0
    chances, points = np.zeros((len(worlds), SEATS), np.float32), np.zeros((len(worlds), SEATS), np.float32)
    benches: Records = np.zeros(1, BENCH)
    positions: Records = np.zeros(1, POSITION)
    inputs, part = lay_out(layouts), net.for_seats(seats)
    for at in range(len(worlds)):
        _value(
            layouts,
            inputs,
            part.tables,
            part.layers,
            worlds[at : at + 1],
            benches,
            positions,
            chances[at],
            points[at],
        )
    found = chances[:, :seats].mean(axis=0, dtype=np.float64)
    means = points[:, :seats].mean(axis=0, dtype=np.float64)
    return Value(tuple(_adding_up(found, seat if has_hands else None).tolist()), tuple(means.tolist()))


def _adding_up(chances: Doubles, seat: int | None) -> Doubles:
    """Let chances add up to 1; where one seat knows more than others its own stays as it is."""
    total = float(chances.sum())
    own = 0.0 if seat is None else float(chances[seat])
    scaled: Doubles = chances * ((1 - own) / max(total - own, _TINY))
    if seat is not None:
        scaled[seat] = own
    return scaled


def _worlds(layout: Record, states: Records, seat: int | None) -> Records:
    """Give copies of a table with cards in which the hands that a seat cannot see are dealt anew."""
    worlds = states[:1].repeat(_WORLDS)
    state = states[0]
    own = [] if seat is None else state.hands[seat, : state.held[seat]].tolist()
    unseen = Counter(layout.deck[: layout.deck_size].tolist())
    unseen.subtract(own)
    unseen.subtract(state.discards[: state.discarded].tolist())
    left = sorted(unseen.elements())
    draw = np.random.default_rng(_SEED)
    for world in worlds:
        cards = draw.permutation(left).tolist()
        for other in range(state.seats):
            if other != seat:
                hand = [cards.pop() for _ in range(state.held[other])]
                world.hands[other] = sorted(hand) + [NO_CARD] * (HAND - len(hand))
    return worlds
