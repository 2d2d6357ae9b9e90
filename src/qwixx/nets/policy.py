"""Deciding with a net in any game that can be learned, and asking it about any position that was kept."""

from __future__ import annotations

from typing import Final

from qwixx.errors import QwixxError
from qwixx.kernel.jit import kernel
from qwixx.kernel.records import CARDS, COLOR, Ints, Record
from qwixx.learn.board import decide_on_board, look_at_board
from qwixx.learn.cards import decide_with_cards
from qwixx.learn.hand import DRAWN, look_at_table
from qwixx.learn.net import Floats
from qwixx.learn.turn import decide_color, decide_window, look
from qwixx.variants.compile import compile_layout
from qwixx.variants.features import DICE_ON_SHEETS, features_of
from qwixx.variants.model import Variant

FEATURES: Final = (
    DICE_ON_SHEETS,
    frozenset({"dice", "shared-board", "pawns"}),
    frozenset({"cards", "personal-rows", "jokers", "mixed-colors"}),
)
"""What can be decided (`variants.features`): sheets with dice, a shared board, or cards; anything else is refused."""


def refuse(variant: Variant, seats: int) -> None:
    """Refuse a game that no net can learn yet. Raises `QwixxError`."""
    variant.check_seats(seats)
    if seats < 2:
        raise QwixxError("A net weighs a seat against others, so it needs two seats or more.")
    unknown = min((features_of(compile_layout(variant)) - known for known in FEATURES), key=len)
    if unknown:
        raise QwixxError(f"No net can learn {variant.id} yet: it has {', '.join(sorted(unknown))}.")


@kernel
def decide(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    state: Record,
    bench: Record,
    asked: int,
    choices: Ints,
) -> None:
    """Decide for the seats that are asked now, a mask."""
    if layout.flow == CARDS:
        decide_with_cards(layout, inputs, tables, layers, state, bench, asked, choices)
    elif layout.shared:
        decide_on_board(layout, inputs, tables, layers, state, bench, choices)
    elif state.phase == COLOR:
        choices[state.active] = decide_color(layout, inputs, tables, layers, state, bench)
    else:
        decide_window(layout, inputs, tables, layers, state, bench, asked, choices)


@kernel
def is_asked(layout: Record, position: Record, seats: int, seat: int) -> bool:
    """
    Whether the net can be asked for a seat about a position that was kept.

    With dice and two seats only the one that rolls is asked: what one wins the other loses. With cards each knows its
    own hand, and cards just drawn are known to nobody else.
    """
    if layout.flow == CARDS:
        return bool(position.kind != DRAWN or seat == position.active)
    return bool(seats > 2 or seat == position.active)


@kernel
def look_at(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    bench: Record,
    position: Record,
    seats: int,
    seat: int,
) -> None:
    """Work out what the net says to a seat about a position that was kept; see `is_asked`."""
    if layout.flow == CARDS:
        look_at_table(layout, inputs, tables, layers, bench, position, seats, seat, position.kind)
        return
    if layout.shared:
        look_at_board(layout, inputs, tables, layers, bench.desk, position, seat)
        return
    for other in range(seats):
        bench.sheets[other] = position.sheets[other]
        bench.places[other] = other
    look(layout, inputs, tables, layers, bench, seats, position.closed, position.active, seat)
