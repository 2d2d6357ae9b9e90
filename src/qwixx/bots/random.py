"""A bot that takes anything."""

from __future__ import annotations

import random
from collections.abc import Sequence

from qwixx.notation import Action
from qwixx.view import View


class RandomBot:
    """Chooses any legal action, each with the same chance."""

    def __init__(self, seed: int | None = None) -> None:
        """Take a seed to play the same way again."""
        self._random = random.Random(seed)  # noqa: S311 - a game, not a secret

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Choose without looking."""
        return self._random.choice(legal)
