"""
The layout of a net's tables, computed from the layout of a sheet; no game is known by its name.

The tables of one sheet exist twice, for the own sheet and for an opponent's; then come those of both sheets together.
Rows that a symmetry of the sheet exchanges share their tables.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from qwixx.kernel.effects import EFFECTS
from qwixx.kernel.state.records import BAR, PAIRS, ROWS, TOTALS, Record, Records, record_type, type_int
from qwixx.nets.duel_board import (
    BOARD_INPUTS,
    CAPTURE_STATES,
    CLOSED_STATES,
    LEAD_STATES,
    ROW_STATES,
    SIDE_STATES,
    SUPPLY_STATES,
)
from qwixx.nets.hand_features import (
    BACK_NUMBERS,
    BACKS,
    BEST_PLAYS,
    DISPLAYS,
    FULLNESS,
    HAND_INPUTS,
    HELD_BY_BOTH,
    HELD_IN_ROW,
    JOKERS,
    KINDS,
    OUT_IN_ROW,
    PATTERNS,
)
from qwixx.nets.network import Net, NetArrays, new_net
from qwixx.nets.scratch import SCRATCH
from qwixx.nets.sheet_features import (
    AHEAD,
    CELL_STATES,
    FEWEST_STATES,
    MASKS,
    NO_TABLE,
    PAD_STATES,
    TURN_STATES,
    turns_of,
)
from qwixx.solver.encoding.symmetry import symmetries
from qwixx.variants.features import features_of

VERSION: Final = 1
"""Increased whenever the tables or the meaning of their rows change: older weights do not fit then."""

INPUTS: Final = record_type(
    [
        ("rows", type_int),  # of all tables together
        (
            "first_rows",
            type_int,
        ),  # of the tables that a game without jokers has too: a net for that game can continue here
        ("other_side", type_int),  # offset from a table of the own sheet to that of an opponent's
        ("row_at", type_int, (ROWS,)),
        ("row_states", type_int, (ROWS,)),
        ("closed_at", type_int, (ROWS,)),  # the first state of a closed row
        ("two_rows", type_int, (2, 2)),
        ("two_at", type_int, (2,)),
        ("two_alike", type_int, (2,)),  # 1: a symmetry exchanges the two rows
        ("cross_rows", type_int, (ROWS, 2)),  # the other couples of rows, for nets of one seat
        ("cross_at", type_int, (ROWS,)),
        ("cross_alike", type_int, (ROWS,)),
        ("lucky_row_at", type_int, (ROWS,)),  # each row with a lucky number, for nets of one seat
        ("mirrored", type_int, (ROWS,)),  # 1: the row counts against the first of those that share its tables
        ("misses_at", type_int),
        ("bar_at", type_int),
        ("ahead_at", type_int, (AHEAD,)),
        ("pair_at", type_int, (PAIRS,)),
        ("fewest_at", type_int, (PAIRS,)),
        ("luck_at", type_int, (ROWS,)),
        ("pad_at", type_int),
        ("same_at", type_int, (ROWS,)),
        ("both_misses_at", type_int),
        ("lead_at", type_int),
        ("turns_at", type_int),
        ("board", BOARD_INPUTS),
        ("hand", HAND_INPUTS),
    ]
)
"""The first row of each table, for one sheet layout."""


# ---- allocating the tables


@dataclass(slots=True)
class _Allocator:
    """Allocates tables one behind the other; tables with the same key are shared."""

    size: int = 0
    shared: dict[object, int] = field(default_factory=dict)

    def allocate(self, rows: int, key: object = None) -> int:
        if key is not None and key in self.shared:
            return self.shared[key]
        at = self.size
        self.size += rows
        if key is not None:
            self.shared[key] = at
        return at


def feature_layout(layouts: Records) -> Records:
    """Return the positions of all tables for a sheet layout, in an array of one record."""
    layout = layouts[0]
    found: Records = np.zeros(1, INPUTS)
    inputs = found[0]
    allocator = _Allocator()
    orders = [symmetry.rows for symmetry in symmetries(layout)]
    first_alike = [min(order[row] for order in orders) for row in range(ROWS)]
    if layout.shared:
        _allocate_board(layout, inputs, allocator, first_alike)
        return found
    for row in range(ROWS):
        crossable = int(layout.closes_from[row])
        inputs.closed_at[row] = crossable * (crossable + 1) // 2 + 1
        inputs.row_states[row] = inputs.closed_at[row] + layout.length[row] + 2
        inputs.row_at[row] = allocator.allocate(inputs.row_states[row], ("row", first_alike[row]))
    for which, rows in enumerate(_rows_that_run_alike(layout)):
        couple = _allocate_couple(inputs, allocator, rows, orders)
        inputs.two_rows[which], inputs.two_at[which], inputs.two_alike[which] = couple
    inputs.misses_at = allocator.allocate(int(layout.end_misses) + 1)
    _allocate_effects(layout, inputs, allocator, first_alike)
    inputs.other_side = allocator.size
    allocator.size *= 2
    for row in range(ROWS):
        inputs.same_at[row] = allocator.allocate(int(inputs.row_states[row]) ** 2, ("same", first_alike[row]))
    rows_closed = int(layout.end_rows) ** (2 if layout.personal else 1)
    inputs.both_misses_at = allocator.allocate((int(layout.end_misses) + 1) ** 2 * rows_closed)
    inputs.lead_at = allocator.allocate(LEAD_STATES)
    if layout.deck_size:
        _allocate_hand(inputs, allocator, first_alike)
    inputs.turns_at = allocator.allocate(TURN_STATES)
    _allocate_alone(layout, inputs, orders, first_alike)
    inputs.first_rows = allocator.size
    if "jokers" in features_of(layouts):
        for row, alike in enumerate(first_alike):
            inputs.hand.wild_at[row] = allocator.allocate(HELD_IN_ROW * int(inputs.row_states[row]), ("wild", alike))
    inputs.rows = allocator.size
    return found


def _allocate_couple(
    inputs: Record, allocator: _Allocator, rows: tuple[int, int], orders: Sequence[Sequence[int]]
) -> tuple[tuple[int, int], int, bool]:
    """Allocate the table of two rows; return them in order, the table, and whether a symmetry exchanges them."""
    # Of both orders take the one that a symmetry maps to the smaller rows, so that equal pairs share a table.
    one, two = min((rows, rows[::-1]), key=lambda two: min((order[two[0]], order[two[1]]) for order in orders))
    images = {(order[one], order[two]) for order in orders}
    states = int(inputs.row_states[one]) * int(inputs.row_states[two])
    return (one, two), allocator.allocate(states, ("two", min(images))), (two, one) in images


def _allocate_alone(
    layout: Record, inputs: Record, orders: Sequence[Sequence[int]], first_alike: Sequence[int]
) -> None:
    """
    Place the tables that only a net for one seat has: it has no other sheets, so their tables are free.

    These are the other four couples of rows, and each row with each lucky number.
    """
    allocator = _Allocator(int(inputs.other_side))
    for which, rows in enumerate(itertools.product(*inputs.two_rows.tolist())):
        couple = _allocate_couple(inputs, allocator, rows, orders)
        inputs.cross_rows[which], inputs.cross_at[which], inputs.cross_alike[which] = couple
    for row, alike in enumerate(first_alike):
        inputs.mirrored[row] = layout.value[row, 0] != layout.value[alike, 0]
        if layout.lucky_pads:
            size = TOTALS * int(inputs.row_states[row])
            inputs.lucky_row_at[row] = allocator.allocate(size, ("lucky", alike))
    if allocator.size > inputs.turns_at:
        inputs.cross_at[:] = NO_TABLE


def load_net(layouts: Records, net: Net, seats: int) -> NetArrays:
    """Return a net with all that it needs in a game with this number of seats; it shares the memory of the net."""
    part = net.for_seats(seats)
    return NetArrays(layouts, feature_layout(layouts), part.tables, part.layers, np.zeros(1, SCRATCH))


def _allocate_board(layout: Record, inputs: Record, allocator: _Allocator, first_alike: list[int]) -> None:
    """Allocate the tables of a shared board (`duel_board`)."""
    places = inputs.board
    for row, alike in enumerate(first_alike):
        places.row_at[row] = allocator.allocate(ROW_STATES, ("row", alike))
        places.capture_at[row] = allocator.allocate(CAPTURE_STATES, ("capture", alike))
        places.own_at[row] = allocator.allocate(SIDE_STATES, ("own", alike))
        places.other_at[row] = allocator.allocate(SIDE_STATES, ("other", alike))
    places.closed_at = allocator.allocate(CLOSED_STATES)
    places.supply_at = allocator.allocate(SUPPLY_STATES)
    places.misses_at = allocator.allocate((int(layout.end_misses) + 1) ** 2 * int(layout.end_rows))
    places.lead_at = allocator.allocate(LEAD_STATES)
    inputs.turns_at = allocator.allocate(1)
    inputs.first_rows = inputs.rows = allocator.size


def _allocate_hand(inputs: Record, allocator: _Allocator, first_alike: list[int]) -> None:
    """Allocate the tables of a hand of cards (`hand_features`)."""
    places = inputs.hand
    for row, alike in enumerate(first_alike):
        states = int(inputs.row_states[row])
        places.pattern_at[row] = allocator.allocate(PATTERNS, ("pattern", alike))
        places.held_at[row] = allocator.allocate(HELD_IN_ROW * states, ("held", alike))
        places.out_at[row] = allocator.allocate(OUT_IN_ROW * states, ("out", alike))
        places.other_out_at[row] = allocator.allocate(OUT_IN_ROW * states, ("other's out", alike))
    places.joker_at = allocator.allocate(JOKERS)
    places.back_at = allocator.allocate(BACKS)
    places.back_number_at = allocator.allocate(BACK_NUMBERS)
    places.fullness_at = allocator.allocate(FULLNESS)
    places.best_at = allocator.allocate(BEST_PLAYS)
    places.both_held_at = allocator.allocate(HELD_BY_BOTH)
    places.display_at = allocator.allocate(DISPLAYS)
    places.kind_at = allocator.allocate(KINDS)


def empty_net(inputs: Records, seed: int) -> Net:
    """Return an untrained net for a layout of tables."""
    return add_joker_tables(inputs, new_net(int(inputs["first_rows"][0]), int(inputs["turns_at"][0]), seed))


def add_joker_tables(inputs: Records, net: Net) -> Net:
    """Add joker tables of zeros to a net that comes from a game without jokers."""
    missing = int(inputs["rows"][0]) - len(net.tables)
    return net if not missing else Net(np.pad(net.tables, ((0, missing), (0, 0))), net.layers)


def copy_to_untrained_seats(inputs: Records, net: Net, learned: Sequence[int], wanted: Sequence[int]) -> None:
    """Copy weights from the nearest trained number of seats to the numbers that the net was not trained for."""
    first = int(inputs["turns_at"][0])
    for seats in set(wanted) - set(learned):
        near = min(learned, key=lambda known: abs(known - seats))
        net.layers[seats - 2] = net.layers[near - 2]
        known = net.tables[first + turns_of(near, 0, 0, 1)].copy()
        for seat, other in itertools.permutations(range(seats), 2):
            net.tables[first + turns_of(seats, 0, seat, other)] = known


def _allocate_effects(layout: Record, inputs: Record, allocator: _Allocator, first_alike: list[int]) -> None:
    """Allocate tables for marked cells, bars and lucky numbers, where a layout has them."""
    inputs.bar_at = inputs.pad_at = NO_TABLE
    widest = int(max(inputs.row_states))
    if layout.bar_length:
        inputs.bar_at = allocator.allocate((BAR + 1) * MASKS)
        for ahead in range(AHEAD):
            inputs.ahead_at[ahead] = allocator.allocate(BAR * widest)
    for pair in range(layout.pairs):
        inputs.pair_at[pair] = allocator.allocate(CELL_STATES * CELL_STATES)
        inputs.fewest_at[pair] = NO_TABLE
        if EFFECTS[layout.pair_effect[pair]].counts_rows:
            inputs.fewest_at[pair] = allocator.allocate(FEWEST_STATES)
    if layout.lucky_pads:
        inputs.pad_at = allocator.allocate(PAD_STATES)
        for row in range(ROWS):
            inputs.luck_at[row] = allocator.allocate(int(inputs.row_states[row]), ("luck", first_alike[row]))


def _rows_that_run_alike(layout: Record) -> tuple[tuple[int, int], tuple[int, int]]:
    """Group the rows into two pairs, so that a number near the start of one row is near in the other, if possible."""

    def likeness(one: int, two: int) -> float:
        size = int(min(layout.length[one], layout.length[two]))
        numbers = np.array([layout.value[one, :size], layout.value[two, :size]], np.float64)
        return float((numbers[0] - numbers[0].mean()) @ (numbers[1] - numbers[1].mean()))

    ways = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
    return max(ways, key=lambda way: likeness(*way[0]) + likeness(*way[1]))
