"""Room to try decisions out: sheets or whole states, what was added up for them, and what was planned."""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel.jit import kernel
from qwixx.kernel.records import ACTIONS, JOKER, MENU, ROWS, SEATS, SHEET, STATE, Ints, Record, record_type, type_int
from qwixx.learn.net import DESK, HIDDEN, type_float

WHITE_SHEET, TRIED_SHEET, _SHEETS = SEATS, SEATS + 1, SEATS + 2
"""Places of sheets behind those of the seats, and how many there are in all."""
NOW, AFTER_WHITE, AFTER_TURN, AFTER_PLAY, _STATES = range(5)
"""Places of states, and how many there are."""
NOT_SUMMED: Final = -1
CERTAIN: Final = np.float32(1000.0)
"""What a won game is worth, where chances are logits; no net is ever as sure."""
WORST: Final = np.float32(-1e9)
"""Less than anything is worth."""
_SHARED: Final = np.array([0.0, 0.0, *(-np.log(np.float32(others)) for others in range(1, SEATS))], np.float32)
"""What a win is worth that so many share: its logit."""
_POINT: Final = np.float32(0.01)
"""What a point more is worth in a game that is over: nothing, but for breaking ties."""

BENCH: Final = record_type(
    [
        ("desk", DESK),
        ("sheets", SHEET, (_SHEETS,)),  # the guessed sheet of each seat, then the places to try on
        ("places", type_int, (SEATS,)),  # which of the sheets each seat has, in the position that is weighed
        ("sums", type_float, (2 * _SHEETS, HIDDEN)),  # of the tables of single sheets: as one's own, as an opponent's
        ("summed_for", type_int, (2 * _SHEETS,)),  # the closed rows for which these were added up, or NOT_SUMMED
        ("states", STATE, (_STATES,)),  # where a shared board is tried out
        ("white_menu", MENU),
        ("color_menu", MENU),
        ("white_worths", type_float, (ACTIONS,)),  # what each action on the menu was found to be worth, as a logit
        ("color_worths", type_float, (ACTIONS,)),
        ("patterns", type_int, (ROWS,)),  # of cards that are held, row by row
        ("own_cards", type_int, (JOKER + 1,)),  # numbers of cards by color, as masks: in the own hand
        ("out_cards", type_int, (JOKER + 1,)),  # and those that cannot be drawn
        ("unseen_cards", type_int, (JOKER + 1,)),  # and those that one who draws has not seen
        ("scores", type_int, (SEATS,)),
        ("guesses", type_int, (SEATS,)),
        ("plan", type_int, (2,)),  # the white and the color action of the active seat
        ("noise", type_float, (SEATS,)),  # how far each seat misjudges what it weighs: a deviation, in logits
        ("luck", np.uint64),  # the word from which errors are drawn (`noise`)
    ]
)


@kernel
def worth_of_scores(scores: Ints, seats: int, seat: int) -> np.float32:
    """Tell what a finished game is worth to a seat, as a logit; equal totals share the win (C12)."""
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
def is_as_planned(seats: int, bench: Record, choices: Ints) -> bool:
    """Whether all have done with the white sum what was guessed: then the planned color sum is still the best."""
    differ = 0
    for seat in range(seats):
        differ += int(choices[seat] != bench.guesses[seat])
    return differ == 0
