"""
The net: rows of tables added up into hidden units, and what they make of a position.

A position is seen by one seat, opponent by opponent. For each opponent the rows that speak of both are added up into
64 units that count only where they are positive; the mean over all opponents is mixed into 16 units, and these give the
seat's chance of winning, its points at the end and those of its opponents. A mean and no sum: so a net for two seats
finds itself on familiar ground when it goes on with five. The tables are the same for any number of seats; what comes
behind them is there once for each.

Compiled code gets the tables as an array and all else as records: a record is one pointer, while every array that is
handed on costs as much as adding a row.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from qwixx.kernel.jit import compiled_as, inlined, kernel, whole
from qwixx.kernel.records import SEATS, Record, Records, record_type, type_int

Floats = npt.NDArray[np.float32]
type_float = np.float32

HIDDEN: Final = 64
MIXED: Final = 16
WIN, OWN_POINTS, THEIR_POINTS = range(3)
OUTPUTS: Final = 3
POINTS_SCALE: Final = np.float32(50.0)
"""Points are learned in units of this many, so that they are about as large as everything else."""
MOST_INPUTS: Final = 96
NOTHING: Final = np.float32(0.0)
_ONE: Final = np.float32(1.0)
OFTEN: Final = np.float32(2000.0)
"""Lessons after which a row of a table is moved like all else. Before, it is moved further, the less it was seen: most
rows come up once in thousands of games, and would know next to nothing when the training ends."""
_FURTHEST: Final = np.float32(8.0)
"""So many times as far at most."""

LAYERS: Final = record_type(
    [
        ("mix", type_float, (HIDDEN, MIXED)),
        ("mix_bias", type_float, (MIXED,)),
        ("out", type_float, (MIXED, OUTPUTS)),
        ("out_bias", type_float, (OUTPUTS,)),
    ]
)
"""What is learned behind the tables."""
DESK: Final = record_type(
    [
        ("ids", type_int, (SEATS - 1, MOST_INPUTS)),
        ("counts", type_int, (SEATS - 1,)),
        ("begun", type_int, (SEATS - 1,)),  # how many of the inputs were added up before the rest is known
        ("begun_sums", type_float, (SEATS - 1, HIDDEN)),
        ("hidden", type_float, (SEATS - 1, HIDDEN)),
        ("summed", type_float, (HIDDEN,)),
        ("mixed", type_float, (MIXED,)),
        ("outputs", type_float, (OUTPUTS,)),
        ("errors", type_float, (OUTPUTS,)),
        ("mixed_back", type_float, (MIXED,)),
        ("summed_back", type_float, (HIDDEN,)),
    ]
)
"""Room to work in: the inputs for each opponent, what a forward pass leaves behind, and what goes back."""


class Net(NamedTuple):
    """All that is learned."""

    tables: Floats
    """One row of hidden units for each input (`inputs`)."""
    layers: Records
    """What comes behind them: once for each number of seats from two on, or for one number alone (`for_seats`)."""

    def for_seats(self, seats: int) -> Net:
        """Give the part for a number of seats: the same memory, so what it learns the whole net learns."""
        return Net(self.tables, self.layers[seats - 2 : seats - 1]) if len(self.layers) > 1 else self


def new_net(rows: int, first: int, seed: int) -> Net:
    """
    Make a net that knows nothing, with so many rows of tables.

    All rows are zeros but those from `first` on, one of which every position has: so whatever was never learned says
    nothing, and the hidden units differ all the same.
    """
    draw = np.random.default_rng(seed)
    layers: Records = np.zeros(SEATS - 1, LAYERS)
    layers["mix"] = draw.normal(0.0, 0.15, (HIDDEN, MIXED))
    layers["out"] = draw.normal(0.0, 0.2, (MIXED, OUTPUTS))
    layers["out_bias"] = 0.0, 1.0, 1.0
    tables = np.zeros((rows, HIDDEN), np.float32)
    tables[first:] = draw.normal(0.2, 0.2, HIDDEN)
    return Net(tables, layers)


def lessons_had(net: Net) -> Floats:
    """Say how many lessons each row of the tables has had, as far as a net tells: those that say something, enough."""
    return np.where(net.tables.any(axis=1), OFTEN, NOTHING).astype(np.float32)


def copy_net(net: Net) -> Net:
    """Copy a net."""
    return Net(net.tables.copy(), net.layers.copy())


# Interpreted, whole rows at a time are a hundred times as fast, and give the same.


@inlined
def _add_row(units: Floats, table: Floats, row: int) -> None:
    for unit in range(HIDDEN):
        units[unit] += table[row, unit]


@compiled_as(_add_row)
def add_row(units: Floats, table: Floats, row: int) -> None:
    """Add a row of a table to units."""
    units += table[row]


@inlined
def _add_positive(units: Floats, others: Floats, share: np.float32) -> None:
    for unit in range(HIDDEN):
        units[unit] += share * max(others[unit], NOTHING)


@compiled_as(_add_positive)
def add_positive(units: Floats, others: Floats, share: np.float32) -> None:
    """Add what is positive of other units to units, so many times."""
    units += share * np.maximum(others, NOTHING)


@inlined
def _take_off(table: Floats, row: int, units: Floats, times: np.float32) -> None:
    for unit in range(HIDDEN):
        table[row, unit] -= times * units[unit]


@compiled_as(_take_off)
def take_off(table: Floats, row: int, units: Floats, times: np.float32) -> None:
    """Take units off a row of a table, so many times."""
    table[row] -= times * units


@whole
def _add_mixed(mixed: Floats, summed: Floats, mix: Floats) -> None:
    for row in range(0, HIDDEN, 4):
        for unit in range(MIXED):
            mixed[unit] += (summed[row] * mix[row, unit] + summed[row + 1] * mix[row + 1, unit]) + (
                summed[row + 2] * mix[row + 2, unit] + summed[row + 3] * mix[row + 3, unit]
            )


@compiled_as(_add_mixed)
def add_mixed(mixed: Floats, summed: Floats, mix: Floats) -> None:
    """Mix the sums: four at a time, since every step has to wait for the one before."""
    for row in range(0, HIDDEN, 4):
        mixed += (summed[row] * mix[row] + summed[row + 1] * mix[row + 1]) + (
            summed[row + 2] * mix[row + 2] + summed[row + 3] * mix[row + 3]
        )


@kernel
def begin(tables: Floats, desk: Record, others: int) -> None:
    """Add up the inputs on the desk that several positions have in common; `go_on` adds the rest of each."""
    for other in range(others):
        sums = desk.begun_sums[other]
        sums[:] = NOTHING
        for at in range(desk.begun[other]):
            add_row(sums, tables, desk.ids[other, at])


@kernel
def go_on(tables: Floats, layers: Record, desk: Record, others: int) -> None:
    """Work out what the inputs make of a position of which `begin` has added up the first."""
    desk.summed[:] = NOTHING
    share = np.float32(1.0) / np.float32(others)
    for other in range(others):
        hidden = desk.hidden[other]
        hidden[:] = desk.begun_sums[other]
        for at in range(desk.begun[other], desk.counts[other]):
            add_row(hidden, tables, desk.ids[other, at])
        add_positive(desk.summed, hidden, share)
    finish(layers, desk)


@kernel
def forward(tables: Floats, layers: Record, desk: Record, others: int) -> None:
    """Work out what the inputs on the desk, listed for each opponent, make of a position."""
    for other in range(others):
        desk.begun[other] = desk.counts[other]
    begin(tables, desk, others)
    go_on(tables, layers, desk, others)


@kernel
def finish(layers: Record, desk: Record) -> None:
    """Work out the outputs from the mean of all opponents' hidden units."""
    mixed = desk.mixed
    mixed[:] = layers.mix_bias
    add_mixed(mixed, desk.summed, layers.mix)
    outputs = desk.outputs
    outputs[:] = layers.out_bias
    for unit in range(MIXED):
        factor = max(mixed[unit], NOTHING)
        for output in range(OUTPUTS):
            outputs[output] += factor * layers.out[unit, output]


