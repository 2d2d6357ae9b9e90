"""Longo's pads (L5): drawn at random, or the same one for all seats."""

from __future__ import annotations

from dataclasses import replace

from qwixx.variants.model import Pad, Variant


def deal(variant: Variant, lucky: Pad | None) -> Variant:
    """
    Return the variant whose pads all show these lucky numbers; without them the pads stay as printed.

    The number of pads stays the same, so dealing draws as many random numbers, and the dice of a game do not change.
    """
    return variant if lucky is None else replace(variant, lucky=(lucky,) * len(variant.lucky))


def pads_of(variant: Variant, lucky: Pad | None) -> tuple[Pad, ...]:
    """Return the lucky numbers that can be dealt."""
    return variant.lucky if lucky is None else (lucky,)
