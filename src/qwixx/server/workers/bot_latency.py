"""
Measures which bots are fast enough to be called in the event loop, without the detour through a thread.

A compiled built-in bot decides in a few dozen microseconds. In the event loop it delays nobody, and all bots of a table
decide before its next batch, so that their decisions share one commit and one update. Whether a bot is that fast
depends on the game, the machine and the state of the compiler. So it is measured: a bot starts in a thread, and returns
there as soon as it is slow once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

R = TypeVar("R")
Kind = tuple[str | int, ...]
"""The bot, the game, the number of seats and the kind of decision."""
_FAST: Final = 0.0005
"""Seconds for an answer in a thread that count as fast."""
_TOO_SLOW: Final = 0.002
"""Seconds for an answer in the event loop that send the bot back to a thread."""
_TIMES: Final = 3
"""Fast answers in a row that are needed before a bot is called in the event loop."""
_MAX_KINDS: Final = 1000
"""Kinds that are remembered; there are a few hundred."""


class BotLatency:
    """The measured speed of all bots of a server."""

    def __init__(self) -> None:
        """Start with no measurements."""
        self._fast_answers: dict[Kind, int] = {}
        """Fast answers in a row."""

    def is_fast(self, kind: Kind) -> bool:
        """Return whether a bot may be called in the event loop."""
        return self._fast_answers.get(kind, 0) >= _TIMES

    def measure(self, kind: Kind, think: Callable[[], R]) -> R:
        """Call a bot and measure its time."""
        began = time.perf_counter()
        try:
            return think()
        finally:
            self._observe(kind, time.perf_counter() - began)

    def _observe(self, kind: Kind, seconds: float) -> None:
        count = self._fast_answers.get(kind, 0)
        if count >= _TIMES:
            if seconds > _TOO_SLOW:
                self._fast_answers[kind] = 0
        elif seconds > _FAST:
            self._fast_answers[kind] = 0
        elif len(self._fast_answers) < _MAX_KINDS or kind in self._fast_answers:
            self._fast_answers[kind] = count + 1
