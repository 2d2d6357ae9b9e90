"""
Where the tables of a net stand: all of them follow from the layout, and no game is known by its name.

The tables of one sheet stand there twice, as one's own and as an opponent's; then come those of both sheets together.
Rows that a symmetry of the sheet exchanges share their tables.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from qwixx.kernel.records import BAR, COUNTING_PAIRS, PAIRS, ROWS, Record, Records, record_type, type_int
from qwixx.learn.board import (
    BOARD_INPUTS,
    CAPTURE_STATES,
    CLOSED_STATES,
    LEAD_STATES,
    ROW_STATES,
    SIDE_STATES,
    SUPPLY_STATES,
)
from qwixx.learn.hand import (
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
from qwixx.learn.inputs import AHEAD, CELL_STATES, FEWEST_STATES, MASKS, NO_TABLE, PAD_STATES, TURN_STATES, turns_of
from qwixx.learn.net import Net, new_net
from qwixx.solver.numbering.symmetry import symmetries
from qwixx.variants.features import features_of

VERSION: Final = 1
"""Raised whenever the tables, or the meaning of their rows, change: weights of before do not fit then."""

INPUTS: Final = record_type(
    [
        ("rows", type_int),  # of all tables together
        ("first_rows", type_int),  # of those that a game without jokers has as well: a net for that one can go on here
        ("other_side", type_int),  # from a table of the own sheet to the same of an opponent's
        ("row_at", type_int, (ROWS,)),
        ("row_states", type_int, (ROWS,)),
        ("closed_at", type_int, (ROWS,)),  # the first state of a closed row
        ("two_rows", type_int, (2, 2)),
        ("two_at", type_int, (2,)),
        ("two_alike", type_int, (2,)),  # 1: the rows can be exchanged
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
    rows_closed = int(layout.end_rows) ** (2 if layout.personal else 1)
    inputs.both_misses_at = shelf.put((int(layout.end_misses) + 1) ** 2 * rows_closed)
    inputs.lead_at = shelf.put(LEAD_STATES)
    if layout.deck_size:
        _lay_out_hand(inputs, shelf, first_alike)
    inputs.turns_at = shelf.put(TURN_STATES)
    inputs.first_rows = shelf.size
    if "jokers" in features_of(layouts):
        for row, alike in enumerate(first_alike):
            inputs.hand.wild_at[row] = shelf.put(HELD_IN_ROW * int(inputs.row_states[row]), ("wild", alike))
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
    inputs.first_rows = inputs.rows = shelf.size


def _lay_out_hand(inputs: Record, shelf: _Shelf, first_alike: list[int]) -> None:
    """Lay the tables of a hand of cards out (`learn.hand`)."""
    places = inputs.hand
    for row, alike in enumerate(first_alike):
        states = int(inputs.row_states[row])
        places.pattern_at[row] = shelf.put(PATTERNS, ("pattern", alike))
        places.held_at[row] = shelf.put(HELD_IN_ROW * states, ("held", alike))
        places.out_at[row] = shelf.put(OUT_IN_ROW * states, ("out", alike))
        places.other_out_at[row] = shelf.put(OUT_IN_ROW * states, ("other's out", alike))
    places.joker_at = shelf.put(JOKERS)
    places.back_at = shelf.put(BACKS)
    places.back_number_at = shelf.put(BACK_NUMBERS)
    places.fullness_at = shelf.put(FULLNESS)
    places.best_at = shelf.put(BEST_PLAYS)
    places.both_held_at = shelf.put(HELD_BY_BOTH)
    places.display_at = shelf.put(DISPLAYS)
    places.kind_at = shelf.put(KINDS)


def empty_net(inputs: Records, seed: int) -> Net:
    """Make a net for tables that stand like this, which knows nothing."""
    return more_tables(inputs, new_net(int(inputs["first_rows"][0]), int(inputs["turns_at"][0]), seed))


def more_tables(inputs: Records, net: Net) -> Net:
    """Add the tables that a net does not have yet because it comes from a game without jokers; they say nothing."""
    missing = int(inputs["rows"][0]) - len(net.tables)
    return net if not missing else Net(np.pad(net.tables, ((0, missing), (0, 0))), net.layers)


def spread(inputs: Records, net: Net, learned: Sequence[int], wanted: Sequence[int]) -> None:
    """Give numbers of seats that a net has not learned yet what it knows about the nearest that it has."""
    first = int(inputs["turns_at"][0])
    for seats in set(wanted) - set(learned):
        near = min(learned, key=lambda known: abs(known - seats))
        net.layers[seats - 2] = net.layers[near - 2]
        known = net.tables[first + turns_of(near, 0, 0, 1)].copy()
        for seat, other in itertools.permutations(range(seats), 2):
            net.tables[first + turns_of(seats, 0, seat, other)] = known


def _lay_out_effects(layout: Record, inputs: Record, shelf: _Shelf, first_alike: list[int]) -> None:
    """Add tables for what marked cells, bars and lucky numbers do, where there are any."""
    inputs.bar_at = inputs.pad_at = NO_TABLE
    widest = int(max(inputs.row_states))
    if layout.bar_length:
        inputs.bar_at = shelf.put((BAR + 1) * MASKS)
        for ahead in range(AHEAD):
            inputs.ahead_at[ahead] = shelf.put(BAR * widest)
    for pair in range(layout.pairs):
        inputs.pair_at[pair] = shelf.put(CELL_STATES * CELL_STATES)
        inputs.fewest_at[pair] = NO_TABLE
        if layout.pair_effect[pair] in COUNTING_PAIRS:
            inputs.fewest_at[pair] = shelf.put(FEWEST_STATES)
    if layout.lucky_pads:
        inputs.pad_at = shelf.put(PAD_STATES)
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
