"""
Positions set up by hand: crossing cells without a game around them, and checks that such a position can be.

In play nothing here is asked: there a position follows from the one before.
"""

from __future__ import annotations

from qwixx.kernel import board, paper
from qwixx.kernel.flow import close_rows, ending_of
from qwixx.kernel.jit import kernel
from qwixx.kernel.records import (
    BOXED,
    DEAL,
    DISPLAY,
    HAND,
    MOST_PLAYED,
    NO_CARD,
    NUMBER,
    OVER,
    PLAY,
    ROWS,
    SHUFFLE,
    Record,
)
from qwixx.kernel.refusals import ALLOWED
from qwixx.kernel.trail import Trail, clear

# ---- crosses and locks


@kernel
def lay(layout: Record, state: Record, seat: int, row: int, position: int) -> int:
    """
    Cross a cell of a sheet that is filled in by hand, from left to right, or say why it cannot be crossed.

    Nothing follows from it: the other crosses are filled in too. In the duel it is a pawn, and a seat's pawns are
    laid on a board of its own, since those of the other may have come later.
    """
    if layout.shared:
        reason = board.refuses(layout, state, seat, row, position)
        if reason == ALLOWED:
            board.place(layout, state, seat, row, position, None)
            close_rows(layout, state, None)
        return reason
    sheet = state.sheets[seat]
    reason = paper.refuses(layout, sheet, 0, row, position)
    if reason == ALLOWED:
        paper.mark(layout, sheet, seat, row, position, None)
    return reason


@kernel
def take_lock_back(state: Record, seat: int, row: int) -> None:
    """Take a pawn off a lock: whoever had none left has closed the row without it (D7)."""
    state.sheets[seat].locks &= ~(1 << row)
    state.sheets[seat].count[row] -= 1


@kernel
def bar_fits(layout: Record, sheet: Record) -> bool:
    """
    Whether the bar can look like this beside these crosses, for a sheet filled in by hand.

    Every boxed cell has used the leftmost free cell, unless none was left (BA2), so no free cell stands left of a used
    one.
    """
    boxed = 0
    for row in range(ROWS):
        for position in range(layout.length[row]):
            if layout.effect[row, position] == BOXED:
                boxed += sheet.marks[row] >> position & 1
    used = 0
    free = 0
    for index in range(layout.bar_length):
        if sheet.used >> index & 1:
            used += 1
            if free:
                return False
        else:
            free += 1 - (sheet.struck >> index & 1)
    return bool(used == boxed or (used < boxed and free == 0))


@kernel
def shared_row(state: Record) -> int:
    """Find a row in which both players have pawns on one cell, which a game never does (D2); -1 if there is none."""
    for row in range(ROWS):
        if state.sheets[0].marks[row] & state.sheets[1].marks[row]:
            return row
    return -1


# ---- hands and cards on the table


@kernel
def _has_drawn(state: Record, seat: int) -> bool:
    """Whether a seat has drawn in this turn and not played yet."""
    return bool(seat == state.active and state.phase in (SHUFFLE, NUMBER, PLAY))


@kernel
def fewest_held(layout: Record, state: Record, seat: int) -> int:
    """Count the cards a seat holds at least in this phase: five after the draw, else what a play leaves (K3, K5)."""
    if state.phase in (DEAL, OVER):
        return 0
    return HAND if _has_drawn(state, seat) else int(min(HAND - MOST_PLAYED, layout.dealt))


@kernel
def most_held(state: Record, seat: int) -> int:
    """Count the cards that a seat holds at most in this phase: five after the draw, else fewer, since it has played."""
    if state.phase == DEAL:
        return 0
    return HAND if state.phase == OVER or _has_drawn(state, seat) else HAND - 1


@kernel
def table_fits(state: Record) -> bool:
    """Whether display and pile can lie like this: the display is full, and the pile is empty only in a shuffle (K3)."""
    if state.phase == DEAL:
        return True
    if state.phase == SHUFFLE:
        return bool(state.pile_size == 0 and state.discarded > 0)
    for place in range(DISPLAY):
        if state.display[place] == NO_CARD:
            return False
    return bool(state.pile_size > 0)


# ---- the end


@kernel
def settle(layout: Record, state: Record, trail: Trail) -> int:
    """Close what is locked in a position set up by hand, and tell whether and why the game is over there."""
    clear(trail)
    if not layout.personal:
        close_rows(layout, state, trail)
    return ending_of(layout, state)


@kernel
def phase_fits(state: Record) -> bool:
    """Whether a position set up by hand is over exactly when its game has ended (C11, K8, D8)."""
    return bool((state.ending != 0) == (state.phase == OVER))
