"""Longo's pads (L5): dealt by lot, or the same one for everybody."""

from __future__ import annotations

from dataclasses import replace

from qwixx.errors import QwixxError
from qwixx.variants.model import Variant

Pair = tuple[int, int]
"""Lucky numbers, the small one first."""


def check_lucky(variant: Variant, lucky: Pair | None) -> None:
    """Refuse lucky numbers that the dice cannot make, or that a game does not know."""
    if lucky is None:
        return
    if not variant.lucky:
        raise QwixxError(f"{variant.id} has no lucky numbers.")
    if not 2 <= lucky[0] < lucky[1] <= 2 * variant.sides:
        raise QwixxError(
            f"Lucky numbers are two different sums from 2 to {2 * variant.sides}, small first,"
            f" not {lucky[0]}/{lucky[1]}."
        )


def deal(variant: Variant, lucky: Pair | None) -> Variant:
    """
    Give the variant whose pads all show these lucky numbers; without them the pads stay as printed.

    There are as many pads as before, so dealing them takes as much chance, and the dice of a game stay the same.
    """
    return variant if lucky is None else replace(variant, lucky=(lucky,) * len(variant.lucky))
