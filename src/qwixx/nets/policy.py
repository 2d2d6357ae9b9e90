"""Decisions by a net in any game that it can learn, and evaluation of positions."""

from __future__ import annotations

from typing import Final

from qwixx.errors import QwixxError
from qwixx.jit.decorators import kernel
from qwixx.kernel.effects import NETS
from qwixx.kernel.state.records import CARDS, COLOR, Ints, Record
from qwixx.nets.card_policy import decide_with_cards
from qwixx.nets.dice_policy import decide_color, decide_window, evaluate
from qwixx.nets.duel_board import decide_on_board, evaluate_board
from qwixx.nets.hand_features import DRAWN, evaluate_cards
from qwixx.nets.network import LoadedNet
from qwixx.variants.features import features_of, supported_by
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant

FEATURES: Final = (
    supported_by(NETS),
    frozenset({"dice", "shared-board", "pawns"}),
    frozenset({"cards", "personal-rows", "jokers", "mixed-colors"}),
)
"""Supported features (`variants.features`): sheets with dice, a shared board, or cards; all else is refused."""


def refuse(variant: Variant, seats: int) -> None:
    """Raise `QwixxError` for a game that no net can learn yet."""
    variant.check_seats(seats)
    known_features = FEATURES if seats > 1 else FEATURES[:1]
    unknown = min((features_of(compile_layout(variant)) - known for known in known_features), key=len)
    if unknown:
        raise QwixxError(f"No net can learn {variant.id} yet: it has {', '.join(sorted(unknown))}.")


@kernel
def decide(net: LoadedNet, state: Record, asked: int, choices: Ints) -> None:
    """Decide for the seats in the mask `asked`."""
    if net.layout.flow == CARDS:
        decide_with_cards(net, state, asked, choices)
    elif net.layout.shared:
        decide_on_board(net, state, choices)
    elif state.phase == COLOR:
        choices[state.active] = decide_color(net, state)
    else:
        decide_window(net, state, asked, choices)


@kernel
def can_evaluate(layout: Record, position: Record, kind: int, seats: int, seat: int) -> bool:
    """
    Return whether the net evaluates a position for a seat: a state before a roll or a phase of cards, or a stored one.

    With dice and two seats it evaluates only the seat that rolls: what one wins the other loses. With cards each seat
    knows its own hand, and cards just drawn are known to no other seat.
    """
    if layout.flow == CARDS:
        return bool(kind != DRAWN or seat == position.active)
    return bool(seats > 2 or seat == position.active)


@kernel
def evaluate_position(net: LoadedNet, position: Record, kind: int, seats: int, seat: int) -> None:
    """Compute the net's outputs for a seat in a position; see `can_evaluate`."""
    if net.layout.flow == CARDS:
        evaluate_cards(net, position, seats, seat, kind)
        return
    if net.layout.shared:
        evaluate_board(net, position, seat)
        return
    for other in range(seats):
        net.scratch.sheets[other] = position.sheets[other]
        net.scratch.places[other] = other
    evaluate(net, seats, position.closed, position.active, seat)
