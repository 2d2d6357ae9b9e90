"""
Looking one turn ahead: which leaves are there, and what are they worth at once.

What a cross does to a row stands in the fold, which asked the kernel; what comes between the white sum and the color
sum in `turn.gone_after_white`. Sheets with marked cells are the business of `ahead.marked`.
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel.ends import ends_by_rows
from qwixx.kernel.jit import kernel
from qwixx.kernel.paper import copy_sheet
from qwixx.kernel.records import CELLS, Ints, Record
from qwixx.kernel.window import rows_for_luck
from qwixx.solver.ahead.marked import look_ahead_marked, place_of
from qwixx.solver.ahead.turn import NOW, PASSED, add_ways, begin_options, gone_after_white, read_position
from qwixx.solver.numbering.fold import place, read_rows
from qwixx.solver.numbering.memory import Firsts


@kernel
def _add_leaves(fold: Record, turn: Record, option: int, gone: int, gain: float) -> None:
    """List what color sums can do after an option: where it leads, and what it is worth at once."""
    rows = turn.rows
    leaves = turn.leaves
    for target in range(turn.targets):
        if gone >> turn.color[target] & 1:
            continue
        slot = turn.slot[target]
        before = rows[slot]
        position = turn.position[target]
        after = fold.to[slot, before, position]
        if after >= 0:
            rows[slot] = after
            turn.leaf_use[leaves] = option * CELLS + target
            turn.leaf_at[leaves] = place(fold, rows[0], rows[1], rows[2], rows[3])
            turn.leaf_gain[leaves] = gain + fold.gain[slot, before, position]
            rows[slot] = before
            leaves += 1
    turn.leaves = leaves


@kernel
def _add_options(fold: Record, turn: Record) -> None:
    """List what white sums can do: cross their number in any row (C3), or a lucky cell (L4)."""
    rows = turn.rows
    lucky = rows_for_luck(turn, turn.closed) if fold.lucky[0] else 0
    for target in range(turn.targets):
        slot = turn.slot[target]
        before = rows[slot]
        position = turn.position[target]
        after = fold.to[slot, before, position]
        if after < 0:
            continue
        option = turn.options
        turn.options += 1
        turn.option_target[option] = target
        add_ways(fold, turn, target, option, bool(lucky >> slot & 1) and position == fold.next[slot, before])
        gain = float(fold.gain[slot, before, position])
        rows[slot] = after
        turn.option_at[option] = place(fold, rows[0], rows[1], rows[2], rows[3])
        turn.option_gain[option] = gain
        gone = turn.gone
        if after == fold.shut[slot]:
            gone = gone_after_white(fold, turn.closed | 1 << slot)
        _add_leaves(fold, turn, option, gone, gain)
        rows[slot] = before


@kernel
def _look_ahead_plain(fold: Record, turn: Record) -> bool:
    """Fill in all that a turn from `turn.rows` can lead to; False if the game is over there (C11)."""
    read_position(fold, turn)
    if ends_by_rows(fold, turn.closed):
        return False
    begin_options(fold, turn)
    turn.miss_cost = float(fold.miss_points)
    _add_leaves(fold, turn, PASSED, turn.gone, 0.0)
    _add_options(fold, turn)
    for use in range(turn.options * CELLS):
        turn.two[use] = -np.inf
    return True


@kernel
def place_sheet(layout: Record, fold: Record, firsts: Firsts, sheet: Record, rows: Ints) -> int:
    """Give the place of a sheet in the table; `rows` is room to work in."""
    if fold.remembers:
        return place_of(layout, fold, firsts, sheet, rows)
    read_rows(fold, sheet, rows)
    return place(fold, rows[0], rows[1], rows[2], rows[3])


@kernel
def begin_turn(fold: Record, sheet: Record, turn: Record) -> None:
    """Let a turn begin on a copy of a sheet."""
    read_rows(fold, sheet, turn.rows)
    copy_sheet(sheet, turn.sheets[NOW])


@kernel
def look_ahead(layout: Record, fold: Record, firsts: Firsts, turn: Record) -> bool:
    """Fill in all that a turn can lead to; False if the game is over where it would begin (C11)."""
    if fold.remembers:
        return look_ahead_marked(layout, fold, firsts, turn)
    return _look_ahead_plain(fold, turn)
