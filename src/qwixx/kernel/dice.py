"""The dice: rolling, the color sums of the active seat, and the duel, in which only the active seat acts."""

from __future__ import annotations

from qwixx.jit.decorators import inlined, kernel
from qwixx.kernel import board, extras, window
from qwixx.kernel.game_end import dice_gone
from qwixx.kernel.menu import add
from qwixx.kernel.paper import allows, position_of, refuses, row_of
from qwixx.kernel.state.event_log import EventLog
from qwixx.kernel.state.records import COLORS, MORE, PASS, POSITIONS, ROWS, TIES, WHITE, Ints, Record
from qwixx.kernel.state.refusals import ALLOWED, BAD_DIE, DIE_GONE, NO_SUCH_CELL, NO_SUCH_TIE, NOT_THE_SUM
from qwixx.kernel.state.rng import randbelow


@inlined
def roll(layout: Record, state: Record) -> None:
    """Roll the white dice and every color die still in play, together (C2)."""
    sides = layout.sides
    number = randbelow(state, sides * sides * sides * sides * sides * sides)
    if sides == 6:
        _set_faces(state, number, 6)  # a constant divisor makes rolling three times as fast
    else:
        _set_faces(state, number, sides)


@inlined
def _set_faces(state: Record, number: int, sides: int) -> None:
    """Read one number as the faces of all dice; dice that have left show nothing (C8)."""
    gone = state.gone << 2
    for die in range(2 + COLORS):
        state.dice[die] = 0 if gone >> die & 1 else number % sides + 1
        number //= sides


@kernel
def dice_refusal(layout: Record, state: Record, dice: Ints) -> int:
    """Return BAD_DIE for a number that no die shows, a die that has left, or a missing die; else ALLOWED (C8)."""
    for die in range(2 + COLORS):
        is_gone = die >= 2 and state.gone >> (die - 2) & 1
        if dice[die] < (0 if is_gone else 1) or dice[die] > (0 if is_gone else layout.sides):
            return BAD_DIE
    return ALLOWED


@inlined
def _allows(layout: Record, state: Record, seat: int, row: int, position: int) -> int:
    """Return 1 if a cell may be taken, on paper or on the duel's board, else 0."""
    if layout.shared:
        return int(board.refuses(layout, state, seat, row, position) == ALLOWED)
    return allows(layout, state.sheets[seat], state.closed, row, position)


@inlined
def color_cell(layout: Record, state: Record, gone: int, color: int, white: int) -> int:
    """Return the cell that a white die and a color die reach, -1 if there is none or the die has left (C4, C8, G2)."""
    if gone >> color & 1:
        return -1
    return int(layout.color_spots[color, state.dice[white] + state.dice[2 + color]])


@inlined
def own_color_spots(layout: Record, state: Record, row: int) -> tuple[int, int]:
    """
    Return the positions that both color sums of a row's own die reach, -1 for none (C4).

    Only for sheets in order, where row n has color n. The die of a closed row has left (C8), but such a row takes no
    crosses anyway.
    """
    die = state.dice[2 + row]
    return layout.white_spots[state.dice[0] + die, row], layout.white_spots[state.dice[1] + die, row]


@inlined
def legal(layout: Record, state: Record, seat: int, menu: Record) -> int:
    """Write the choices of the active seat to the menu: color sums (C4, G2), in the duel also the white sum (D5)."""
    if state.phase == WHITE:
        return _white_in_duel(layout, state, seat, menu)
    if layout.shared:
        return _color_on_board(layout, state, seat, menu)
    count = offers(layout, state, state.sheets[seat], state.closed, menu)
    return extras.add_offers(layout, state, seat, menu, count) if layout.bonus_rows else count


