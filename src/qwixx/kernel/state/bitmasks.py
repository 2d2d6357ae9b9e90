"""Bit masks: places, rows or pairs as the bits of one integer."""

from __future__ import annotations

from qwixx.jit.decorators import kernel


@kernel
def count_bits(mask: int) -> int:
    """Return the number of set bits."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
