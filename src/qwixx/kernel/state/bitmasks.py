"""Masks: places, rows or pairs as the bits of one number."""

from __future__ import annotations

from qwixx.kernel.jit import kernel


@kernel
def count_bits(mask: int) -> int:
    """Count what is in a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
