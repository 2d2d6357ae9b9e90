"""
Extras: all that a sheet can have beside rows of numbers, and the choices that come from it.

The layout switches each of them on: stairs (CA), linked cells (CB), a bar that exchanges the number (XC), a track and
small fields (F), bonus rows (BP). `has_extras` says whether there is any. What follows from a single cross, such as a
second box (DA), double cells (DB) and the cross of a linked cell, is in `paper` and `crossing`.
"""

from __future__ import annotations

from qwixx.jit.decorators import inlined, kernel
from qwixx.kernel.menu import add
from qwixx.kernel.paper import allows, is_crossed, mark, position_of, refuses, row_of, row_points
from qwixx.kernel.state.bitmasks import count_bits
from qwixx.kernel.state.event_log import BONUS_CELL, EXCHANGED, LINK, TRACKED, EventLog, append_event
from qwixx.kernel.state.records import (
    BONUS_CELLS,
    CELLS,
    COLOR,
    COLORS,
    POSITIONS,
    ROWS,
    TRACK,
    WHITE,
    WITH_SMALL,
    Record,
)
from qwixx.kernel.state.refusals import (
    ALLOWED,
    LEFT_OF_CROSS,
    NO_NEIGHBOR,
    NO_PAIR_OF_FACES,
    NO_SUCH_CELL,
    NOT_ACTIVE,
    NOT_EXCHANGED,
    NOT_THE_SUM,
    NOT_THE_TRACK_SUM,
    TRACK_FULL,
    WRONG_PHASE,
)

_ALL_POSITIONS = (1 << POSITIONS) - 1


# ---- points


@kernel
def row_crosses(layout: Record, sheet: Record, row: int) -> int:
    """Return the crosses of a row that score: its own, its small fields (F5), and the bonus cells beside it (BP5)."""
    crosses = sheet.count[row] + count_bits(sheet.marks[row] & layout.small_marks[row])
    for beside in range(layout.bonus_rows):
        if row in (layout.beside[beside, 0], layout.beside[beside, 1]):
            crosses += count_bits(bonus_marks(sheet, beside))
    return int(crosses)


@kernel
def points(layout: Record, sheet: Record) -> int:
    """Return the points beside those of the rows: of the stairs (CA2) and of the track (F1)."""
    stairs = 0
    for row in range(ROWS):
        stairs += count_bits(sheet.marks[row] & layout.stairs[sheet.pad, row])
    best = layout.track[sheet.track - 1] if sheet.track else 0
    return int(row_points(layout, stairs) + best)


# ---- the bar that exchanges the number


@kernel
def _printed_field(layout: Record, total: int, number: int) -> int:
    """Return the field of the bar that shows the white sum and a number, -1 if there is none (XC1, FR31)."""
    for field in range(layout.swaps):
        one = layout.swap[field, 0]
        other = layout.swap[field, 1]
        if (one == total and other == number) or (other == total and one == number):
            return field
    return -1


@kernel
def field_for(layout: Record, sheet: Record, total: int, number: int) -> int:
    """Return the field that exchanges the white sum for a number, -1 if it is used or lost, or there is none (XC2)."""
    field = _printed_field(layout, total, number)
    return field if field >= 0 and sheet.exchanged >> field == 0 else -1


@kernel
def use_field(layout: Record, sheet: Record, seat: int, total: int, number: int, log: EventLog) -> None:
    """Use a field of the bar, if the number to be crossed is not the white sum itself; those left of it are lost."""
    if number != total:
        field = field_for(layout, sheet, total, number)
        sheet.exchanged |= 1 << field
        append_event(log, EXCHANGED, seat, field, 0)


# ---- small fields


@inlined
def _is_pair(layout: Record, one: int, other: int) -> bool:
    """Return whether two dice show the pair of faces; a die that has left shows 0, which is no face."""
    first = layout.faces[0]
    second = layout.faces[1]
    return bool((one == first and other == second) or (one == second and other == first))


@kernel
def small_rows(layout: Record, state: Record) -> int:
    """Return the rows whose small fields two dice of the roll offer, as a mask (F4)."""
    dice = state.dice
    if _is_pair(layout, dice[0], dice[1]):
        return (1 << ROWS) - 1
    rows = 0
    for row in range(ROWS):
        die = dice[2 + layout.lock_color[row]]
        found = _is_pair(layout, die, dice[0]) or _is_pair(layout, die, dice[1])
        for color in range(COLORS):
            found = found or _is_pair(layout, die, dice[2 + color])
        rows |= int(found) << row
    return rows


