"""
Closed rows, the end of a game and its winners: small functions that every loop over turns calls.

Code with its own loop for speed (`sim.fast_path`, the solver) uses them too. `limits` is a layout, or any other record
with the layout's fields `lock_color`, `end_rows` and `end_misses`.
"""

from __future__ import annotations

from qwixx.jit.decorators import inlined
from qwixx.kernel.state.records import ROWS, Ints, Record


@inlined
def count_rows(mask: int) -> int:
    """Count the rows in a mask."""
    count = 0
    for row in range(ROWS):
        count += mask >> row & 1
    return count


@inlined
def dice_gone(limits: Record, closed: int) -> int:
    """Return the dice that have left with closed rows, as a mask of colors (C8, G3)."""
    gone = 0
    for row in range(ROWS):
        gone |= (closed >> row & 1) << limits.lock_color[row]
    return gone


@inlined
def ends_by_rows(limits: Record, closed: int) -> bool:
    """Return whether enough rows are closed to end the game (C11, K8, D8)."""
    return bool(count_rows(closed) >= limits.end_rows)


@inlined
def ends_by_misses(limits: Record, misses: int) -> bool:
    """Return whether this number of misses ends the game, even if they cost no points (C11, BB6, D8)."""
    return bool(misses >= limits.end_misses)


@inlined
def winners(scores: Ints, seats: int) -> int:
    """Return the seats with the highest score, as a mask; equal totals share the win (C12)."""
    best = scores[0]
    mask = 0
    for seat in range(seats):
        if scores[seat] > best:
            best = scores[seat]
            mask = 0
        mask |= int(scores[seat] == best) << seat
    return mask
