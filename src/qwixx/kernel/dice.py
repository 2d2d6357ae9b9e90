"""The dice: rolling them, the color sums of the active seat, and the duel, where only the active seat acts."""

from __future__ import annotations

from qwixx.kernel import board, window
from qwixx.kernel.ends import dice_gone
from qwixx.kernel.jit import inlined, kernel
from qwixx.kernel.paper import allows, position_of, refuses, row_of
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
from qwixx.kernel.trail import Trail


@inlined
def roll(layout: Record, state: Record) -> None:
    """Roll the white dice and every color die still in play, together (C2)."""
    sides = layout.sides
    throw = below(state, sides * sides * sides * sides * sides * sides)
    if sides == 6:
        _lay_out(state, throw, 6)  # a divisor the compiler knows makes rolling three times as fast
    else:
        _lay_out(state, throw, sides)


@inlined
def _lay_out(state: Record, throw: int, sides: int) -> None:
    """Read one number as the faces of all dice; dice that have left show nothing (C8)."""
    gone = state.gone << 2
    for die in range(2 + COLORS):
        state.dice[die] = 0 if gone >> die & 1 else throw % sides + 1
        throw //= sides


@kernel
def dice_refusal(layout: Record, state: Record, dice: Ints) -> int:
    """Say why these dice cannot lie on the table: a number no die shows, a die that left, or one missing."""
    for die in range(2 + COLORS):
        is_gone = die >= 2 and state.gone >> (die - 2) & 1
        if dice[die] < (0 if is_gone else 1) or dice[die] > (0 if is_gone else layout.sides):
            return BAD_DIE
    return ALLOWED


@inlined
def _allows(layout: Record, state: Record, seat: int, row: int, position: int) -> int:
    """Ask the paper, or the duel's board, whether a cell may be taken."""
    if layout.shared:
        return int(board.refuses(layout, state, seat, row, position) == ALLOWED)
    return allows(layout, state.sheets[seat], state.closed, row, position)


@inlined
def color_cell(layout: Record, state: Record, gone: int, color: int, white: int) -> int:
    """Give the cell that a white die and the die of a color reach, -1 if none does or the die has left (C4, C8, G2)."""
    if gone >> color & 1:
        return -1
    return int(layout.color_spots[color, state.dice[white] + state.dice[2 + color]])


@inlined
def own_color_spots(layout: Record, state: Record, row: int) -> tuple[int, int]:
    """
    Give the positions that both color sums of a row's own die reach, -1 for none (C4).

    For sheets in order, where a row has the color of its number. The die of a closed row has left (C8), but such a row
    takes nothing anyway.
    """
    die = state.dice[2 + row]
    return layout.white_spots[state.dice[0] + die, row], layout.white_spots[state.dice[1] + die, row]


@inlined
def legal(layout: Record, state: Record, seat: int, menu: Record) -> int:
    """List what the active seat alone may do with the dice: a color sum (C4, G2), in the duel the white sum (D5)."""
    if state.phase == WHITE:
        return _white_in_duel(layout, state, seat, menu)
    if layout.shared:
        return _color_on_board(layout, state, seat, menu)
    return offers(layout, state, state.sheets[seat], state.closed, menu)


@inlined
def offers(layout: Record, state: Record, sheet: Record, closed: int, menu: Record) -> int:
    """List what the color sums on the table offer to any sheet, in a game or tried out (C4, G2)."""
    if not layout.in_order:
        return _color_sums(layout, state, sheet, closed, menu)
    count = 0
    for row in range(ROWS):
        one, two = own_color_spots(layout, state, row)
        first = min(one, two)
        last = max(one, two)
        # Written in any case, and counted only if it is allowed: cheaper than guessing whether it will be.
        menu.actions[count] = row * POSITIONS + first
        count += int(first >= 0) & allows(layout, sheet, closed, row, first)
        menu.actions[count] = row * POSITIONS + last
        count += int(last > first) & allows(layout, sheet, closed, row, last)
    menu.actions[count] = PASS
    count += 1
    return window.split_ties(layout, sheet, closed, menu, count) if window.may_tie(layout, sheet) else count


@kernel
def _color_sums(layout: Record, state: Record, sheet: Record, closed: int, menu: Record) -> int:
    """List the color sums where they need sorting (G2)."""
    gone = dice_gone(layout, closed)
    count = 0
    for color in range(COLORS):
        for white in range(2):
            cell = color_cell(layout, state, gone, color, white)
            if cell >= 0 and allows(layout, sheet, closed, row_of(cell), position_of(cell)):
                count = window.add(menu, count, cell)
    count = window.add(menu, count, PASS)
    return window.split_ties(layout, sheet, closed, menu, count) if layout.has_ties else count


@kernel
def _color_on_board(layout: Record, state: Record, seat: int, menu: Record) -> int:
    """List the color sums that a pawn may be put on (D5)."""
    count = 0
    for color in range(COLORS):
        for white in range(2):
            cell = color_cell(layout, state, state.gone, color, white)
            if cell >= 0 and board.refuses(layout, state, seat, row_of(cell), position_of(cell)) == ALLOWED:
                count = window.add(menu, count, cell)
    return window.add(menu, count, PASS)


@kernel
def _white_in_duel(layout: Record, state: Record, seat: int, menu: Record) -> int:
    """List where the active seat may put a pawn with the white sum (D5)."""
    count = 0
    for row in range(ROWS):
        position = layout.white_spots[state.dice[0] + state.dice[1], row]
        if position >= 0 and board.refuses(layout, state, seat, row, position) == ALLOWED:
            count = window.add(menu, count, row * POSITIONS + position)
    return window.add(menu, count, PASS)


@kernel
def _cell_refusal(layout: Record, state: Record, seat: int, row: int, position: int) -> int:
    """Say why a cell cannot be taken, on paper or on the duel's board."""
    if layout.shared:
        return board.refuses(layout, state, seat, row, position)
    return refuses(layout, state.sheets[seat], state.closed, row, position)


@inlined
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


@inlined
def refusal(layout: Record, state: Record, seat: int, action: int) -> int:
    """Say why the active seat may not do this with the dice, or ALLOWED."""
    if action == PASS:
        return ALLOWED
    cell = window.cell_of(action)
    row = row_of(cell)
    position = position_of(cell)
    if position >= layout.length[row]:
        return NO_SUCH_CELL
    if not _allows(layout, state, seat, row, position):
        return _cell_refusal(layout, state, seat, row, position)
    reason = _reaches(layout, state, row, position)
    if reason != ALLOWED:
        return reason
    if layout.shared:
        return ALLOWED if action < PASS else NO_SUCH_TIE
    if layout.has_ties or action >= TIES:
        return window.tie_refusal(layout, state.sheets[seat], state.closed, action)
    return ALLOWED


@kernel
def place(layout: Record, state: Record, trail: Trail) -> None:
    """Carry out the active seat's choice on the duel's board (D5)."""
    action = state.choices[state.active]
    if action != PASS:
        board.place(layout, state, state.active, row_of(action), position_of(action), trail)
        state.crossed = 1
        state.first_cell = action
