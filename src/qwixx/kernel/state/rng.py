"""
Random numbers for simulations and seeded games: splitmix64, one stream per game.

A stream is seeded from a run's seed and a game's number, so that game 123456 of a run can be replayed on its own.
Compiled 64-bit arithmetic wraps around, interpreted integers grow without limit: so both are masked to 64 bits.
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel.state.records import Record

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_PLAYER_STREAM = np.uint64(0x5EED0FB075)
_30, _27, _31, _18, _46 = (np.uint64(n) for n in (30, 27, 31, 18, 46))

_MASK_64 = (1 << 64) - 1


@kernel
def plus(a: np.uint64, b: np.uint64) -> np.uint64:
    """Add two words modulo 2^64."""
    return np.uint64((int(a) + int(b)) & _MASK_64)


@kernel
def _times(a: np.uint64, b: np.uint64) -> np.uint64:
    return np.uint64((int(a) * int(b)) & _MASK_64)


@kernel
def _signed(word: np.uint64) -> int:
    """Make a small word signed: compiled, int() would keep it unsigned, and a division would make it a float."""
    return np.int64(word)  # type: ignore[return-value]  # used as an int


@kernel
def mix(word: np.uint64) -> np.uint64:
    """Return a hash of a word (the finalizer of splitmix64)."""
    word = _times(word ^ (word >> _30), _MIX_1)
    word = _times(word ^ (word >> _27), _MIX_2)
    return word ^ (word >> _31)


@kernel
def _stream_of(seed: np.uint64, game: np.uint64) -> np.uint64:
    return mix(plus(mix(plus(seed, _GOLDEN)), game))


@kernel
def seed_stream(state: Record, seed: np.uint64, game: np.uint64) -> None:
    """Seed the random stream of one game of a run."""
    state.rng = _stream_of(seed, game)


@kernel
def player_stream_seed(seed: np.uint64, game: np.uint64) -> np.uint64:
    """
    Return the seed of the players' random stream in one game of a run.

    Players do not draw from the game's own stream, so that the dice of a game do not depend on its players.
    """
    return mix(_stream_of(seed, game) ^ _PLAYER_STREAM)


@kernel
def randbelow(state: Record, n: int) -> int:
    """Draw an integer from 0 to n - 1, for n up to 2^18; the bias is below n / 2^46."""
    state.rng = plus(state.rng, _GOLDEN)
    return _signed(((mix(state.rng) >> _18) * np.uint64(n)) >> _46)


@kernel
def randbelow_at(word: np.uint64, index: int, n: int) -> int:
    """Return draw number `index` of a stream, without advancing the stream."""
    return _signed(((mix(plus(word, _times(np.uint64(index), _GOLDEN))) >> _18) * np.uint64(n)) >> _46)
