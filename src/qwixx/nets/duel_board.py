"""
The duel's shared board: which rows of the tables speak of a position there, and the decisions that follow.

Only the active seat acts, so there is nothing to guess: its white and its color sum are tried out on whole states and
weighed together (D5). A row's table has both players' last pawns and counts, and whether the rightmost pawns are a
stack, which nobody can capture (D4); another has what a capture would leave its owner (D3).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel import board, dice
from qwixx.kernel.after import legal_after
from qwixx.kernel.ends import count_rows
from qwixx.kernel.flow import score
from qwixx.kernel.jit import inlined, kernel
from qwixx.kernel.records import COLOR, NO_CHOICE, OVER, POSITIONS, ROWS, Ints, Record, record_type, type_int
from qwixx.learn.bench import AFTER_TURN, AFTER_WHITE, NOW, WORST, worth_of_scores
from qwixx.learn.net import NOTHING, WIN, Floats, forward
from qwixx.learn.noise import error_about_board

_PLACES: Final = POSITIONS + 1
"""A player's last pawn in a row, counted from 1, or 0 for none."""
_FEW: Final = 9
"""Pawns of a row are told apart up to this many less one where both players' are looked at, and up to the next here."""
_MANY: Final = POSITIONS + 2
_PAWNS: Final = 32
_LEAD: Final = 64
"""Leads of more points than this all look alike."""
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
"""Where the tables of a board stand."""
ROW_STATES: Final = (_PLACES * _FEW) ** 2 * 2
CAPTURE_STATES: Final = 2 * _PLACES * _PLACES
SIDE_STATES: Final = _PLACES * _MANY
CLOSED_STATES: Final = _MANY * _MANY
SUPPLY_STATES: Final = _PAWNS * _PAWNS
LEAD_STATES: Final = 2 * _LEAD // _LEAD_STEP + 1


@inlined
def lead_state(lead: int) -> int:
    """Give the number of a lead in points, as far as leads are told apart."""
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
    """Look at a row that is open: last pawns, counts, stacks, and what a capture would leave."""
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
    """List the rows of tables that speak of a board to a seat; `position` is a state, or what was kept of one."""
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
def look_at_board(
    layout: Record, inputs: Record, tables: Floats, layers: Record, desk: Record, position: Record, seat: int
) -> None:
    """Work out what the net says to the seat that rolls next about a board."""
    desk.counts[0] = list_board(layout, inputs, position, seat, desk.ids[0])
    forward(tables, layers, desk, 1)


@kernel
def _worth(
    layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, at: int, seat: int
) -> np.float32:
    """Tell what a state on the bench is worth to a seat: the logit of its chance of winning."""
    state = bench.states[at]
    if state.phase == OVER:
        for other in range(state.seats):
            bench.scores[other] = score(layout, state, other)
        return worth_of_scores(bench.scores, state.seats, seat)
    look_at_board(layout, inputs, tables, layers, bench.desk, state, state.active)
    win = np.float32(bench.desk.outputs[WIN])
    return win if seat == state.active else -win


@kernel
def _error(bench: Record, at: int, seat: int) -> np.float32:
    """Tell by how much a seat misjudges a state on the bench, as a logit."""
    noise = bench.noise[seat]
    if noise > NOTHING:
        return np.float32(noise * error_about_board(bench, bench.states[NOW].turn, seat, bench.states[at]))
    return NOTHING


@kernel
def _best_color(
    layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, from_: int, seat: int
) -> tuple[int, np.float32]:
    """Find the best color sum in a state on the bench, and what it is worth."""
    menu = bench.color_menu
    count = dice.legal(layout, bench.states[from_], seat, menu)
    best = NO_CHOICE
    highest = WORST
    for index in range(count):
        action = menu.actions[index]
        legal_after(layout, bench.states, from_, seat, action, bench.states, AFTER_TURN)
        value = _worth(layout, inputs, tables, layers, bench, AFTER_TURN, seat)
        bench.color_worths[index] = value
        value += _error(bench, AFTER_TURN, seat)
        if value > highest:
            highest = value
            best = action
    return int(best), highest


@kernel
def decide_on_board(
    layout: Record, inputs: Record, tables: Floats, layers: Record, state: Record, bench: Record, choices: Ints
) -> None:
    """Decide for the active seat: its color sum, or its white sum together with the color sum that follows."""
    seat = state.active
    bench.states[NOW] = state
    if state.phase == COLOR:
        choices[seat], _ = _best_color(layout, inputs, tables, layers, bench, NOW, seat)
        return
    menu = bench.white_menu
    count = dice.legal(layout, state, seat, menu)
    highest = WORST
    for index in range(count):
        white = menu.actions[index]
        legal_after(layout, bench.states, NOW, seat, white, bench.states, AFTER_WHITE)
        if bench.states[AFTER_WHITE].phase == OVER:
            color, value = NO_CHOICE, _worth(layout, inputs, tables, layers, bench, AFTER_WHITE, seat)
            value += _error(bench, AFTER_WHITE, seat)
        else:
            color, value = _best_color(layout, inputs, tables, layers, bench, AFTER_WHITE, seat)
        bench.white_worths[index] = value
        if value > highest:
            highest = value
            bench.plan[0] = white
            bench.plan[1] = color
    choices[seat] = bench.plan[0]
    for other in range(state.seats):
        bench.guesses[other] = choices[other]
