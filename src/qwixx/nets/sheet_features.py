"""
Features of sheets: list the table rows that describe one sheet or a pair of sheets.

A row of a sheet is in one of a few states: its last cross and count, or closed with its count. There are tables of
such states for single rows, for two rows whose numbers run alike, and for the same row on two sheets. Misses, bars,
pairs of marked cells and lucky numbers have tables if the layout has them (`feature_tables`). Features use only public
information.
"""

from __future__ import annotations

from typing import Final

from qwixx.jit.decorators import inlined, kernel
from qwixx.kernel.crossing import score
from qwixx.kernel.game_end import count_rows
from qwixx.kernel.paper import is_crossed, position_of, row_of
from qwixx.kernel.state.records import BAR, POSITIONS, ROWS, SEATS, TOTALS, Ints, Record
from qwixx.kernel.window import rows_for_luck
from qwixx.nets.duel_board import lead_state
from qwixx.nets.network import Features

AHEAD: Final = 2
"""How many of the next cells of the bar are features, with the rows they will cross in."""
CELL_STATES: Final = POSITIONS + 2
"""A marked cell is crossed, lost, or some cells away."""
_CROSSED, _LOST = POSITIONS, POSITIONS + 1
MASKS: Final = 1 << ROWS
FEWEST_STATES: Final = 9 * (POSITIONS + 2)
"""Both cells of a pair, each open, crossed or lost, and the crosses of the row with the fewest."""
PAD_STATES: Final = TOTALS * TOTALS
TURN_STATES: Final = (SEATS - 1) * SEATS * SEATS
NO_TABLE: Final = -1


