"""The measured error of a network's values, by game and number of seats (`errors.toml`)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from qwixx.nets.weight_files import file_name, find_weights
from qwixx.players.built_in.levels import level_key
from qwixx.variants.model import Variant

FILE: Final = Path(__file__).with_name("errors.toml")
ANY: Final = "any"
"""The entry for games that were not measured."""
_TWO: Final = "two"
"""The entry for a solitaire by a net for two seats."""


@cache
def read_errors() -> dict[str, dict[str, float]]:
    """Return the errors by game and number of seats."""
    return tomllib.loads(FILE.read_text("utf-8"))


def error_of(variant: Variant, seats: int, *, only_shipped: bool = False) -> float:
    """Return the typical error of the difference between two choices, in win probability; in solitaire in points."""
    errors = read_errors()
    weights = find_weights(variant, seats, only_shipped=only_shipped)
    if seats == 1 and weights is not None and weights.name != file_name(variant, (1,)):
        return errors[ANY][_TWO]
    known = errors.get(level_key(variant), {}) if variant.builtin else {}
    return known.get(str(seats), errors[ANY][str(seats)])
