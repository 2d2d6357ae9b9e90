"""
Chance for simulations and seeded games: splitmix64, one stream per game.

A stream is seeded from a run's seed and a game's number, so that game 123456 of a run can be replayed alone.
Compiled, 64-bit arithmetic wraps by itself; interpreted, whole numbers grow without end, so both are cut to a word.
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel.jit import kernel
from qwixx.kernel.records import Record

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LUCK = np.uint64(0x5EED0FB075)
_30, _27, _31, _18, _46 = (np.uint64(n) for n in (30, 27, 31, 18, 46))

_WORD = (1 << 64) - 1


@kernel
def plus(a: np.uint64, b: np.uint64) -> np.uint64:
    """Add two words; what does not fit is dropped."""
    return np.uint64((int(a) + int(b)) & _WORD)


@kernel
def _times(a: np.uint64, b: np.uint64) -> np.uint64:
    return np.uint64((int(a) * int(b)) & _WORD)


@kernel
def _signed(word: np.uint64) -> int:
    """Make a small word an ordinary number: compiled, int() would keep it unsigned, and dividing it a float."""
    return np.int64(word)  # type: ignore[return-value]  # an integer all the same


@kernel
def mix(word: np.uint64) -> np.uint64:
    """Scramble a word so that neighbouring words have nothing in common."""
    word = _times(word ^ (word >> _30), _MIX_1)
    word = _times(word ^ (word >> _27), _MIX_2)
    return word ^ (word >> _31)


@kernel
def _stream_of(seed: np.uint64, game: np.uint64) -> np.uint64:
    return mix(plus(mix(plus(seed, _GOLDEN)), game))


@kernel
def seed_stream(state: Record, seed: np.uint64, game: np.uint64) -> None:
    """Give this game its own stream of chance."""
    state.rng = _stream_of(seed, game)


@kernel
def luck_of(seed: np.uint64, game: np.uint64) -> np.uint64:
    """
    Give the word from which the players of a game draw.

    Players draw beside the game's own stream and leave it alone, so that the dice of a game do not depend on
    who plays it.
    """
    return mix(_stream_of(seed, game) ^ _LUCK)


@kernel
def below(state: Record, n: int) -> int:
    """Draw a whole number from 0 to n - 1, for n up to 2^18; the bias is under n / 2^46."""
    state.rng = plus(state.rng, _GOLDEN)
    return _signed(((mix(state.rng) >> _18) * np.uint64(n)) >> _46)


@kernel
def below_at(word: np.uint64, index: int, n: int) -> int:
    """Draw the number that stands at a place of a stream, without moving along the stream."""
    return _signed(((mix(plus(word, _times(np.uint64(index), _GOLDEN))) >> _18) * np.uint64(n)) >> _46)
