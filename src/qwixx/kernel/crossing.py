"""A cross with all its effects, and the score of a sheet: the functions of `effects`, called by their codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qwixx.jit.decorators import inlined, kernel
from qwixx.kernel import extras
from qwixx.kernel.effects import BOXES, EFFECTS
from qwixx.kernel.paper import (
    is_complete,
    is_crossed,
    is_pair,
    mark,
    next_bar_cell,
    position_of,
    row_of,
    row_points,
    trigger,
)
from qwixx.kernel.state.event_log import PAIR, EventLog, append_event
from qwixx.kernel.state.records import BOXED, LINKED, NOTHING, PAIRED, POSITIONS, ROWS, Record

_BOXES = -1
"""The code of boxed cells."""
_QUEUE = 64
"""One more than there are cells is enough: each cell triggers its effect once."""


@kernel
def _nothing(code: int, *_args: Any) -> int:
    return 0


def _call_for(known: int, function: Callable[..., int], others: Callable[..., int]) -> Callable[..., int]:
    """Return a function that calls `function` for one code, and `others` for all other codes."""

    def call(code: int, *args: Any) -> int:
        if code == known:
            return function(*args)
        return others(code, *args)

    # The linker takes functions of equal names for one function, and its own numbers differ between processes.
    call.__qualname__ = f"call_{function.__name__}"
    return kernel(call)


_make_crosses: Callable[..., int] = _nothing
_points_of: Callable[..., int] = _nothing
for _code, _effect in ((_BOXES, BOXES), *enumerate(EFFECTS)):
    if _effect.crosses:
        _make_crosses = _call_for(_code, _effect.crosses, _make_crosses)
    if _effect.scores:
        _points_of = _call_for(_code, _effect.scores, _points_of)


@kernel
def is_quiet(layout: Record, sheet: Record, row: int, position: int) -> bool:
    """Return whether a cross on this cell has no effect: no bar cell is left (BA2), or the partner is blank (BB1)."""
    effect = layout.effect[row, position]
    if effect == BOXED:
        return next_bar_cell(layout, sheet) < 0
    if effect == PAIRED:
        pair = layout.pair[row, position]
        this = row * POSITIONS + position
        one = layout.pair_cells[pair, 0]
        return not is_crossed(sheet, layout.pair_cells[pair, 1] if one == this else one)
    return bool(effect == NOTHING)


@inlined
def cross(
    layout: Record, sheet: Record, closed: int, seat: int, row: int, position: int, tie: int, log: EventLog
) -> int:
    """
    Cross a cell and apply all effects of it on this sheet.

    An effect makes all its crosses first; then the effects of those crosses follow, in the order of the crosses
    (BA3, BB4). Where several rows tie for the fewest crosses, a bonus takes the row `tie` (BB2). With `tie` -1 stop
    there and return the tied rows as a mask; otherwise return 0.
    """
    mark(layout, sheet, seat, row, position, log)
    if layout.has_effects and layout.effect[row, position]:
        return _apply_effects(layout, sheet, closed, seat, row, position, tie, log)
    return 0


@kernel
def _apply_effects(
    layout: Record, sheet: Record, closed: int, seat: int, row: int, position: int, tie: int, log: EventLog
) -> int:
    """Apply the effects of a cross on a marked cell; return as `cross` does."""
    if layout.effect[row, position] == PAIRED and not is_complete(layout, sheet, layout.pair[row, position]):
        return 0  # most crosses on a cell of a pair; they need no queue
    if layout.effect[row, position] == LINKED:
        extras.cross_partner(layout, sheet, seat, row, position, log)
        return 0
    queue = np.empty(_QUEUE, np.int32)
    queue[0] = 1
    trigger(layout, sheet, row, position, queue)
    done = 1
    while done < queue[0]:
        cell = queue[done]
        done += 1
        group = layout.pair[row_of(cell), position_of(cell)]
        code = _BOXES
        if group >= 0:
            code = layout.pair_effect[group]
            if is_pair(layout, group):
                append_event(log, PAIR, seat, group, 0)
        tied = _make_crosses(code, layout, sheet, closed, seat, cell, tie, queue, log)
        if tied:
            return tied
    return 0


@kernel
def score(layout: Record, sheet: Record) -> int:
    """Return the score of a sheet: its rows, minus its misses (C12), plus the points of its effects (BB1, BB7)."""
    total = -sheet.misses * layout.miss_points
    for row in range(ROWS):
        crosses = extras.row_crosses(layout, sheet, row) if layout.has_extras else sheet.count[row]
        total += row_points(layout, crosses)
    if layout.has_extras:
        total += extras.points(layout, sheet)
    for group in range(layout.pairs):
        if not is_pair(layout, group) or is_complete(layout, sheet, group):
            total += _points_of(layout.pair_effect[group], layout, sheet, group)
    return int(total)