@inlined
def row_state(inputs: Record, sheet: Record, closed: int, row: int) -> int:
    """Return the index of a row's state: its last cross and count, or closed with its count."""
    if (closed | sheet.locks) >> row & 1:
        return int(inputs.closed_at[row] + sheet.count[row])
    after = sheet.next[row]
    return int(after * (after - 1) // 2 + sheet.count[row])


@inlined
def _couple_state(inputs: Record, sheet: Record, closed: int, one: int, two: int, is_alike: int) -> int:
    """Return the index of the states of two rows; if a symmetry exchanges them, their order does not matter."""
    here = row_state(inputs, sheet, closed, one)
    there = row_state(inputs, sheet, closed, two)
    if is_alike and there < here:
        here, there = there, here
    return int(here * inputs.row_states[two] + there)


@kernel
def list_alone(features: Features, sheet: Record, ids: Ints, at: int) -> int:
    """
    Append what only a net for one seat has; return the next index.

    These are the couples of rows that run in opposite directions, and each row with each lucky number (L4). Rows that
    count down see a lucky number from the other end, because they share their table with those that count up.
    """
    layout, inputs = features.layout, features.inputs
    if inputs.cross_at[0] == NO_TABLE:
        return at
    for which in range(ROWS):
        one, two = inputs.cross_rows[which, 0], inputs.cross_rows[which, 1]
        state = _couple_state(inputs, sheet, sheet.locks, one, two, inputs.cross_alike[which])
        ids[at] = inputs.cross_at[which] + state
        at += 1
    if layout.lucky_pads:
        for row in range(ROWS):
            state = row_state(inputs, sheet, sheet.locks, row)
            for which in range(2):
                number = sheet.lucky[which]
                if inputs.mirrored[row]:
                    number = 2 * layout.sides + 2 - number
                ids[at] = inputs.lucky_row_at[row] + number * inputs.row_states[row] + state
                at += 1
    return at


@kernel
def list_sheet(features: Features, sheet: Record, closed: int, side: int, ids: Ints, at: int) -> int:
    """Append the table rows of one sheet to `ids` at index `at`; return the next index."""
    layout, inputs = features.layout, features.inputs
    for row in range(ROWS):
        ids[at] = side + inputs.row_at[row] + row_state(inputs, sheet, closed, row)
        at += 1
    for which in range(2):
        one, two = inputs.two_rows[which, 0], inputs.two_rows[which, 1]
        ids[at] = side + inputs.two_at[which] + _couple_state(inputs, sheet, closed, one, two, inputs.two_alike[which])
        at += 1
    ids[at] = side + inputs.misses_at + sheet.misses
    at += 1
    if layout.bar_length:
        at = _list_bar(features, sheet, closed, side, ids, at)
    if layout.pairs:
        at = _list_pairs(features, sheet, closed, side, ids, at)
    if layout.lucky_pads:
        at = _list_luck(features, sheet, closed, side, ids, at)
    return at


@kernel
def _list_bar(features: Features, sheet: Record, closed: int, side: int, ids: Ints, at: int) -> int:
    """Append the progress of the bar, and the rows in which its next cells will cross (BA2, BA4)."""
    layout, inputs = features.layout, features.inputs
    ahead = 0
    first = layout.bar_length
    for index in range(layout.bar_length):
        row = layout.bar[index]
        if (sheet.used | sheet.struck) >> index & 1 or closed >> row & 1:
            continue
        if ahead == 0:
            first = index
        if ahead < AHEAD:
            ids[at] = (
                side
                + inputs.ahead_at[ahead]
                + index * (inputs.ahead_at[1] - inputs.ahead_at[0]) // BAR
                + row_state(inputs, sheet, closed, row)
            )
            at += 1
            ahead += 1
    ids[at] = side + inputs.bar_at + first * MASKS + closed
    return at + 1


@kernel
def _cell_state(layout: Record, sheet: Record, closed: int, cell: int) -> int:
    """Return the state of a marked cell: crossed, lost, or its distance (BB1)."""
    if is_crossed(sheet, cell):
        return _CROSSED
    row = row_of(cell)
    away = position_of(cell) - sheet.next[row]
    if away < 0 or (closed | sheet.locks) >> row & 1:
        return _LOST
    return int(away)


@kernel
def _list_pairs(features: Features, sheet: Record, closed: int, side: int, ids: Ints, at: int) -> int:
    """Append each pair of marked cells, and the fewest crosses of a row if a pair depends on it (BB1, BB2, BB7)."""
    layout, inputs = features.layout, features.inputs
    fewest = min(sheet.count[0], sheet.count[1], sheet.count[2], sheet.count[3])
    for pair in range(layout.pairs):
        one = _cell_state(layout, sheet, closed, layout.pair_cells[pair, 0])
        two = _cell_state(layout, sheet, closed, layout.pair_cells[pair, 1])
        ids[at] = side + inputs.pair_at[pair] + one * CELL_STATES + two
        at += 1
        if inputs.fewest_at[pair] != NO_TABLE:
            both = max(0, one - _CROSSED + 1) * 3 + max(0, two - _CROSSED + 1)
            ids[at] = side + inputs.fewest_at[pair] + both * (POSITIONS + 2) + fewest
            at += 1
    return at


@kernel
def _list_luck(features: Features, sheet: Record, closed: int, side: int, ids: Ints, at: int) -> int:
    """Append the lucky numbers, and the rows that they would cross in (L4)."""
    inputs = features.inputs
    rows = rows_for_luck(sheet, closed)
    for row in range(ROWS):
        if rows >> row & 1:
            ids[at] = side + inputs.luck_at[row] + row_state(inputs, sheet, closed, row)
            at += 1
    ids[at] = side + inputs.pad_at + sheet.lucky[0] * TOTALS + sheet.lucky[1]
    return at + 1


@inlined
def turns_of(seats: int, roller: int, seat: int, other: int) -> int:
    """Return the index of a state of turns: the number of seats, and how soon each of two seats will roll."""
    return ((seats - 2) * SEATS + (seat - roller) % seats) * SEATS + (other - roller) % seats


@kernel
def list_both(features: Features, own: Record, other: Record, closed: int, ids: Ints, at: int) -> int:
    """Append the table rows that compare two sheets to `ids` at index `at`; return the next index."""
    layout, inputs = features.layout, features.inputs
    for row in range(ROWS):
        states = inputs.row_states[row]
        here = row_state(inputs, own, closed, row)
        ids[at] = inputs.same_at[row] + here * states + row_state(inputs, other, closed, row)
        at += 1
    wide = layout.end_misses + 1
    rows = min(count_rows(closed), layout.end_rows - 1)
    if layout.personal:  # K8: each seat closes rows for itself
        rows = count_rows(own.locks) * layout.end_rows + count_rows(other.locks)
    ids[at] = inputs.both_misses_at + (rows * wide + own.misses) * wide + other.misses
    at += 1
    ids[at] = inputs.lead_at + lead_state(score(layout, own) - score(layout, other))
    return at + 1
