"""Begin at a position: `reset(options={"position": ...})`, with the same checks in every adapter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from qwixx.errors import PositionError, QwixxError
from qwixx.game.position import read_position
from qwixx.kernel.state.records import OVER, Records
from qwixx.rl.spaces import Space

OPTION: Final = "position"
"""The only option of `reset`. Others are ignored, as everywhere in Gymnasium and PettingZoo."""


def start_of(space: Space, options: Mapping[str, Any] | None) -> Records | None:
    """
    Return the state in which a game begins, None for a new game.

    Raises `QwixxError`, a `ValueError`, for an invalid line, for one of another game or number of seats, or for a game
    that is over.
    """
    given = _option(options)
    return None if given is None else read_start(space, given)


def starts_of(space: Space, options: Mapping[str, Any] | None, n: int) -> Records | None:
    """Return the states in which n games begin: all in the same, or one line for each. None for new games."""
    given = _option(options)
    if given is None:
        return None
    if isinstance(given, str):
        return np.repeat(read_start(space, given), n)
    if not isinstance(given, Sequence | np.ndarray) or len(given) != n:
        count = f"{len(given)} of them" if isinstance(given, Sequence | np.ndarray) else _kind(given)
        raise QwixxError(f"The positions of a batch are one line for all games or {n}, one for each, not {count}.")
    return np.concatenate([read_start(space, line, f"Game {at}: ") for at, line in enumerate(given)])


def read_start(space: Space, line: object, where: str = "") -> Records:
    """Read a position line as the beginning of a game of this space."""
    if not isinstance(line, str):
        raise QwixxError(f"{where}A position is a line of text, as `Game.position()` gives it, not {_kind(line)}.")
    try:
        _, _, states = read_position(line, space.variant)
    except PositionError as error:
        if not where:
            raise
        raise QwixxError(f"{where}{error}") from None
    state = states[0]
    if state.seats != space.seats:
        raise QwixxError(f"{where}The position is of {state.seats} seats, and this environment has {space.seats}.")
    if state.phase == OVER:
        raise QwixxError(f"{where}The game of this position is over; there is nothing left to decide in it.")
    return states


def _option(options: Mapping[str, Any] | None) -> object:
    if options is not None and not isinstance(options, Mapping):
        raise QwixxError(f'Options are a dictionary such as {{"position": "classic | - | -"}}, not {_kind(options)}.')
    return (options or {}).get(OPTION)


def _kind(value: object) -> str:
    """Name a value's type for a sentence."""
    return f"{value!r} of type {type(value).__name__}"[:80]
