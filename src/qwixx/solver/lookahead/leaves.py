"""
Look one turn ahead: list all leaves and their immediate points.

The effect of a cross on a row is in the fold, which was built from the kernel; the rules between the white sum and the
color sum are in `turn.gone_after_white`. `lookahead.marked_cells` does the same for sheets with marked cells.
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel.game_end import ends_by_rows
from qwixx.kernel.paper import copy_sheet
from qwixx.kernel.state.records import CELLS, Ints, Record
from qwixx.kernel.window import rows_for_luck
from qwixx.solver.encoding.marked_state import Firsts
from qwixx.solver.encoding.sheet_index import place, read_rows
from qwixx.solver.lookahead.marked_cells import look_ahead_marked, place_of
from qwixx.solver.lookahead.turn import NOW, PASSED, add_ways, begin_options, gone_after_white, read_position


@kernel
def _add_leaves(fold: Record, turn: Record, option: int, gone: int, gain: float) -> None:
    """List the color sums after an option: the successor, and its immediate points."""
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
    """List the uses of white sums: cross their number in any row (C3), or a lucky cell (L4)."""
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
        if after >= fold.shut[slot]:
            gone = gone_after_white(fold, turn.closed | 1 << slot)
        _add_leaves(fold, turn, option, gone, gain)
        rows[slot] = before


@kernel
def _look_ahead_plain(fold: Record, turn: Record) -> bool:
    """List all successors of a turn from `turn.rows`; False if the game is over there (C11)."""
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
    """Return the place of a sheet in the table; `rows` is a work buffer."""
    if fold.remembers:
        return place_of(layout, fold, firsts, sheet, rows)
    read_rows(fold, sheet, rows)
    return place(fold, rows[0], rows[1], rows[2], rows[3])


@kernel
def begin_turn(fold: Record, sheet: Record, turn: Record) -> None:
    """Begin a turn on a copy of a sheet."""
    read_rows(fold, sheet, turn.rows)
    copy_sheet(sheet, turn.sheets[NOW])


@kernel
def look_ahead(layout: Record, fold: Record, firsts: Firsts, turn: Record) -> bool:
    """List all successors of a turn; False if the game is over before it begins (C11)."""
    if fold.remembers:
        return look_ahead_marked(layout, fold, firsts, turn)
    return _look_ahead_plain(fold, turn)
