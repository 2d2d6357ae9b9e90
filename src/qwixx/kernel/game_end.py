"""
What closes, what ends and who has won: short answers that every loop over turns asks for.

Whoever plays turns of its own for speed (`sim.fused`, the solver) takes the answers from here. `limits` is a layout, or
any other record with the layout's fields `lock_color`, `end_rows` and `end_misses`.
"""

from __future__ import annotations

from qwixx.kernel.jit import inlined
from qwixx.kernel.records import ROWS, Ints, Record


@inlined
def count_rows(mask: int) -> int:
    """Count the rows in a mask."""
    count = 0
    for row in range(ROWS):
        count += mask >> row & 1
    return count


@inlined
def dice_gone(limits: Record, closed: int) -> int:
    """Give the dice that have left with closed rows, as a mask of colors (C8, G3)."""
    gone = 0
    for row in range(ROWS):
        gone |= (closed >> row & 1) << limits.lock_color[row]
    return gone


@inlined
def ends_by_rows(limits: Record, closed: int) -> bool:
    """Whether so many rows are closed that the game is over (C11, K8, D8)."""
    return bool(count_rows(closed) >= limits.end_rows)


@inlined
def ends_by_misses(limits: Record, misses: int) -> bool:
    """Whether so many misses end the game, even if they cost nothing (C11, BB6, D8)."""
    return bool(misses >= limits.end_misses)


@inlined
def winners(scores: Ints, seats: int) -> int:
    """Give the seats with the highest score as a mask; equal totals share the win (C12)."""
    best = scores[0]
    mask = 0
    for seat in range(seats):
        if scores[seat] > best:
            best = scores[seat]
            mask = 0
        mask |= int(scores[seat] == best) << seat
    return mask