# ---- bonus rows


@inlined
def bonus_marks(sheet: Record, beside: int) -> int:
    """Return the crosses of a bonus row, as bits of its positions."""
    return int(sheet.bonus >> beside * POSITIONS & _ALL_POSITIONS)


@kernel
def _crossed_beside(layout: Record, sheet: Record, beside: int, position: int) -> int:
    """Return 1 for the row above, 2 for the row below, whose number beside this bonus cell is crossed."""
    above = sheet.marks[layout.beside[beside, 0]] >> position & 1
    return int(above | (sheet.marks[layout.beside[beside, 1]] >> position & 1) << 1)


@kernel
def _reached_beside(layout: Record, state: Record, beside: int, position: int) -> int:
    """Return in the same form for which row beside a bonus cell the dice offer this number (BP2, FR12, FR13)."""
    rows = 0
    for side in range(2):
        row = layout.beside[beside, side]
        number = layout.value[row, position]
        die = state.dice[2 + layout.color[row, position]]
        if state.phase == WHITE:
            found = number == state.dice[0] + state.dice[1]
        else:
            found = die > 0 and number in (state.dice[0] + die, state.dice[1] + die)
        rows |= int(found) << side
    return rows


@kernel
def _bonus_refusal(layout: Record, state: Record, sheet: Record, beside: int, position: int) -> int:
    """Return why a bonus cell may not be crossed, or ALLOWED; in action 1 either row beside it will do (BP2, FR11)."""
    if beside >= layout.bonus_rows or position >= layout.length[layout.beside[beside, 0]]:
        return NO_SUCH_CELL
    reached = _reached_beside(layout, state, beside, position)
    if reached == 0:
        return NOT_THE_SUM
    if bonus_marks(sheet, beside) >> position:
        return LEFT_OF_CROSS
    crossed = _crossed_beside(layout, sheet, beside, position)
    return ALLOWED if (crossed & reached if state.phase == COLOR else crossed) else NO_NEIGHBOR


# ---- the track


@kernel
def _track_refusal(layout: Record, state: Record, seat: int) -> int:
    """Return why a seat may not cross the next field of the track, or ALLOWED (F2, FR36, FR38, FR39)."""
    if layout.track_fields == 0:
        return NO_SUCH_CELL
    if state.phase != WHITE:
        return WRONG_PHASE
    if seat != state.active:
        return NOT_ACTIVE
    if state.sheets[seat].track >= layout.track_fields:
        return TRACK_FULL
    for color in range(COLORS):
        die = state.dice[2 + color]
        if die > 0 and state.dice[0] + state.dice[1] + die == layout.track_sum:
            return ALLOWED
    return NOT_THE_TRACK_SUM


# ---- choices


@kernel
def add_offers(layout: Record, state: Record, seat: int, menu: Record, count: int) -> int:
    """Add the choices of a seat that come from extras to its menu; return the new length."""
    sheet = state.sheets[seat]
    for beside in range(layout.bonus_rows):
        for position in range(layout.length[layout.beside[beside, 0]]):
            if _bonus_refusal(layout, state, sheet, beside, position) == ALLOWED:
                count = add(menu, count, BONUS_CELLS + beside * POSITIONS + position)
    if state.phase == COLOR:
        return count
    total = state.dice[0] + state.dice[1]
    if layout.swaps:
        count = _add_exchanges(layout, sheet, state.closed, total, menu, count)
    if _track_refusal(layout, state, seat) == ALLOWED:
        count = add(menu, count, TRACK)
    if layout.smalls:
        count = _add_small_fields(layout, state, sheet, total, menu, count)
    return int(count)


@kernel
def _add_exchanges(layout: Record, sheet: Record, closed: int, total: int, menu: Record, count: int) -> int:
    for row in range(ROWS):
        for position in range(layout.length[row]):
            number = layout.value[row, position]
            if allows(layout, sheet, closed, row, position) and field_for(layout, sheet, total, number) >= 0:
                count = add(menu, count, row * POSITIONS + position)
    return int(count)


