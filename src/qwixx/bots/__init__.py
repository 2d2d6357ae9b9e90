"""Players who think. They get a view and the legal actions, like everybody else."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Protocol

from qwixx.bots.gap import GapBot
from qwixx.bots.random import RandomBot
from qwixx.errors import QwixxError
from qwixx.notation import Action
from qwixx.variants.model import Variant
from qwixx.view import View

__all__ = ["Bot", "GapBot", "RandomBot", "check_name", "make_bot", "names"]

_NAMES = ("gap", "random")


class Bot(Protocol):
    """Somebody who decides when asked."""

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Choose one of the legal actions, knowing what the seat sees."""


def names() -> tuple[str, ...]:
    """Give the names of all bots."""
    return _NAMES


def check_name(name: str) -> None:
    """Raise `QwixxError` if no bot goes by this name."""
    if name not in _NAMES:
        near = get_close_matches(name, _NAMES, 1)
        meant = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(_NAMES)}."
        raise QwixxError(f"There is no bot {name[:40]!r}; {meant}")


def make_bot(name: str, variant: Variant, seed: int | None = None) -> Bot:
    """Invite a bot by its name. Raises `QwixxError` if nobody goes by it."""
    check_name(name)
    return RandomBot(seed) if name == "random" else GapBot(variant)