@inlined
def offers(layout: Record, state: Record, sheet: Record, closed: int, menu: Record) -> int:
    """Write the choices that the color sums offer to any sheet, of a game or a copy, to the menu (C4, G2)."""
    if not layout.in_order:
        return _color_sums(layout, state, sheet, closed, menu)
    count = 0
    for row in range(ROWS):
        one, two = own_color_spots(layout, state, row)
        first = min(one, two)
        last = max(one, two)
        # Always written, but counted only if it is allowed: cheaper than a branch that is hard to predict.
        menu.actions[count] = row * POSITIONS + first
        count += int(first >= 0) & allows(layout, sheet, closed, row, first)
        menu.actions[count] = row * POSITIONS + last
        count += int(last > first) & allows(layout, sheet, closed, row, last)
    menu.actions[count] = PASS
    count += 1
    return window.split_ties(layout, sheet, closed, menu, count) if window.may_tie(layout, sheet) else count


@kernel
def _color_sums(layout: Record, state: Record, sheet: Record, closed: int, menu: Record) -> int:
    """Write the color sums to the menu where they have to be sorted (G2)."""
    gone = dice_gone(layout, closed)
    count = 0
    for color in range(COLORS):
        for white in range(2):
            cell = color_cell(layout, state, gone, color, white)
            if cell >= 0 and allows(layout, sheet, closed, row_of(cell), position_of(cell)):
                count = add(menu, count, cell)
    count = add(menu, count, PASS)
    return window.split_ties(layout, sheet, closed, menu, count) if layout.has_ties else count


@kernel
def _color_on_board(layout: Record, state: Record, seat: int, menu: Record) -> int:
    """Write the cells of the color sums that a pawn may go to, to the menu (D5)."""
    count = 0
    for color in range(COLORS):
        for white in range(2):
            cell = color_cell(layout, state, state.gone, color, white)
            if cell >= 0 and board.refuses(layout, state, seat, row_of(cell), position_of(cell)) == ALLOWED:
                count = add(menu, count, cell)
    return add(menu, count, PASS)


@kernel
def _white_in_duel(layout: Record, state: Record, seat: int, menu: Record) -> int:
    """Write the cells of the white sum that a pawn may go to, to the menu (D5)."""
    count = 0
    for row in range(ROWS):
        position = layout.white_spots[state.dice[0] + state.dice[1], row]
        if position >= 0 and board.refuses(layout, state, seat, row, position) == ALLOWED:
            count = add(menu, count, row * POSITIONS + position)
    return add(menu, count, PASS)


@kernel
def _cell_refusal(layout: Record, state: Record, seat: int, row: int, position: int) -> int:
    """Return why a cell cannot be taken, on paper or on the duel's board."""
    if layout.shared:
        return board.refuses(layout, state, seat, row, position)
    return refuses(layout, state.sheets[seat], state.closed, row, position)


@inlined
def _reaches(layout: Record, state: Record, row: int, position: int) -> int:
    """Check that a sum of the dice reaches a cell: the white sum, or a white and a color die (C3, C4, C8)."""
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
    """Return why the active seat may not choose this action with the dice, or ALLOWED."""
    if action == PASS:
        return ALLOWED
    if action >= MORE:
        return extras.refusal(layout, state, seat, action)
    cell = window.cell_of(action)
    row = row_of(cell)
    position = position_of(cell)
    if position >= layout.length[row]:
        return NO_SUCH_CELL
    # The sum comes before the state of the row; a die that has left comes after it, since closing is why it left.
    reason = _reaches(layout, state, row, position)
    if reason == NOT_THE_SUM:
        return reason
    if not _allows(layout, state, seat, row, position):
        return _cell_refusal(layout, state, seat, row, position)
    if reason != ALLOWED:
        return reason
    if layout.shared:
        return ALLOWED if action < PASS else NO_SUCH_TIE
    if layout.has_ties or action >= TIES:
        return window.tie_refusal(layout, state.sheets[seat], state.closed, action)
    return ALLOWED


@kernel
def place(layout: Record, state: Record, log: EventLog) -> None:
    """Apply the active seat's choice to the duel's board (D5)."""
    action = state.choices[state.active]
    if action != PASS:
        board.place(layout, state, state.active, row_of(action), position_of(action), log)
        state.crossed = 1
        state.first_cell = action
