"""Counting the rows or pairs of a mask."""

from __future__ import annotations

from qwixx.kernel.jit import kernel


@kernel
def count_bits(mask: int) -> int:
    """Count the bits of a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
