"""
Who answers at once: in less time than it takes to hand a question to a thread and the answer back.

A house player that is compiled decides in a few dozen microseconds. Asked in the event loop it keeps nobody waiting,
and all bots of a table have decided before the table looks again, so that their decisions share a commit and are told
together. Whether a player is that quick depends on the game, the machine and whether its code has been compiled yet; so
it is not assumed but seen: first it thinks in a thread, and goes back there as soon as it takes longer.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

R = TypeVar("R")
Kind = tuple[str | int, ...]
"""The player, the game and what is to be decided."""
_AT_ONCE: Final = 0.0005
"""Seconds within which a thread's answers have to come before the event loop asks by itself."""
_TOO_LONG: Final = 0.002
"""Seconds after which it does not any more."""
_TIMES: Final = 3
"""How often in a row they have to."""
_MOST: Final = 1000
"""Kinds that are remembered; there are some hundred."""


class Promptness:
    """What has been seen of all players of a server."""

    def __init__(self) -> None:
        """Know nobody."""
        self._prompt: dict[Kind, int] = {}
        """How often in a row an answer came at once."""

    def is_prompt(self, kind: Kind) -> bool:
        """Tell whether a player may be asked in the event loop."""
        return self._prompt.get(kind, 0) >= _TIMES

    def watch(self, kind: Kind, think: Callable[[], R]) -> R:
        """Have somebody think, and see how long that takes."""
        began = time.perf_counter()
        try:
            return think()
        finally:
            self._note(kind, time.perf_counter() - began)

    def _note(self, kind: Kind, seconds: float) -> None:
        so_far = self._prompt.get(kind, 0)
        if so_far >= _TIMES:
            if seconds > _TOO_LONG:
                self._prompt[kind] = 0
        elif seconds > _AT_ONCE:
            self._prompt[kind] = 0
        elif len(self._prompt) < _MOST or kind in self._prompt:
            self._prompt[kind] = so_far + 1
