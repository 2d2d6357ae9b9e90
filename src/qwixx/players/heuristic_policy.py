"""
Decisions of heuristic players: one function reads their weights, so that any of them can have any seat.

The cost of a cell is the number of cells it would skip, less bonuses for its advantages. A player takes the cheapest
cell, and passes if even that costs too much: the rule of thumb of most people. Nothing here uses information that is
hidden from the seat.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.jit.decorators import inlined, kernel
from qwixx.kernel import board
from qwixx.kernel.extras import bonus_marks, partner_of
from qwixx.kernel.paper import closes, is_crossed, position_of, row_of
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import (
    BONUS_CELLS,
    CELLS,
    COLOR,
    DRAW,
    LINKED,
    MORE,
    PASS,
    PLAY,
    POSITIONS,
    SEATS,
    TRACK,
    WITH_SMALL,
    Record,
)
from qwixx.kernel.window import cell_of
from qwixx.players import card_heuristics

ALWAYS: Final = 100
"""In `slips`: every decision is random."""
_PHASES: Final = PLAY + 1
_SLIPS: Final = np.uint64(0x51195)
"""Whether a player slips, and what it does then, come from different random streams."""


@kernel
def _decision(state: Record, seat: int) -> int:
    """Return the index of a decision in its game, so that each decision has its own random numbers."""
    return (int(state.turn) * _PHASES + int(state.phase)) * SEATS + seat


@kernel
def _slips(state: Record, seat: int, player: Record, luck: np.uint64) -> bool:
    """Return whether a player makes a random choice this time (a slip)."""
    if player.slips >= ALWAYS:
        return True
    return bool(rng.randbelow_at(rng.mix(luck ^ _SLIPS), _decision(state, seat), ALWAYS) < player.slips)


@kernel
def _random_action(state: Record, seat: int, luck: np.uint64, menu: Record, count: int) -> int:
    """Return a random action, all with the same probability."""
    return int(menu.actions[rng.randbelow_at(luck, _decision(state, seat), count)])


@inlined
def most_for_a_cell(player: Record, rather_than_miss: bool) -> int:
    """Return the maximum cost of a cell; it is higher where passing means a miss (C6)."""
    return int(player.most_skipped_or_miss if rather_than_miss else player.most_skipped)


@inlined
def cost_unmarked(layout: Record, sheet: Record, player: Record, row: int, position: int) -> int:
    """Return the skipped cells of a cross, less the bonus for closing a row; without a branch, for `sim.fast_path`."""
    return int(position - sheet.next[row] - player.lock * int(closes(layout, row, position)))


@kernel
def _cost_of_linked(layout: Record, sheet: Record, player: Record, closed: int, cell: int) -> int:
    """
    Return what the cross on the partner of a cell costs, on the pad of this sheet (CB2).

    It is a cross more, worth the bonus for marked cells, less the cells that it skips in its own row. A lost cell and a
    closed row have nothing left to skip.
    """
    partner = partner_of(layout, sheet, cell)
    if partner < 0 or is_crossed(sheet, partner):
        return 0
    row = row_of(partner)
    skipped = 0 if closed >> row & 1 else max(position_of(partner) - sheet.next[row], 0)
    return int(skipped - player.effect)


@inlined
def cost_on_paper(layout: Record, sheet: Record, player: Record, closed: int, row: int, position: int) -> int:
    """Return the skipped cells of a cross, less the bonuses for closing a row and for marked cells."""
    cost = cost_unmarked(layout, sheet, player, row, position)
    if layout.has_effects and layout.effect[row, position]:
        if layout.effect[row, position] == LINKED:
            cost += _cost_of_linked(layout, sheet, player, closed, row * POSITIONS + position)
        else:
            cost -= player.effect
    return int(cost)


@kernel
def _cost_of_extra(layout: Record, sheet: Record, player: Record, action: int) -> int:
    """
    Return the cost of a mark that is not one cell of a row.

    Of a bonus cell it is the cells that it skips in its row, less the bonus for marked cells; the track skips nothing.
    A cell and a small field cost what both of them skip.
    """
    if action == TRACK:
        return int(-player.effect - 1)
    if action < TRACK:
        beside, position = divmod(action - BONUS_CELLS, POSITIONS)
        marks = bonus_marks(sheet, beside)
        return int(position - board.next_free(marks) - player.effect)
    small, cell = divmod(action - WITH_SMALL, CELLS)
    where = layout.small[small]
    cost = cost_unmarked(layout, sheet, player, row_of(cell), position_of(cell))
    return int(cost + cost_unmarked(layout, sheet, player, row_of(where), position_of(where)) - 1)


@inlined
def _on_paper(layout: Record, sheet: Record, player: Record, closed: int, most: int, menu: Record, count: int) -> int:
    """Return the cheapest cell, the first of equals in the order of actions; pass if it costs too much."""
    best = PASS
    lowest = most + 1
    # PASS is last in the list, unless there are ties: those follow it.
    for index in range(count - int(menu.actions[count - 1] == PASS)):
        action = menu.actions[index]
        if action == PASS:
            continue
        if action >= MORE:
            cost = _cost_of_extra(layout, sheet, player, action)
        else:
            cell = cell_of(action)
            cost = cost_on_paper(layout, sheet, player, closed, row_of(cell), position_of(cell))
        if cost < lowest:
            lowest = cost
            best = action
    return int(best)


@kernel
def _on_board(layout: Record, state: Record, seat: int, player: Record, most: int, menu: Record, count: int) -> int:
    """Return the cheapest field, counted from the own rightmost pawn, with bonuses for captures and stacks (D3, D4)."""
    best = PASS
    lowest = most + 1
    for index in range(count):
        action = menu.actions[index]
        if action != PASS:
            row = row_of(action)
            position = position_of(action)
            mine = state.sheets[seat].marks[row]
            cost = -player.stack if mine >> position & 1 else position - board.next_free(mine)
            if closes(layout, row, position):
                cost -= player.lock
            if state.sheets[1 - seat].marks[row] >> position & 1:
                cost -= player.capture
            if cost < lowest:
                lowest = cost
                best = action
    return int(best)


@inlined
def choose(layout: Record, state: Record, seat: int, player: Record, luck: np.uint64, menu: Record, count: int) -> int:
    """Return a player's choice from the first `count` actions of the menu, the legal ones of the seat."""
    if player.slips and _slips(state, seat, player, luck):
        return _random_action(state, seat, luck, menu, count)
    if state.phase == DRAW:
        return card_heuristics.best_draw(layout, state, seat, player, menu, count)
    if state.phase == PLAY:
        return card_heuristics.best_play(layout, state, seat, player, menu, count)
    most = most_for_a_cell(player, state.phase == COLOR and not state.crossed)
    if layout.shared:
        return _on_board(layout, state, seat, player, most, menu, count)
    return _on_paper(layout, state.sheets[seat], player, state.closed, most, menu, count)
