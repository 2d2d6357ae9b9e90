"""
The network: sparse features select rows of embedding tables, and two small layers turn their sums into predictions.

A position is evaluated for one seat, opponent by opponent. For each opponent the rows that describe both are added up
into 64 hidden units (ReLU). The mean over all opponents goes through a layer of 16 units (ReLU). The outputs are the
logit of the seat's win probability, its final points and those of its opponents. It is a mean and not a sum, so that a
net trained with two seats starts with familiar values when it continues with five. The tables are the same for any
number of seats; each number of seats has its own layers.

A net for one seat (solitaire) adds up the rows of one sheet. Its output is the points still to come; it always wins.

Compiled code gets the tables as an array and all else as records (`LoadedNet`): a record is one pointer, while passing
an array costs as much as adding a row.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from qwixx.jit.decorators import compiled_from, compiled_separately, inlined, kernel
from qwixx.kernel.state.records import SEATS, Record, Records, record_type, type_int

Floats = npt.NDArray[np.float32]
type_float = np.float32

HIDDEN: Final = 64
MIXED: Final = 16
WIN, OWN_POINTS, THEIR_POINTS = range(3)
OUTPUTS: Final = 3
POINTS_SCALE: Final = np.float32(50.0)
"""The unit of points in the outputs: with it they are about as large as the other outputs."""
MAX_INPUTS: Final = 96
ALWAYS: Final = np.float32(1000.0)
"""The logit of winning in a net for one seat, and in no other."""
ZERO: Final = np.float32(0.0)
_ONE: Final = np.float32(1.0)
ENOUGH_UPDATES: Final = np.float32(2000.0)
"""Updates after which a row has the usual step size. Before, the fewer updates it had, the larger its step: most rows
occur once in thousands of games, and would have learned almost nothing when the training ends."""
_MAX_STEP_FACTOR: Final = np.float32(8.0)
"""The largest factor of a step."""

LAYERS: Final = record_type(
    [
        ("mix", type_float, (HIDDEN, MIXED)),
        ("mix_bias", type_float, (MIXED,)),
        ("out", type_float, (MIXED, OUTPUTS)),
        ("out_bias", type_float, (OUTPUTS,)),
    ]
)
"""The trained layers behind the tables."""
BUFFERS: Final = record_type(
    [
        ("ids", type_int, (SEATS - 1, MAX_INPUTS)),
        ("counts", type_int, (SEATS - 1,)),
        ("shared_counts", type_int, (SEATS - 1,)),  # how many inputs of each list are in `shared_sums`
        ("shared_sums", type_float, (SEATS - 1, HIDDEN)),
        ("hidden", type_float, (SEATS - 1, HIDDEN)),
        ("summed", type_float, (HIDDEN,)),
        ("mixed", type_float, (MIXED,)),
        ("outputs", type_float, (OUTPUTS,)),
        ("errors", type_float, (OUTPUTS,)),
        ("mixed_grad", type_float, (MIXED,)),
        ("summed_grad", type_float, (HIDDEN,)),
    ]
)
"""Buffers: the inputs for each opponent, the activations of a forward pass, and the gradients of a backward pass."""


class Net(NamedTuple):
    """All trained weights."""

    tables: Floats
    """One row of hidden units for each input (`feature_tables`)."""
    layers: Records
    """The layers: one record for each number of seats from two on, or one for a single number (`for_seats`)."""

    def for_seats(self, seats: int) -> Net:
        """Return the part for a number of seats. It shares memory, so training it trains the whole net."""
        at = max(seats - 2, 0)  # a net for one seat has no other layers and uses the first
        return Net(self.tables, self.layers[at : at + 1]) if len(self.layers) > 1 else self


class NetArrays(NamedTuple):
    """A net with all that it needs in one game, as Python passes it to compiled code: each array has one record."""

    layouts: Records
    inputs: Records
    """Where the tables of each feature begin (`feature_tables`)."""
    tables: Floats
    layers: Records
    scratches: Records

    def with_scratch(self) -> NetArrays:
        """Return the same net with scratch memory of its own: threads may share the rest."""
        return self._replace(scratches=np.zeros(1, self.scratches.dtype))


class Features(NamedTuple):
    """The parts that list the features of a position: records only, so passing it costs next to nothing."""

    layout: Record
    inputs: Record
    scratch: Record


class LoadedNet(NamedTuple):
    """The arrays of a net in compiled code, where each record is one pointer."""

    layout: Record
    inputs: Record
    tables: Floats
    layers: Record
    scratch: Record


def new_net(rows: int, first: int, seed: int) -> Net:
    """
    Return an untrained net with this number of table rows.

    All rows are zero except those from `first` on, and every position has one of those. So untrained rows contribute
    nothing, and the hidden units still differ.
    """
    draw = np.random.default_rng(seed)
    layers: Records = np.zeros(SEATS - 1, LAYERS)
    layers["mix"] = draw.normal(0.0, 0.15, (HIDDEN, MIXED))
    layers["out"] = draw.normal(0.0, 0.2, (MIXED, OUTPUTS))
    layers["out_bias"] = 0.0, 1.0, 1.0
    tables = np.zeros((rows, HIDDEN), np.float32)
    tables[first:] = draw.normal(0.2, 0.2, HIDDEN)
    return Net(tables, layers)


def alone(net: Net) -> Net:
    """Make a net one for one seat: nobody else can win."""
    net.layers["out"][:, :, WIN] = 0.0
    net.layers["out_bias"][:, WIN] = ALWAYS
    return net


def initial_update_counts(net: Net) -> Floats:
    """Return assumed update counts for the rows of a net from a file: enough for each row that is not zero."""
    return np.where(net.tables.any(axis=1), ENOUGH_UPDATES, ZERO).astype(np.float32)


def copy_net(net: Net) -> Net:
    """Return a copy of a net."""
    return Net(net.tables.copy(), net.layers.copy())


# Interpreted code works on whole rows: a hundred times as fast, with the same result.


@inlined
def _add_row(units: Floats, table: Floats, row: int) -> None:
    for unit in range(HIDDEN):
        units[unit] += table[row, unit]


@compiled_from(_add_row)
def add_row(units: Floats, table: Floats, row: int) -> None:
    """Add a row of a table to units."""
    units += table[row]


@inlined
def _add_positive(units: Floats, others: Floats, share: np.float32) -> None:
    for unit in range(HIDDEN):
        units[unit] += share * max(others[unit], ZERO)


@compiled_from(_add_positive)
def add_positive(units: Floats, others: Floats, share: np.float32) -> None:
    """Add the positive part of other units to units, multiplied by a factor."""
    units += share * np.maximum(others, ZERO)


@inlined
def _subtract_row(table: Floats, row: int, units: Floats, times: np.float32) -> None:
    for unit in range(HIDDEN):
        table[row, unit] -= times * units[unit]


@compiled_from(_subtract_row)
def subtract_row(table: Floats, row: int, units: Floats, times: np.float32) -> None:
    """Subtract units from a row of a table, multiplied by a factor."""
    table[row] -= times * units


@compiled_separately
def _add_mixed(mixed: Floats, summed: Floats, mix: Floats) -> None:
    for row in range(0, HIDDEN, 4):
        for unit in range(MIXED):
            mixed[unit] += (summed[row] * mix[row, unit] + summed[row + 1] * mix[row + 1, unit]) + (
                summed[row + 2] * mix[row + 2, unit] + summed[row + 3] * mix[row + 3, unit]
            )


@compiled_from(_add_mixed)
def add_mixed(mixed: Floats, summed: Floats, mix: Floats) -> None:
    """Add the product of the sums and the mixing weights: four rows at a time, because each step waits for the last."""
    for row in range(0, HIDDEN, 4):
        mixed += (summed[row] * mix[row] + summed[row + 1] * mix[row + 1]) + (
            summed[row + 2] * mix[row + 2] + summed[row + 3] * mix[row + 3]
        )


@kernel
def accumulate_shared(tables: Floats, buffers: Record, others: int) -> None:
    """Add up the inputs that several positions share; `evaluate_rest` adds the rest of each position."""
    for other in range(others):
        sums = buffers.shared_sums[other]
        sums[:] = ZERO
        for at in range(buffers.shared_counts[other]):
            add_row(sums, tables, buffers.ids[other, at])


@kernel
def evaluate_rest(tables: Floats, layers: Record, buffers: Record, others: int) -> None:
    """Compute the outputs of a position whose shared inputs `accumulate_shared` has added up."""
    buffers.summed[:] = ZERO
    share = np.float32(1.0) / np.float32(others)
    for other in range(others):
        hidden = buffers.hidden[other]
        hidden[:] = buffers.shared_sums[other]
        for at in range(buffers.shared_counts[other], buffers.counts[other]):
            add_row(hidden, tables, buffers.ids[other, at])
        add_positive(buffers.summed, hidden, share)
    compute_outputs(layers, buffers)


@kernel
def forward(tables: Floats, layers: Record, buffers: Record, others: int) -> None:
    """Compute the outputs of a position from the inputs in the buffers, listed for each opponent."""
    for other in range(others):
        buffers.shared_counts[other] = buffers.counts[other]
    accumulate_shared(tables, buffers, others)
    evaluate_rest(tables, layers, buffers, others)


@kernel
def compute_outputs(layers: Record, buffers: Record) -> None:
    """Compute the outputs from the mean hidden units of all opponents."""
    mixed = buffers.mixed
    mixed[:] = layers.mix_bias
    add_mixed(mixed, buffers.summed, layers.mix)
    outputs = buffers.outputs
    outputs[:] = layers.out_bias
    for unit in range(MIXED):
        factor = max(mixed[unit], ZERO)
        for output in range(OUTPUTS):
            outputs[output] += factor * layers.out[unit, output]


@compiled_separately
def _backward_mix(mix: Floats, back: Floats, summed: Floats, summed_grad: Floats, rate: np.float32) -> None:
    for unit in range(HIDDEN):
        summed_grad[unit] = ZERO
        factor = summed[unit]
        if factor > ZERO:
            total = ZERO
            for after in range(0, MIXED, 4):
                total += (mix[unit, after] * back[after] + mix[unit, after + 1] * back[after + 1]) + (
                    mix[unit, after + 2] * back[after + 2] + mix[unit, after + 3] * back[after + 3]
                )
            summed_grad[unit] = total
            step = rate * factor
            for after in range(MIXED):
                mix[unit, after] -= step * back[after]


@compiled_from(_backward_mix)
def backward_mix(mix: Floats, back: Floats, summed: Floats, summed_grad: Floats, rate: np.float32) -> None:
    """Compute the gradient of the active sums, and update the mixing weights."""
    summed_grad[:] = ZERO
    for after in range(0, MIXED, 4):
        summed_grad += (mix[:, after] * back[after] + mix[:, after + 1] * back[after + 1]) + (
            mix[:, after + 2] * back[after + 2] + mix[:, after + 3] * back[after + 3]
        )
    counts = summed > ZERO
    summed_grad[~counts] = ZERO
    mix -= np.where(counts, rate * summed, ZERO)[:, np.newaxis] * back


@kernel
def backward(tables: Floats, layers: Record, updates: Floats, buffers: Record, others: int, rate: np.float32) -> None:
    """
    Take one gradient step with the errors in the buffers, after a forward pass.

    `updates` counts the updates of each row of the tables.
    """
    back = buffers.mixed_grad
    for unit in range(MIXED):
        back[unit] = ZERO
        if buffers.mixed[unit] > ZERO:
            for output in range(OUTPUTS):
                back[unit] += buffers.errors[output] * layers.out[unit, output]
                layers.out[unit, output] -= rate * buffers.errors[output] * buffers.mixed[unit]
    for output in range(OUTPUTS):
        layers.out_bias[output] -= rate * buffers.errors[output]
    backward_mix(layers.mix, back, buffers.summed, buffers.summed_grad, rate)
    for unit in range(MIXED):
        layers.mix_bias[unit] -= rate * back[unit]
    table_step = rate / np.float32(others)
    for other in range(others):
        step = buffers.hidden[other]
        for unit in range(HIDDEN):
            step[unit] = table_step * buffers.summed_grad[unit] if step[unit] > ZERO else ZERO
        for at in range(buffers.counts[other]):
            row = buffers.ids[other, at]
            updates[row] += _ONE
            subtract_row(tables, row, step, min(_MAX_STEP_FACTOR, max(_ONE, np.sqrt(ENOUGH_UPDATES / updates[row]))))


@kernel
def sigmoid(logit: np.float32) -> np.float32:
    """Return the probability of a logit."""
    return np.float32(_ONE / (_ONE + np.exp(-logit)))
