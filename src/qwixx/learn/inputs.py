"""
Which rows of the tables speak of a position: the one place that says what the net looks at.

Everything follows from the layout. A row of a sheet is in one of a few states: the last cross and the count, or closed
with its count. There are tables of such states: of single rows, of two rows whose numbers run alike, and of the same
row on two sheets. Rows that a symmetry of the sheet exchanges share theirs. Misses, bars, pairs of marked cells and
lucky numbers have tables where a layout has them. Only what everybody sees is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from qwixx.kernel.ends import count_rows
from qwixx.kernel.jit import inlined, kernel
from qwixx.kernel.paper import is_crossed, position_of, row_of, score
from qwixx.kernel.records import (
    BAR,
    COUNTING_PAIRS,
    PAIRS,
    POSITIONS,
    ROWS,
    SEATS,
    TOTALS,
    Ints,
    Record,
    Records,
    record_type,
    type_int,
)
from qwixx.kernel.window import rows_for_luck
from qwixx.learn.board import (
    BOARD_INPUTS,
    CAPTURE_STATES,
    CLOSED_STATES,
    LEAD_STATES,
    ROW_STATES,
    SIDE_STATES,
    SUPPLY_STATES,
    lead_state,
)
from qwixx.learn.net import Net, new_net
from qwixx.solver.numbering.symmetry import symmetries

VERSION: Final = 1
"""Raised whenever the tables, or the meaning of their rows, change: weights of before do not fit then."""
_AHEAD: Final = 2
"""Cells of the bar that are looked at with the rows they will cross in."""
_CELL_STATES: Final = POSITIONS + 2
"""A marked cell is crossed, lost, or so many cells away."""
_CROSSED, _LOST = POSITIONS, POSITIONS + 1
_MASKS: Final = 1 << ROWS
_NO_TABLE: Final = -1

INPUTS: Final = record_type(
    [
        ("rows", type_int),  # of all tables together
        ("other_side", type_int),  # from a table of the own sheet to the same of an opponent's
        ("row_at", type_int, (ROWS,)),
        ("row_states", type_int, (ROWS,)),
        ("closed_at", type_int, (ROWS,)),  # the first state of a closed row
        ("two_rows", type_int, (2, 2)),
        ("two_at", type_int, (2,)),
        ("two_alike", type_int, (2,)),  # 1: the rows can be exchanged
        ("misses_at", type_int),
        ("bar_at", type_int),
        ("ahead_at", type_int, (_AHEAD,)),
        ("pair_at", type_int, (PAIRS,)),
        ("fewest_at", type_int, (PAIRS,)),
        ("luck_at", type_int, (ROWS,)),
        ("pad_at", type_int),
        ("same_at", type_int, (ROWS,)),
        ("both_misses_at", type_int),
        ("lead_at", type_int),
        ("turns_at", type_int),
        ("board", BOARD_INPUTS),
    ]
)
"""Where the tables of a layout stand."""


# ---- laying the tables out


@dataclass(slots=True)
class _Shelf:
    """Tables, one behind the other; those that are shared stand there once."""

    size: int = 0
    shared: dict[object, int] = field(default_factory=dict)

    def put(self, rows: int, key: object = None) -> int:
        if key is not None and key in self.shared:
            return self.shared[key]
        at = self.size
        self.size += rows
        if key is not None:
            self.shared[key] = at
        return at


def lay_out(layouts: Records) -> Records:
    """Say where the tables of a layout stand, in an array of one."""
    layout = layouts[0]
    found: Records = np.zeros(1, INPUTS)
    inputs = found[0]
    shelf = _Shelf()
    orders = [symmetry.rows for symmetry in symmetries(layout)]
    first_alike = [min(order[row] for order in orders) for row in range(ROWS)]
    if layout.shared:
        _lay_out_board(layout, inputs, shelf, first_alike)
        return found
    for row in range(ROWS):
        crossable = int(layout.closes_from[row])
        inputs.closed_at[row] = crossable * (crossable + 1) // 2 + 1
        inputs.row_states[row] = inputs.closed_at[row] + layout.length[row] + 2
        inputs.row_at[row] = shelf.put(inputs.row_states[row], ("row", first_alike[row]))
    for which, rows in enumerate(_rows_that_run_alike(layout)):
        # Of both orders the one that a symmetry takes to the smaller rows: so that equal pairs share a table.
        one, two = min((rows, rows[::-1]), key=lambda two: min((order[two[0]], order[two[1]]) for order in orders))
        images = {(order[one], order[two]) for order in orders}
        inputs.two_rows[which] = one, two
        inputs.two_alike[which] = (two, one) in images
        states = int(inputs.row_states[one]) * int(inputs.row_states[two])
        inputs.two_at[which] = shelf.put(states, ("two", min(images)))
    inputs.misses_at = shelf.put(int(layout.end_misses) + 1)
    _lay_out_effects(layout, inputs, shelf, first_alike)
    inputs.other_side = shelf.size
    shelf.size *= 2
    for row in range(ROWS):
        inputs.same_at[row] = shelf.put(int(inputs.row_states[row]) ** 2, ("same", first_alike[row]))
    inputs.both_misses_at = shelf.put((int(layout.end_misses) + 1) ** 2 * int(layout.end_rows))
    inputs.lead_at = shelf.put(LEAD_STATES)
    inputs.turns_at = shelf.put(SEATS * SEATS)
    inputs.rows = shelf.size
    return found


def _lay_out_board(layout: Record, inputs: Record, shelf: _Shelf, first_alike: list[int]) -> None:
    """Lay the tables of a shared board out (`learn.board`)."""
    places = inputs.board
    for row, alike in enumerate(first_alike):
        places.row_at[row] = shelf.put(ROW_STATES, ("row", alike))
        places.capture_at[row] = shelf.put(CAPTURE_STATES, ("capture", alike))
        places.own_at[row] = shelf.put(SIDE_STATES, ("own", alike))
        places.other_at[row] = shelf.put(SIDE_STATES, ("other", alike))
    places.closed_at = shelf.put(CLOSED_STATES)
    places.supply_at = shelf.put(SUPPLY_STATES)
    places.misses_at = shelf.put((int(layout.end_misses) + 1) ** 2 * int(layout.end_rows))
    places.lead_at = shelf.put(LEAD_STATES)
    inputs.turns_at = shelf.put(1)
    inputs.rows = shelf.size


def empty_net(inputs: Records, seed: int) -> Net:
    """Make a net for tables that stand like this, which knows nothing."""
    return new_net(int(inputs["rows"][0]), int(inputs["turns_at"][0]), seed)


def _lay_out_effects(layout: Record, inputs: Record, shelf: _Shelf, first_alike: list[int]) -> None:
    """Add tables for what marked cells, bars and lucky numbers do, where there are any."""
    inputs.bar_at = inputs.pad_at = _NO_TABLE
    widest = int(max(inputs.row_states))
    if layout.bar_length:
        inputs.bar_at = shelf.put((BAR + 1) * _MASKS)
        for ahead in range(_AHEAD):
            inputs.ahead_at[ahead] = shelf.put(BAR * widest)
    for pair in range(layout.pairs):
        inputs.pair_at[pair] = shelf.put(_CELL_STATES * _CELL_STATES)
        inputs.fewest_at[pair] = _NO_TABLE
        if layout.pair_effect[pair] in COUNTING_PAIRS:
            inputs.fewest_at[pair] = shelf.put(9 * (POSITIONS + 2))
    if layout.lucky_pads:
        inputs.pad_at = shelf.put(TOTALS * TOTALS)
        for row in range(ROWS):
            inputs.luck_at[row] = shelf.put(int(inputs.row_states[row]), ("luck", first_alike[row]))


def _rows_that_run_alike(layout: Record) -> tuple[tuple[int, int], tuple[int, int]]:
    """Put the rows into two pairs, so that a number which is near in one row is near in the other, as far as can be."""

    def likeness(one: int, two: int) -> float:
        size = int(min(layout.length[one], layout.length[two]))
        numbers = np.array([layout.value[one, :size], layout.value[two, :size]], np.float64)
        return float((numbers[0] - numbers[0].mean()) @ (numbers[1] - numbers[1].mean()))

    ways = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
    return max(ways, key=lambda way: likeness(*way[0]) + likeness(*way[1]))


# ---- reading a position


@inlined
def row_state(inputs: Record, sheet: Record, closed: int, row: int) -> int:
    """Give the number of a row's state: the last cross and the count, or closed with its count."""
    if (closed | sheet.locks) >> row & 1:
        return int(inputs.closed_at[row] + sheet.count[row])
    after = sheet.next[row]
    return int(after * (after - 1) // 2 + sheet.count[row])


@kernel
def list_sheet(layout: Record, inputs: Record, sheet: Record, closed: int, side: int, ids: Ints, at: int) -> int:
    """List the rows of tables that speak of one sheet, behind `at` others; give how many there are then."""
    for row in range(ROWS):
        ids[at] = side + inputs.row_at[row] + row_state(inputs, sheet, closed, row)
        at += 1
    for which in range(2):
        one = inputs.two_rows[which, 0]
        two = inputs.two_rows[which, 1]
        here = row_state(inputs, sheet, closed, one)
        there = row_state(inputs, sheet, closed, two)
        if inputs.two_alike[which] and there < here:
            here, there = there, here
        ids[at] = side + inputs.two_at[which] + here * inputs.row_states[two] + there
        at += 1
    ids[at] = side + inputs.misses_at + sheet.misses
    at += 1
    if layout.bar_length:
        at = _list_bar(layout, inputs, sheet, closed, side, ids, at)
    if layout.pairs:
        at = _list_pairs(layout, inputs, sheet, closed, side, ids, at)
    if layout.lucky_pads:
        at = _list_luck(layout, inputs, sheet, closed, side, ids, at)
    return at


@kernel
def _list_bar(layout: Record, inputs: Record, sheet: Record, closed: int, side: int, ids: Ints, at: int) -> int:
    """Look at how far the bar is used, and at the rows in which its next cells will cross (BA2, BA4)."""
    ahead = 0
    first = layout.bar_length
    for index in range(layout.bar_length):
        row = layout.bar[index]
        if (sheet.used | sheet.struck) >> index & 1 or closed >> row & 1:
            continue
        if ahead == 0:
            first = index
        if ahead < _AHEAD:
            ids[at] = (
                side
                + inputs.ahead_at[ahead]
                + index * (inputs.ahead_at[1] - inputs.ahead_at[0]) // BAR
                + row_state(inputs, sheet, closed, row)
            )
            at += 1
            ahead += 1
    ids[at] = side + inputs.bar_at + first * _MASKS + closed
    return at + 1


@kernel
def _cell_state(layout: Record, sheet: Record, closed: int, cell: int) -> int:
    """Tell whether a marked cell is crossed, lost, or how far away it is (BB1)."""
    if is_crossed(sheet, cell):
        return _CROSSED
    row = row_of(cell)
    away = position_of(cell) - sheet.next[row]
    if away < 0 or (closed | sheet.locks) >> row & 1:
        return _LOST
    return int(away)


@kernel
def _list_pairs(layout: Record, inputs: Record, sheet: Record, closed: int, side: int, ids: Ints, at: int) -> int:
    """Look at each pair of marked cells, and at the row with the fewest crosses where a pair does (BB1, BB2, BB7)."""
    fewest = min(sheet.count[0], sheet.count[1], sheet.count[2], sheet.count[3])
    for pair in range(layout.pairs):
        one = _cell_state(layout, sheet, closed, layout.pair_cells[pair, 0])
        two = _cell_state(layout, sheet, closed, layout.pair_cells[pair, 1])
        ids[at] = side + inputs.pair_at[pair] + one * _CELL_STATES + two
        at += 1
        if inputs.fewest_at[pair] != _NO_TABLE:
            both = max(0, one - _CROSSED + 1) * 3 + max(0, two - _CROSSED + 1)
            ids[at] = side + inputs.fewest_at[pair] + both * (POSITIONS + 2) + fewest
            at += 1
    return at


@kernel
def _list_luck(layout: Record, inputs: Record, sheet: Record, closed: int, side: int, ids: Ints, at: int) -> int:
    """Look at the lucky numbers, and at the rows that they would cross in (L4)."""
    rows = rows_for_luck(sheet, closed)
    for row in range(ROWS):
        if rows >> row & 1:
            ids[at] = side + inputs.luck_at[row] + row_state(inputs, sheet, closed, row)
            at += 1
    ids[at] = side + inputs.pad_at + sheet.lucky[0] * TOTALS + sheet.lucky[1]
    return at + 1


@kernel
def list_both(
    layout: Record, inputs: Record, own: Record, other: Record, closed: int, turns: int, ids: Ints, at: int
) -> int:
    """
    List the rows of tables that compare two sheets, behind `at` others; give how many there are then.

    `turns` says after how many turns each of the two will roll: the own number times SEATS plus the opponent's.
    """
    for row in range(ROWS):
        states = inputs.row_states[row]
        here = row_state(inputs, own, closed, row)
        ids[at] = inputs.same_at[row] + here * states + row_state(inputs, other, closed, row)
        at += 1
    wide = layout.end_misses + 1
    rows = min(count_rows(closed), layout.end_rows - 1)
    ids[at] = inputs.both_misses_at + (rows * wide + own.misses) * wide + other.misses
    at += 1
    ids[at] = inputs.lead_at + lead_state(score(layout, own) - score(layout, other))
    at += 1
    ids[at] = inputs.turns_at + turns
    return at + 1
