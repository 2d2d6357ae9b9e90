"""
Afterstates: the state after a decision, on a copy. For players and learners that look ahead.

`sheet_after` is the fast path for games with one sheet per seat: it changes that sheet only. `state_after` works for
every game. `legal_after` is the same where only one seat is asked and its action is known to be legal. All of them
apply the decision with all its effects, by the same functions that resolve a real one. They stop before chance and
before anything that the seat cannot know.
"""

from __future__ import annotations

from qwixx.jit.decorators import kernel
from qwixx.kernel import cards
from qwixx.kernel.crossing import cross
from qwixx.kernel.flow import decide, decide_legal, refusal, strike
from qwixx.kernel.observe import back_of
from qwixx.kernel.paper import position_of, row_of
from qwixx.kernel.state.records import DISPLAY, DRAW, PASS, ROWS, Record, Records
from qwixx.kernel.state.refusals import ALLOWED
from qwixx.kernel.window import cell_of, tie_of


@kernel
def sheet_after(layout: Record, sheet: Record, closed: int, action: int, sheets: Records, at: int) -> int:
    """
    Write the sheet after a cross or a pass to `sheets[at]`; return the mask of the rows that are closed then.

    The cross has to be allowed. Where a row closes, its cells in the bar are struck (BA4). No miss is counted: that
    depends on the whole turn (C6).
    """
    sheets[at] = sheet
    after = sheets[at]
    if action == PASS:
        return closed
    cell = cell_of(action)
    cross(layout, after, closed, 0, row_of(cell), position_of(cell), tie_of(action), None)
    new = after.locks & ~closed
    if layout.bar_length and new:
        for row in range(ROWS):
            if new >> row & 1:
                strike(layout, after, 0, row, None)
    return int(closed | after.locks)


@kernel
def _draw(layout: Record, copy: Record, seat: int, action: int) -> int:
    """Take cards of the display as the seat sees them before the draw: from behind."""
    reason = refusal(layout, copy, seat, action)
    if reason == ALLOWED:
        for place in range(DISPLAY):
            copy.display[place] = back_of(copy.display[place])
        cards.draw(copy, seat, action, None)
        copy.waiting = 0
    return reason


@kernel
def legal_after(layout: Record, states: Records, index: int, seat: int, action: int, copies: Records, at: int) -> None:
    """
    Copy a state and let the only seat that is asked decide there; the action has to be legal.

    For callers that go through a list of legal actions: nothing is checked a second time. Not for draws, which would
    show what the seat must not know yet.
    """
    copies[at] = states[index]
    decide_legal(layout, copies[at], seat, action, None)


@kernel
def state_after(layout: Record, states: Records, index: int, seat: int, action: int, copies: Records, at: int) -> int:
    """
    Copy a state and let one seat decide there, as if all other seats that are asked passed; return the refusal, if any.

    The copy is at the next decision, at the next roll, or at the end of the game. Only after a draw it stays in its
    phase, and no seat is asked: the cards taken are in the hand, backs up, and their places in the display are empty.
    The colors of the display, the cards that will fill it and the number for all are hidden from everybody (K2 to K4),
    so hand and display look the same whether the state was redacted or not.
    """
    copies[at] = states[index]
    copy = copies[at]
    if copy.phase == DRAW:
        return _draw(layout, copy, seat, action)
    for other in range(copy.seats):
        if other != seat and copy.waiting >> other & 1:
            copy.choices[other] = PASS
    copy.waiting &= 1 << seat
    return decide(layout, copy, seat, action, None)
