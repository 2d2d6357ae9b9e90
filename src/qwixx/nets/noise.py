"""
Noise for weaker levels: they follow the same net, and add an error to the value of every position they evaluate.

Errors are normally distributed: small ones are frequent and large ones rare. An error depends only on the random word
of the game, the turn, the seat and the evaluated position. So a player makes the same decision wherever it is asked,
and the color sum that it planned with the white sum is still its best choice later.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import ROWS, SEATS, Record

_ERRORS: Final = np.uint64(0x0DD5)
"""Errors use another random stream than the slips of heuristic players."""
_PARTS: Final = 4
"""An error is the sum of this many draws: close to normal, and integers are the same on every machine."""
_WIDE: Final = 1 << 16
_MIDDLE: Final = np.float32(_PARTS * (_WIDE - 1) / 2)
_SPREAD: Final = np.float32(_WIDE * sqrt(_PARTS / 12))


@kernel
def _with(word: np.uint64, number: int) -> np.uint64:
    """Mix a number into a word."""
    return rng.mix(rng.plus(word, np.uint64(number)))


@kernel
def normal_sample(word: np.uint64) -> np.float32:
    """Return a sample of the standard normal distribution (approximately)."""
    total = 0
    for part in range(_PARTS):
        total += rng.randbelow_at(word, part, _WIDE)
    return np.float32((np.float32(total) - _MIDDLE) / _SPREAD)


@kernel
def _word(scratch: Record, turn: int, seat: int) -> np.uint64:
    return _with(rng.mix(scratch.luck ^ _ERRORS), turn * SEATS + seat)


@kernel
def sheet_noise(scratch: Record, turn: int, seat: int, sheet: Record) -> np.float32:
    """Return the error of a seat about its own sheet, in standard deviations."""
    word = _word(scratch, turn, seat)
    for row in range(ROWS):
        word = _with(word, sheet.marks[row])
    return normal_sample(_with(word, sheet.misses))


@kernel
def board_noise(scratch: Record, turn: int, seat: int, state: Record) -> np.float32:
    """Return the error of a seat about a shared board, in standard deviations."""
    word = _word(scratch, turn, seat)
    for other in range(state.seats):
        for row in range(ROWS):
            word = _with(_with(word, state.sheets[other].marks[row]), state.sheets[other].count[row])
        word = _with(word, state.sheets[other].misses)
    return normal_sample(word)


@kernel
def action_noise(scratch: Record, state: Record, seat: int, action: int) -> np.float32:
    """Return the error of a seat about an action, in standard deviations, where each phase is evaluated separately."""
    return normal_sample(_with(_with(_word(scratch, state.turn, seat), state.phase), action))
