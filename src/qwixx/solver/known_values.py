"""What best play makes of a whole solitaire: known once and for all, so that nobody has to solve it to be told."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec


@cache
def known_values() -> dict[str, dict[str, float]]:
    """Give the expected score of best play from the empty sheet: by game, and by lucky numbers where there are any."""
    text = resources.files("qwixx.solver").joinpath("known.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, float]])


def known_value(variant: str, pad: str = "") -> float:
    """Give what best play expects of a game, with this pad in Longo."""
    return known_values()[variant][pad]
