"""
Misjudgement: weaker levels follow the same net, and are wrong by more or less about every position they weigh.

An error is drawn from a bell curve, so that small ones are frequent and large ones rare; what it is depends on the
game's luck, the turn, the seat and what is weighed, and on nothing else. So the same player decides alike wherever it
is asked, and the color sum it had in mind is still the best when its turn to take it comes.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np

from qwixx.kernel import rng
from qwixx.kernel.jit import kernel
from qwixx.kernel.records import ROWS, SEATS, Record

_ERRORS: Final = np.uint64(0x0DD5)
"""Errors are drawn from another stream than the slips of players who weigh."""
_PARTS: Final = 4
"""An error is the sum of so many draws: as good as a bell curve, and whole numbers are the same on every machine."""
_WIDE: Final = 1 << 16
_MIDDLE: Final = np.float32(_PARTS * (_WIDE - 1) / 2)
_SPREAD: Final = np.float32(_WIDE * sqrt(_PARTS / 12))


@kernel
def _with(word: np.uint64, number: int) -> np.uint64:
    """Work a number into a word."""
    return rng.mix(rng.plus(word, np.uint64(number)))


@kernel
def bell(word: np.uint64) -> np.float32:
    """Draw from a bell curve around 0 with a standard deviation of 1."""
    total = 0
    for part in range(_PARTS):
        total += rng.below_at(word, part, _WIDE)
    return np.float32((np.float32(total) - _MIDDLE) / _SPREAD)


@kernel
def _word(bench: Record, turn: int, seat: int) -> np.uint64:
    return _with(rng.mix(bench.luck ^ _ERRORS), turn * SEATS + seat)


@kernel
def error_about_sheet(bench: Record, turn: int, seat: int, sheet: Record) -> np.float32:
    """Tell by how many deviations a seat misjudges a sheet of its own."""
    word = _word(bench, turn, seat)
    for row in range(ROWS):
        word = _with(word, sheet.marks[row])
    return bell(_with(word, sheet.misses))


@kernel
def error_about_board(bench: Record, turn: int, seat: int, state: Record) -> np.float32:
    """Tell by how many deviations a seat misjudges a shared board."""
    word = _word(bench, turn, seat)
    for other in range(state.seats):
        for row in range(ROWS):
            word = _with(_with(word, state.sheets[other].marks[row]), state.sheets[other].count[row])
        word = _with(word, state.sheets[other].misses)
    return bell(word)


@kernel
def error_about_action(bench: Record, state: Record, seat: int, action: int) -> np.float32:
    """Tell by how many deviations a seat misjudges what an action leaves, where every phase is weighed alone."""
    return bell(_with(_with(_word(bench, state.turn, seat), state.phase), action))
