"""Old names of methods, which still work and warn."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def renamed(old: str, new: str, function: Callable[[], T]) -> T:
    """Call a method by its old name, with a warning."""
    warnings.warn(f"Game.{old} is called Game.{new} now.", DeprecationWarning, stacklevel=3)
    return function()
