"""Longo's pads (L5): dealt by lot, or the same one for everybody."""

from __future__ import annotations

from dataclasses import replace

from qwixx.variants.model import Pad, Variant


def deal(variant: Variant, lucky: Pad | None) -> Variant:
    """
    Give the variant whose pads all show these lucky numbers; without them the pads stay as printed.

    There are as many pads as before, so dealing them takes as much chance, and the dice of a game stay the same.
    """
    return variant if lucky is None else replace(variant, lucky=(lucky,) * len(variant.lucky))


def pads_of(variant: Variant, lucky: Pad | None) -> tuple[Pad, ...]:
    """Give the lucky numbers that can come up."""
    return variant.lucky if lucky is None else (lucky,)