@kernel
def _add_small_fields(layout: Record, state: Record, sheet: Record, total: int, menu: Record, count: int) -> int:
    """Add each small field that two dice offer, alone and beside each cell with the white sum (FR41)."""
    rows = small_rows(layout, state)
    for small in range(layout.smalls):
        cell = layout.small[small]
        row = row_of(cell)
        if rows >> row & 1 and allows(layout, sheet, state.closed, row, position_of(cell)):
            count = add(menu, count, cell)
            for other in range(ROWS):
                position = layout.white_spots[total, other]
                if position >= 0 and allows(layout, sheet, state.closed, other, position):
                    count = add(menu, count, WITH_SMALL + small * CELLS + other * POSITIONS + position)
    return int(count)


@kernel
def sum_refusal(layout: Record, state: Record, sheet: Record, row: int, position: int) -> int:
    """Return why a cell that does not show the white sum may not be chosen in action 1, or ALLOWED."""
    if layout.small_marks[row] >> position & 1:
        return ALLOWED if small_rows(layout, state) >> row & 1 else NO_PAIR_OF_FACES
    total = state.dice[0] + state.dice[1]
    number = layout.value[row, position]
    if _printed_field(layout, total, number) < 0:
        return NOT_THE_SUM
    return ALLOWED if field_for(layout, sheet, total, number) >= 0 else NOT_EXCHANGED


@kernel
def refusal(layout: Record, state: Record, seat: int, action: int) -> int:
    """Return why a seat may not choose this action, one from MORE on, or ALLOWED."""
    sheet = state.sheets[seat]
    if action < TRACK:
        beside, position = divmod(action - BONUS_CELLS, POSITIONS)
        return _bonus_refusal(layout, state, sheet, beside, position)
    if action == TRACK:
        return _track_refusal(layout, state, seat)
    small, cell = divmod(action - WITH_SMALL, CELLS)
    row = row_of(cell)
    position = position_of(cell)
    if small >= layout.smalls or position >= layout.length[row] or layout.small_marks[row] >> position & 1:
        return NO_SUCH_CELL
    if state.phase != WHITE:
        return WRONG_PHASE
    if layout.value[row, position] != state.dice[0] + state.dice[1]:
        return NOT_THE_SUM
    where = layout.small[small]
    if not small_rows(layout, state) >> row_of(where) & 1:
        return NO_PAIR_OF_FACES
    reason = refuses(layout, sheet, state.closed, row, position)
    return reason if reason != ALLOWED else refuses(layout, sheet, state.closed, row_of(where), position_of(where))


@kernel
def carry_out(layout: Record, sheet: Record, seat: int, action: int, log: EventLog) -> None:
    """Carry out an action from MORE on, on the seat's own sheet."""
    if action < TRACK:
        sheet.bonus |= 1 << (action - BONUS_CELLS)
        append_event(log, BONUS_CELL, seat, action, 0)
    elif action == TRACK:
        append_event(log, TRACKED, seat, sheet.track, 0)
        sheet.track += 1
    else:
        small, cell = divmod(action - WITH_SMALL, CELLS)
        where = layout.small[small]
        first = where if row_of(where) == row_of(cell) and where < cell else cell  # FR44
        last = cell if first == where else where
        mark(layout, sheet, seat, row_of(first), position_of(first), log)
        mark(layout, sheet, seat, row_of(last), position_of(last), log)


# ---- linked cells


@kernel
def partner_of(layout: Record, sheet: Record, cell: int) -> int:
    """Return the cell that is linked to a cell on the pad of a sheet, -1 if there is none (CB1)."""
    for link in range(layout.links):
        one = layout.chain[sheet.pad, link, 0]
        other = layout.chain[sheet.pad, link, 1]
        if cell in (one, other):
            return int(one + other - cell)
    return -1


@kernel
def cross_partner(layout: Record, sheet: Record, seat: int, row: int, position: int, log: EventLog) -> None:
    """Cross the cell that is linked to a crossed one on this pad, whatever stands there (CB2, CB3)."""
    partner = partner_of(layout, sheet, row * POSITIONS + position)
    if partner < 0 or is_crossed(sheet, partner):
        return
    other = row_of(partner)
    place = position_of(partner)
    sheet.marks[other] |= 1 << place
    sheet.count[other] += 1
    sheet.next[other] = max(sheet.next[other], place + 1)
    append_event(log, LINK, seat, partner, 0)
