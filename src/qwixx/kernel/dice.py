"""The dice: rolling them, the color sums of the active seat, and the duel, where only the active seat acts."""

from __future__ import annotations

from qwixx.kernel import board, window
from qwixx.kernel.jit import kernel
from qwixx.kernel.paper import refuses
from qwixx.kernel.records import COLORS, PASS, POSITIONS, ROWS, TIES, WHITE, Ints, Record
from qwixx.kernel.refusals import (
    ALLOWED,
    BAD_DIE,
    DIE_GONE,
    NO_SUCH_CELL,
    NO_SUCH_TIE,
    NOT_THE_SUM,
)
from qwixx.kernel.rng import below


@kernel
def roll(layout: Record, state: Record) -> None:
    """Roll the white dice and every color die still in play, together (C2)."""
    sides = layout.sides
    throw = below(state, sides * sides * sides * sides * sides * sides)
    for die in range(2 + COLORS):
        state.dice[die] = throw % sides + 1
        throw //= sides
    for color in range(COLORS):
        if state.gone >> color & 1:
            state.dice[2 + color] = 0


@kernel
def dice_refusal(layout: Record, state: Record, dice: Ints) -> int:
    """Say why these dice cannot lie on the table: a number no die shows, a die that left, or one missing."""
    for die in range(2 + COLORS):
        is_gone = die >= 2 and state.gone >> (die - 2) & 1
        if dice[die] < (0 if is_gone else 1) or dice[die] > (0 if is_gone else layout.sides):
            return BAD_DIE
    return ALLOWED


@kernel
def _cell_refusal(layout: Record, state: Record, seat: int, row: int, position: int) -> int:
    """Ask the paper, or the duel's board."""
    if layout.shared:
        return board.refuses(layout, state, seat, row, position)
    return refuses(layout, state.sheets[seat], state.closed, row, position)


@kernel
def legal(layout: Record, state: Record, seat: int, actions: Ints) -> int:
    """List what a seat may do with the dice: the white sum (C3), or a color sum (C4, G2)."""
    if state.phase == WHITE and not layout.shared:
        return window.legal(layout, state, seat, state.dice[0] + state.dice[1], actions)
    count = 0
    if state.phase == WHITE:
        for row in range(ROWS):
            position = layout.white_spots[state.dice[0] + state.dice[1], row]
            if position >= 0 and board.refuses(layout, state, seat, row, position) == ALLOWED:
                count = window.add(actions, count, row * POSITIONS + position)
        return window.add(actions, count, PASS)
    sheet = state.sheets[seat]
    for color in range(COLORS):
        if state.gone >> color & 1:
            continue
        for white in range(2):
            cell = layout.color_spots[color, state.dice[white] + state.dice[2 + color]]
            if cell >= 0 and _cell_refusal(layout, state, seat, cell // POSITIONS, cell % POSITIONS) == ALLOWED:
                count = window.add_cell(layout, sheet, state.closed, cell, actions, count)
    return window.add(actions, count, PASS)


@kernel
def _reaches(layout: Record, state: Record, row: int, position: int) -> int:
    """Check that a sum on the table reaches a cell: the white sum, or white and color die (C3, C4, C8)."""
    value = layout.value[row, position]
    if state.phase == WHITE:
        return ALLOWED if state.dice[0] + state.dice[1] == value else NOT_THE_SUM
    color = layout.color[row, position]
    if state.gone >> color & 1:
        return DIE_GONE
    die = state.dice[2 + color]
    return ALLOWED if value in (state.dice[0] + die, state.dice[1] + die) else NOT_THE_SUM


@kernel
def refusal(layout: Record, state: Record, seat: int, action: int) -> int:
    """Say why a seat may not do this with the dice, or ALLOWED."""
    if action == PASS:
        return ALLOWED
    if state.phase == WHITE and not layout.shared:
        return window.refusal(layout, state, seat, state.dice[0] + state.dice[1], action)
    cell = window.cell_of(action)
    row = cell // POSITIONS
    position = cell % POSITIONS
    if position >= layout.length[row]:
        return NO_SUCH_CELL
    reason = _cell_refusal(layout, state, seat, row, position)
    if reason == ALLOWED:
        reason = _reaches(layout, state, row, position)
    if reason != ALLOWED:
        return reason
    if layout.shared:
        return ALLOWED if action < PASS else NO_SUCH_TIE
    if layout.has_ties or action >= TIES:
        return window.tie_refusal(layout, state.sheets[seat], state.closed, action)
    return ALLOWED


@kernel
def resolve(layout: Record, state: Record, trail: Ints) -> None:
    """Carry out the choices of this phase, seat by seat, each on its own sheet."""
    if layout.shared:
        action = state.choices[state.active]
        if action != PASS:
            board.place(layout, state, state.active, action // POSITIONS, action % POSITIONS, trail)
            state.crossed = 1
            state.first_cell = action
    elif state.phase == WHITE:
        for seat in range(state.seats):
            window.carry_out(layout, state, seat, state.choices[seat], trail)
    else:
        window.carry_out(layout, state, state.active, state.choices[state.active], trail)
