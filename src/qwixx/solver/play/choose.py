"""The optimal player, compiled: one lookup for every successor of a roll."""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel.dice import color_cell
from qwixx.kernel.game_end import ends_by_misses
from qwixx.kernel.state.records import COLOR, COLORS, PASS, POSITIONS, ROWS, WHITE, Ints, Record
from qwixx.solver.encoding.marked_state import Firsts
from qwixx.solver.encoding.sheet_index import Policy, place, read_rows
from qwixx.solver.lookahead.turn import gone_after_white
from qwixx.solver.play.marked_cells import choose_marked


@kernel
def _best_color(layout: Record, fold: Record, policy: Policy, state: Record, gone: int, rows: Ints, miss: int) -> float:
    """Return the best value of crossing a color sum from these rows; minus infinity if none can be crossed."""
    best = -np.inf
    for color in range(COLORS):
        for white in range(2 if state.dice[0] != state.dice[1] else 1):
            cell = color_cell(layout, state, gone, color, white)
            if cell < 0:
                continue
            slot = fold.slot_of[cell // POSITIONS]
            before = rows[slot]
            after = fold.to[slot, before, cell % POSITIONS]
            if after >= 0:
                rows[slot] = after
                at = place(fold, rows[0], rows[1], rows[2], rows[3])
                best = max(best, fold.gain[slot, before, cell % POSITIONS] + policy[miss, at])
                rows[slot] = before
    return best


@kernel
def _worth(
    layout: Record, fold: Record, policy: Policy, state: Record, rows: Ints, miss: int, is_active: bool, action: int
) -> float:
    """
    Return the expected gain of an action, with the best color sum after a white one.

    A seat that is not active has no color sum and takes no miss (C4, C6).
    """
    at = place(fold, rows[0], rows[1], rows[2], rows[3])
    if action == PASS:
        if not is_active or (state.phase == COLOR and state.crossed):
            return float(policy[miss, at])
        worth = (0.0 if ends_by_misses(fold, miss + 1) else policy[miss + 1, at]) - fold.miss_points
        if state.phase == WHITE:
            worth = max(worth, _best_color(layout, fold, policy, state, state.gone, rows, miss))
        return float(worth)
    slot = fold.slot_of[action // POSITIONS]
    before = rows[slot]
    after = fold.to[slot, before, action % POSITIONS]
    gain = fold.gain[slot, before, action % POSITIONS]
    rows[slot] = after
    at = place(fold, rows[0], rows[1], rows[2], rows[3])
    worth = policy[miss, at]
    if state.phase == WHITE and is_active:
        closed = state.closed | int(after == fold.shut[slot]) << fold.order[slot]
        gone = gone_after_white(layout, closed)
        worth = max(worth, _best_color(layout, fold, policy, state, gone, rows, miss))
    rows[slot] = before
    return float(gain + worth)


@kernel
def choose_optimal(
    layout: Record, fold: Record, firsts: Firsts, policy: Policy, state: Record, seat: int, actions: Ints, count: int
) -> int:
    """
    Choose the action with the highest expected final score, the first of equals.

    Exact in solitaire on the solved sheet. With more seats every decision is made as if the rest of the game
    were solitaire: rows that others have closed are closed (C8), but no other seat will roll, close or end anything.
    """
    if fold.remembers:
        return choose_marked(layout, fold, firsts, policy, state, seat, actions, count)
    rows = np.empty(ROWS, np.int32)
    sheet = state.sheets[seat]
    read_rows(fold, sheet, rows)
    for slot in range(ROWS):
        if state.closed >> fold.order[slot] & 1:  # perhaps by another seat
            rows[slot] = fold.shut[slot]
    is_active = seat == state.active
    best = -np.inf
    choice = PASS
    for index in range(count):
        worth = _worth(layout, fold, policy, state, rows, sheet.misses, is_active, actions[index])
        if worth > best:
            best = worth
            choice = actions[index]
    return choice
