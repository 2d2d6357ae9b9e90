"""
The duel's shared board: the features of a position, and the decisions that follow from their value.

Only the active seat acts, so no other choices have to be predicted: its white and color sums are tried on whole states
and evaluated together (D5). The table of a row has both players' last pawns and counts, and whether the rightmost pawns
are a stack, which cannot be captured (D4). Another table has the pawn that a capture would leave its owner (D3).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.jit.decorators import inlined, kernel
from qwixx.kernel import board, dice
from qwixx.kernel.afterstates import legal_after
from qwixx.kernel.flow import score
from qwixx.kernel.game_end import count_rows
from qwixx.kernel.state.records import COLOR, NO_CHOICE, OVER, POSITIONS, ROWS, Ints, Record, record_type, type_int
from qwixx.nets.network import WIN, ZERO, LoadedNet, forward
from qwixx.nets.noise import board_noise
from qwixx.nets.scratch import AFTER_TURN, AFTER_WHITE, NOW, WORST, logit_of_scores

_PLACES: Final = POSITIONS + 1
"""A player's last pawn in a row, counted from 1, or 0 for none."""
_FEW: Final = 9
"""Counts of pawns in a row are capped at this less one in the table of both players, and by `_MANY` in that of one."""
_MANY: Final = POSITIONS + 2
_PAWNS: Final = 32
_LEAD: Final = 64
"""Larger leads in points count as this one."""
_LEAD_STEP: Final = 2

BOARD_INPUTS: Final = record_type(
    [
        ("row_at", type_int, (ROWS,)),
        ("capture_at", type_int, (ROWS,)),
        ("own_at", type_int, (ROWS,)),
        ("other_at", type_int, (ROWS,)),
        ("closed_at", type_int),
        ("supply_at", type_int),
        ("misses_at", type_int),
        ("lead_at", type_int),
    ]
)
"""The first row of each table of a board."""
ROW_STATES: Final = (_PLACES * _FEW) ** 2 * 2
CAPTURE_STATES: Final = 2 * _PLACES * _PLACES
SIDE_STATES: Final = _PLACES * _MANY
CLOSED_STATES: Final = _MANY * _MANY
SUPPLY_STATES: Final = _PAWNS * _PAWNS
LEAD_STATES: Final = 2 * _LEAD // _LEAD_STEP + 1


@inlined
def lead_state(lead: int) -> int:
    """Return the index of a lead in points, capped and in steps of two."""
    return (min(max(lead, -_LEAD), _LEAD) + _LEAD) // _LEAD_STEP


@kernel
def _place_before(marks: int, place: int) -> int:
    """Find a player's last pawn before a place of a row, both counted from 1; 0 if there is none."""
    place -= 1
    while place > 0 and not marks >> (place - 1) & 1:
        place -= 1
    return place


@kernel
def _list_row(at_: Record, position: Record, seat: int, row: int, ids: Ints, at: int) -> int:
    """Append the features of an open row: last pawns, counts, stacks, and the position after a capture."""
    own, other = position.sheets[seat], position.sheets[1 - seat]
    last = board.next_free(own.marks[row])
    theirs = board.next_free(other.marks[row])
    owner = seat if last > theirs else 1 - seat
    end = max(last, theirs)
    is_stack = int(end > 0 and position.board[owner, row, end - 1] > 1)
    here = last * _FEW + min(own.count[row], _FEW - 1)
    there = theirs * _FEW + min(other.count[row], _FEW - 1)
    ids[at] = at_.row_at[row] + (here * _PLACES * _FEW + there) * 2 + is_stack
    ids[at + 1] = at_.own_at[row] + last * _MANY + min(own.count[row], _MANY - 1)
    ids[at + 2] = at_.other_at[row] + theirs * _MANY + min(other.count[row], _MANY - 1)
    at += 3
    if end > 0 and not is_stack:
        left = _place_before(position.sheets[owner].marks[row], end)
        ids[at] = at_.capture_at[row] + (int(owner == seat) * _PLACES + end) * _PLACES + left
        at += 1
    return at


