"""
What a decision leaves behind, tried out on a copy: for players and learners who look ahead.

`sheet_after` is the short way for games with a sheet for each seat: own paper, nothing else. `state_after` serves every
game, and `legal_after` does the same where one seat alone is asked and its action is known to be legal. All carry the
decision out with all that it sets off, by the same functions that resolve a real one, and stop before chance or
anything that the seat cannot know.
"""

from __future__ import annotations

from qwixx.kernel import cards
from qwixx.kernel.flow import carry_out, decide, refusal, strike
from qwixx.kernel.jit import kernel
from qwixx.kernel.observe import back_of
from qwixx.kernel.paper import cross, position_of, row_of
from qwixx.kernel.records import DISPLAY, DRAW, PASS, ROWS, Record, Records
from qwixx.kernel.refusals import ALLOWED
from qwixx.kernel.window import cell_of, tie_of


@kernel
def sheet_after(layout: Record, sheet: Record, closed: int, action: int, sheets: Records, at: int) -> int:
    """
    Write down the sheet that a cross, or a pass, leaves behind; give the rows that are closed then.

    The cross has to be allowed. The bar is struck where a row closes (BA4). A miss is not booked: whether one is due
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
    """Take cards of the display as they are seen before: from behind."""
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

    For whoever goes through a list of legal actions: nothing is checked a second time. Draws are not for this function:
    they would show what the seat must not know yet.
    """
    copies[at] = states[index]
    carry_out(layout, copies[at], seat, action, None)


@kernel
def state_after(layout: Record, states: Records, index: int, seat: int, action: int, copies: Records, at: int) -> int:
    """
    Copy a state and let one seat decide there, as if everybody else who is asked passed; give the refusal, if any.

    The copy stands where the game goes on: at the next decision, at the next roll, or at its end. Only after a draw it
    stays in its phase, with nobody asked: the cards taken are in the hand, backs up, and their places in the display
    are empty. The colors of the display, what will fill it and the number for all are hidden from everybody (K2 to K4),
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
