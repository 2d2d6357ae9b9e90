"""
How a player who weighs decides: rows of weights that one function reads, so that any of them can sit on any seat.

A player weighs each cell by the cells it would skip, less what it likes about it, takes the cheapest and passes
if even that costs too much: the rule of thumb that most people play by. Nobody here looks at anything that the
seat may not know.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel import board, rng
from qwixx.kernel.jit import inlined, kernel
from qwixx.kernel.paper import closes, position_of, row_of
from qwixx.kernel.records import COLOR, DRAW, PASS, PLAY, SEATS, Record
from qwixx.kernel.window import cell_of
from qwixx.players import cards

ALWAYS: Final = 100
"""In `slips`: no decision is thought about."""
_PHASES: Final = PLAY + 1
_SLIPS: Final = np.uint64(0x51195)
"""Whether a player slips is drawn from another stream than what it does then."""


@kernel
def _decision(state: Record, seat: int) -> int:
    """Give the number of a decision in its game, so that each has draws of its own."""
    return (int(state.turn) * _PHASES + int(state.phase)) * SEATS + seat


@kernel
def _slips(state: Record, seat: int, player: Record, luck: np.uint64) -> bool:
    """Draw whether a player takes anything this time instead of thinking."""
    if player.slips >= ALWAYS:
        return True
    return bool(rng.below_at(rng.mix(luck ^ _SLIPS), _decision(state, seat), ALWAYS) < player.slips)


@kernel
def _by_lot(state: Record, seat: int, luck: np.uint64, menu: Record, count: int) -> int:
    """Take any action with the same chance."""
    return int(menu.actions[rng.below_at(luck, _decision(state, seat), count)])


@inlined
def most_for_a_cell(player: Record, rather_than_miss: bool) -> int:
    """Give what a cell may cost at most; where passing means a miss it may cost more (C6)."""
    return int(player.most_skipped_or_miss if rather_than_miss else player.most_skipped)


@inlined
def cost_unmarked(layout: Record, sheet: Record, player: Record, row: int, position: int) -> int:
    """Count the cells that a cross skips, less what closing a row is worth; without a branch, for the fast lane."""
    return int(position - sheet.next[row] - player.lock * int(closes(layout, row, position)))


@inlined
def cost_on_paper(layout: Record, sheet: Record, player: Record, row: int, position: int) -> int:
    """Count the cells that a cross skips, less what closing a row and marked cells are worth."""
    cost = cost_unmarked(layout, sheet, player, row, position)
    if layout.has_effects and layout.effect[row, position]:
        cost -= player.effect
    return int(cost)


@inlined
def _on_paper(layout: Record, sheet: Record, player: Record, most: int, menu: Record, count: int) -> int:
    """Take the cheapest cell, the first of equals in the order of actions; pass if it costs too much."""
    best = PASS
    lowest = most + 1
    # Passing stands last in the list, unless there are ties: those follow it.
    for index in range(count - int(menu.actions[count - 1] == PASS)):
        action = menu.actions[index]
        if action == PASS:
            continue
        cell = cell_of(action)
        cost = cost_on_paper(layout, sheet, player, row_of(cell), position_of(cell))
        if cost < lowest:
            lowest = cost
            best = action
    return int(best)


@kernel
def _on_board(layout: Record, state: Record, seat: int, player: Record, most: int, menu: Record, count: int) -> int:
    """Count from the own rightmost pawn, and think of captures and stacks too (D3, D4)."""
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
    """Let a player choose from the menu, on which `flow.legal` listed so many actions for the seat."""
    if player.slips and _slips(state, seat, player, luck):
        return _by_lot(state, seat, luck, menu, count)
    if state.phase == DRAW:
        return cards.best_draw(layout, state, seat, player, menu, count)
    if state.phase == PLAY:
        return cards.best_play(layout, state, seat, player, menu, count)
    most = most_for_a_cell(player, state.phase == COLOR and not state.crossed)
    if layout.shared:
        return _on_board(layout, state, seat, player, most, menu, count)
    return _on_paper(layout, state.sheets[seat], player, most, menu, count)