@kernel
def list_board(layout: Record, inputs: Record, position: Record, seat: int, ids: Ints) -> int:
    """List the table rows of a board for a seat and return their number; `position` is a state or a stored position."""
    at_ = inputs.board
    own, other = position.sheets[seat], position.sheets[1 - seat]
    at = 0
    placed = own.misses
    theirs = other.misses
    lead = layout.miss_points * (other.misses - own.misses)
    for row in range(ROWS):
        placed += own.count[row]
        theirs += other.count[row]
        lead += layout.points[min(own.count[row], layout.points_crosses)]
        lead -= layout.points[min(other.count[row], layout.points_crosses)]
        if position.closed >> row & 1:
            counts = min(own.count[row], _MANY - 1) * _MANY + min(other.count[row], _MANY - 1)
            ids[at] = at_.closed_at + counts
            at += 1
        else:
            at = _list_row(at_, position, seat, row, ids, at)
    ids[at] = at_.supply_at + min(placed, _PAWNS - 1) * _PAWNS + min(theirs, _PAWNS - 1)
    wide = layout.end_misses + 1
    rows = min(count_rows(position.closed), layout.end_rows - 1)
    ids[at + 1] = at_.misses_at + (rows * wide + own.misses) * wide + other.misses
    ids[at + 2] = at_.lead_at + lead_state(lead)
    ids[at + 3] = inputs.turns_at
    return at + 4


@kernel
def evaluate_board(net: LoadedNet, position: Record, seat: int) -> None:
    """Compute the net's outputs about a board for the seat that rolls next."""
    buffers = net.scratch.buffers
    buffers.counts[0] = list_board(net.layout, net.inputs, position, seat, buffers.ids[0])
    forward(net.tables, net.layers, buffers, 1)


@kernel
def _win_logit(net: LoadedNet, at: int, seat: int) -> np.float32:
    """Return the logit of a seat's win probability in a state of the scratch memory."""
    scratch = net.scratch
    state = scratch.states[at]
    if state.phase == OVER:
        for other in range(state.seats):
            scratch.scores[other] = score(net.layout, state, other)
        return logit_of_scores(scratch.scores, state.seats, seat)
    evaluate_board(net, state, state.active)
    win = np.float32(scratch.buffers.outputs[WIN])
    return win if seat == state.active else -win


@kernel
def _noise_logit(scratch: Record, at: int, seat: int) -> np.float32:
    """Return the error of a seat about a state of the scratch memory, as a logit."""
    noise = scratch.noise[seat]
    if noise > ZERO:
        return np.float32(noise * board_noise(scratch, scratch.states[NOW].turn, seat, scratch.states[at]))
    return ZERO


@kernel
def _best_color(net: LoadedNet, from_: int, seat: int) -> tuple[int, np.float32]:
    """Return the best color sum in a state of the scratch memory, and its logit."""
    scratch = net.scratch
    menu = scratch.next_menu
    count = dice.legal(net.layout, scratch.states[from_], seat, menu)
    best = NO_CHOICE
    highest = WORST
    for index in range(count):
        action = menu.actions[index]
        legal_after(net.layout, scratch.states, from_, seat, action, scratch.states, AFTER_TURN)
        value = _win_logit(net, AFTER_TURN, seat)
        scratch.next_values[index] = value
        value += _noise_logit(scratch, AFTER_TURN, seat)
        if value > highest:
            highest = value
            best = action
    return int(best), highest


@kernel
def decide_on_board(net: LoadedNet, state: Record, choices: Ints) -> None:
    """Decide for the active seat: its color sum, or its white sum together with the color sum that follows."""
    scratch = net.scratch
    seat = state.active
    scratch.states[NOW] = state
    if state.phase == COLOR:
        choices[seat], _ = _best_color(net, NOW, seat)
        return
    menu = scratch.option_menu
    count = dice.legal(net.layout, state, seat, menu)
    highest = WORST
    for index in range(count):
        white = menu.actions[index]
        legal_after(net.layout, scratch.states, NOW, seat, white, scratch.states, AFTER_WHITE)
        if scratch.states[AFTER_WHITE].phase == OVER:
            color, value = NO_CHOICE, _win_logit(net, AFTER_WHITE, seat)
            value += _noise_logit(scratch, AFTER_WHITE, seat)
        else:
            color, value = _best_color(net, AFTER_WHITE, seat)
        scratch.option_values[index] = value
        if value > highest:
            highest = value
            scratch.plan[0] = white
            scratch.plan[1] = color
    choices[seat] = scratch.plan[0]
    for other in range(state.seats):
        scratch.predicted[other] = choices[other]
