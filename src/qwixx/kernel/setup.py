"""
Positions set up by hand: crosses without a game, and checks that such a position is possible.

A game in play does not need them: there each position follows from the one before.
"""

from __future__ import annotations

from qwixx.jit.decorators import kernel
from qwixx.kernel import board, paper
from qwixx.kernel.flow import close_rows, ending_of
from qwixx.kernel.state.event_log import EventLog, clear_log
from qwixx.kernel.state.records import (
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
from qwixx.kernel.state.refusals import ALLOWED

# ---- crosses and locks


@kernel
def cross_in_setup(layout: Record, state: Record, seat: int, row: int, position: int) -> int:
    """
    Cross a cell of a position set up by hand, from left to right; return the refusal, if any.

    Bonuses do not follow: their crosses are set by hand too. In the duel it is a pawn. Each seat's pawns are placed on
    a separate board, because pawns of the other seat may have come later.
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
    """Take a pawn off a lock: a player without a pawn left has closed the row without one (D7)."""
    state.sheets[seat].locks &= ~(1 << row)
    state.sheets[seat].count[row] -= 1


@kernel
def bar_fits(layout: Record, sheet: Record) -> bool:
    """
    Return whether a bar is possible with these crosses, for a sheet set up by hand.

    Every boxed cell has used the leftmost free cell, unless none was left (BA2). So no free cell is left of a used one.
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
    """Return a row in which both players have pawns on one cell, which is impossible (D2); -1 if there is none."""
    for row in range(ROWS):
        if state.sheets[0].marks[row] & state.sheets[1].marks[row]:
            return row
    return -1


# ---- hands and cards on the table


@kernel
def _has_drawn(state: Record, seat: int) -> bool:
    """Return whether a seat has drawn in this turn and not played yet."""
    return bool(seat == state.active and state.phase in (SHUFFLE, NUMBER, PLAY))


@kernel
def min_hand_size(layout: Record, state: Record, seat: int) -> int:
    """Return the fewest cards a seat can hold: five after its draw, else the rest after the largest play (K3, K5)."""
    if state.phase in (DEAL, OVER):
        return 0
    return HAND if _has_drawn(state, seat) else int(min(HAND - MOST_PLAYED, layout.dealt))


@kernel
def max_hand_size(state: Record, seat: int) -> int:
    """Return the most cards a seat can hold: five after its draw, else fewer, because it has played (K3, K5)."""
    if state.phase == DEAL:
        return 0
    return HAND if state.phase == OVER or _has_drawn(state, seat) else HAND - 1


@kernel
def table_fits(state: Record) -> bool:
    """Return whether display and pile are possible: a full display, and an empty pile only before a shuffle (K3)."""
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
def close_rows_and_find_end(layout: Record, state: Record, log: EventLog) -> int:
    """Close the locked rows in a position set up by hand; return why the game is over there, 0 if it is not."""
    clear_log(log)
    if not layout.personal:
        close_rows(layout, state, log)
    return ending_of(layout, state)


@kernel
def phase_fits(state: Record) -> bool:
    """Return whether the phase is OVER exactly when the game has ended (C11, K8, D8)."""
    return bool((state.ending != 0) == (state.phase == OVER))
