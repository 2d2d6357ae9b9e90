"""The stored expected scores of best play in solitaire, available without solving the game."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec


@cache
def known_values() -> dict[str, dict[str, float]]:
    """Return the expected score of best play from the empty sheet: by game, and by lucky numbers if there are any."""
    text = resources.files("qwixx.solver").joinpath("known_values.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, float]])


def known_value(variant: str, pad: str = "") -> float:
    """Return the expected score of best play in a game, with this pad in Longo."""
    return known_values()[variant][pad]