@whole
def _back_through_mix(mix: Floats, back: Floats, summed: Floats, summed_back: Floats, rate: np.float32) -> None:
    for unit in range(HIDDEN):
        summed_back[unit] = NOTHING
        factor = summed[unit]
        if factor > NOTHING:
            total = NOTHING
            for after in range(0, MIXED, 4):
                total += (mix[unit, after] * back[after] + mix[unit, after + 1] * back[after + 1]) + (
                    mix[unit, after + 2] * back[after + 2] + mix[unit, after + 3] * back[after + 3]
                )
            summed_back[unit] = total
            step = rate * factor
            for after in range(MIXED):
                mix[unit, after] -= step * back[after]


@compiled_as(_back_through_mix)
def back_through_mix(mix: Floats, back: Floats, summed: Floats, summed_back: Floats, rate: np.float32) -> None:
    """Say how the sums that count should have been, and change how they are mixed."""
    summed_back[:] = NOTHING
    for after in range(0, MIXED, 4):
        summed_back += (mix[:, after] * back[after] + mix[:, after + 1] * back[after + 1]) + (
            mix[:, after + 2] * back[after + 2] + mix[:, after + 3] * back[after + 3]
        )
    counts = summed > NOTHING
    summed_back[~counts] = NOTHING
    mix -= np.where(counts, rate * summed, NOTHING)[:, np.newaxis] * back


@kernel
def backward(tables: Floats, layers: Record, seen: Floats, desk: Record, others: int, rate: np.float32) -> None:
    """
    Change the net so that the outputs on the desk would have been nearer by a share of their errors.

    `seen` counts the lessons that each row of the tables has had.
    """
    back = desk.mixed_back
    for unit in range(MIXED):
        back[unit] = NOTHING
        if desk.mixed[unit] > NOTHING:
            for output in range(OUTPUTS):
                back[unit] += desk.errors[output] * layers.out[unit, output]
                layers.out[unit, output] -= rate * desk.errors[output] * desk.mixed[unit]
    for output in range(OUTPUTS):
        layers.out_bias[output] -= rate * desk.errors[output]
    back_through_mix(layers.mix, back, desk.summed, desk.summed_back, rate)
    for unit in range(MIXED):
        layers.mix_bias[unit] -= rate * back[unit]
    table_step = rate / np.float32(others)
    for other in range(others):
        step = desk.hidden[other]
        for unit in range(HIDDEN):
            step[unit] = table_step * desk.summed_back[unit] if step[unit] > NOTHING else NOTHING
        for at in range(desk.counts[other]):
            row = desk.ids[other, at]
            seen[row] += _ONE
            take_off(tables, row, step, min(_FURTHEST, max(_ONE, np.sqrt(OFTEN / seen[row]))))
