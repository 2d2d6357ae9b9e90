"""Scratch memory for a decision: tried sheets or whole states, their cached sums, and the plan of the active seat."""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel.state.records import (
    ACTIONS,
    CARDS,
    DECK,
    DISPLAY,
    HAND,
    JOKER,
    MENU,
    POSITIONS,
    ROWS,
    SEATS,
    SHEET,
    STATE,
    Ints,
    Record,
    record_type,
    type_int,
)
from qwixx.nets.network import BUFFERS, HIDDEN, type_float

WHITE_SHEET, TRIED_SHEET, _SHEETS = SEATS, SEATS + 1, SEATS + 2
"""Indices of sheets behind those of the seats, and the number of sheets."""
NOW, AFTER_WHITE, AFTER_TURN, AFTER_PLAY, _STATES = range(5)
"""Indices of states, and the number of states."""
NOT_SUMMED: Final = -1
CERTAIN: Final = np.float32(1000.0)
"""The logit of a won game; no net is ever this sure."""
WORST: Final = np.float32(-1e9)
"""Less than any value."""
_SHARED: Final = np.array([0.0, 0.0, *(-np.log(np.float32(others)) for others in range(1, SEATS))], np.float32)
"""The logit of a shared win, by the number of winners."""
_POINT: Final = np.float32(0.01)
"""The logit of one more point in a finished game: tiny, it only breaks ties."""

SCRATCH: Final = record_type(
    [
        ("buffers", BUFFERS),
        ("sheets", SHEET, (_SHEETS,)),  # the predicted sheet of each seat, then sheets to try actions on
        ("places", type_int, (SEATS,)),  # the index of each seat's sheet in the evaluated position
        ("sums", type_float, (2 * _SHEETS, HIDDEN)),  # of table rows of single sheets: as own sheet, as an opponent's
        ("summed_for", type_int, (2 * _SHEETS,)),  # the closed rows for which a sum is valid, or NOT_SUMMED
        ("states", STATE, (_STATES,)),  # to try actions on whole states: the duel's board and cards
        ("option_menu", MENU),  # the actions of this phase: white sum, draw, number for all or play
        ("next_menu", MENU),  # the actions that follow in the same turn: color sum, or play
        ("option_values", type_float, (ACTIONS,)),  # the logit of each action on the menu
        ("next_values", type_float, (ACTIONS,)),
        ("patterns", type_int, (ROWS,)),  # of the cards in hand, row by row
        ("own_cards", type_int, (JOKER + 1,)),  # numbers of cards by color, as masks: in the own hand
        ("out_cards", type_int, (JOKER + 1,)),  # and those that cannot be drawn
        ("unseen_cards", type_int, (JOKER + 1,)),  # and those that the drawing seat has not seen
        ("scores", type_int, (SEATS,)),
        ("predicted", type_int, (SEATS,)),
        ("plan", type_int, (2,)),  # the white and the color action of the active seat
        ("noise", type_float, (SEATS,)),  # standard deviation of each seat's errors, in logits
        ("luck", np.uint64),  # the random word of the game, for the errors (`noise`)
    ]
)

POSITION: Final = record_type(
    [
        ("game", type_int),
        ("kind", type_int),  # with cards: before a turn, after a draw, or after the number for all (`hand_features`)
        ("active", type_int),
        ("crossed", type_int),
        ("closed", type_int),
        ("sheets", SHEET, (SEATS,)),
        ("board", type_int, (2, ROWS, POSITIONS)),
        ("held", type_int, (SEATS,)),
        ("hands", type_int, (SEATS, HAND)),
        ("display", type_int, (DISPLAY,)),
        ("discarded", type_int),
        ("discards", type_int, (DECK,)),
    ]
)
"""A stored position: all that its value can depend on."""


@kernel
def store_position(layout: Record, state: Record, position: Record, game: int, kind: int) -> None:
    """Copy a position of a game into a record."""
    position.game = game
    position.kind = kind
    position.active = state.active
    position.crossed = state.crossed
    position.closed = state.closed
    for seat in range(state.seats):
        position.sheets[seat] = state.sheets[seat]
    if layout.shared:
        position.board[:] = state.board
    if layout.flow == CARDS:
        position.held[:] = state.held
        position.hands[:] = state.hands
        position.display[:] = state.display
        position.discarded = state.discarded
        position.discards[:] = state.discards


@kernel
def logit_of_scores(scores: Ints, seats: int, seat: int) -> np.float32:
    """Return the value of a finished game for a seat, as a logit; equal totals share the win (C12)."""
    best = -1000
    equal = 1
    for other in range(seats):
        if other != seat:
            best = max(best, scores[other])
            equal += int(scores[other] == scores[seat])
    if scores[seat] == best:
        return np.float32(_SHARED[equal])
    sure = CERTAIN if scores[seat] > best else -CERTAIN
    return np.float32(sure + _POINT * np.float32(scores[seat] - best))


@kernel
def is_as_planned(seats: int, scratch: Record, choices: Ints) -> bool:
    """Return whether all seats used the white sum as predicted: then the planned color sum is still the best."""
    differ = 0
    for seat in range(seats):
        differ += int(choices[seat] != scratch.predicted[seat])
    return differ == 0
