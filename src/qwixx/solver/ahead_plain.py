"""
Looking one turn ahead on a sheet without marked cells: which leaves are there, and what are they worth at once.

What a cross does to a row stands in the fold, which asked the kernel. What is stated here a second time, for
speed, is the order of a turn: white, then color (C4, C5), with the end (C11) and the dead die (C8, G3) between.
`tests/test_solve.py` holds it against the kernel's own turns on random positions.
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel.jit import kernel
from qwixx.kernel.paper import fewest_rows
from qwixx.kernel.records import CELLS, POSITIONS, ROWS, Record
from qwixx.solver.bits import count_bits
from qwixx.solver.fold import place
from qwixx.solver.turn import PASSED


@kernel
def read_position(fold: Record, turn: Record) -> None:
    """Note which rows are closed, which dice have left, and the cells right of all crosses."""
    turn.closed = 0
    turn.gone = 0
    targets = 0
    for slot in range(ROWS):
        this = turn.rows[slot]
        turn.count[slot] = fold.count[slot, this]
        if this >= fold.shut[slot]:
            turn.closed |= 1 << slot
            turn.gone |= 1 << fold.lock_color[slot]
            continue
        for position in range(fold.next[slot, this], POSITIONS):
            if fold.total[slot, position] > 0:
                turn.slot[targets] = slot
                turn.position[targets] = position
                turn.total[targets] = fold.total[slot, position]
                turn.color[targets] = fold.color[slot, position]
                targets += 1
    turn.targets = targets


@kernel
def begin_options(fold: Record, turn: Record) -> None:
    """Forget what was seen ahead; every white sum can be passed."""
    turn.options = 1
    turn.leaves = 0
    turn.option_at[PASSED] = -1
    turn.option_gain[PASSED] = 0.0
    for total in range(2, 2 * fold.sides + 1):
        turn.ways[total] = 1
        turn.way[total, 0] = PASSED


@kernel
def add_way(turn: Record, total: int, option: int) -> None:
    """Let a white sum use an option."""
    turn.way[total, turn.ways[total]] = option
    turn.ways[total] += 1


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
            turn.leaf_pair[leaves] = option * CELLS + target
            turn.leaf_at[leaves] = place(fold, rows[0], rows[1], rows[2], rows[3])
            turn.leaf_gain[leaves] = gain + fold.gain[slot, before, position]
            rows[slot] = before
            leaves += 1
    turn.leaves = leaves


@kernel
def _add_options(fold: Record, turn: Record) -> None:
    """
    List what white sums can do: cross their number in any row (C3), or a lucky cell (L4).

    After a white sum that ends the game there is no color sum (C11), and a row that the white sum closes takes
    its die away before the color sum (C8, G3).
    """
    rows = turn.rows
    open_rows = (1 << ROWS) - 1 & ~turn.closed
    fewest = fewest_rows(turn, open_rows) if fold.lucky[0] else 0
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
        add_way(turn, turn.total[target], option)
        if fewest >> slot & 1 and position == fold.next[slot, before]:
            for which in range(2):
                if turn.total[target] != fold.lucky[which]:
                    add_way(turn, fold.lucky[which], option)
        gain = float(fold.gain[slot, before, position])
        rows[slot] = after
        turn.option_at[option] = place(fold, rows[0], rows[1], rows[2], rows[3])
        turn.option_gain[option] = gain
        gone = turn.gone
        closed = turn.closed
        if after == fold.shut[slot]:
            gone |= 1 << fold.lock_color[slot]
            closed |= 1 << slot
        if count_bits(closed) < fold.end_rows:
            _add_leaves(fold, turn, option, gone, gain)
        rows[slot] = before


@kernel
def look_ahead_plain(fold: Record, turn: Record) -> bool:
    """Fill in all that a turn from `turn.rows` can lead to; False if the game is over there (C11)."""
    read_position(fold, turn)
    if count_bits(turn.closed) >= fold.end_rows:
        return False
    begin_options(fold, turn)
    turn.miss_cost = float(fold.miss_points)
    _add_leaves(fold, turn, PASSED, turn.gone, 0.0)
    _add_options(fold, turn)
    for pair in range(turn.options * CELLS):
        turn.two[pair] = -np.inf
    return True
