"""
Simple players: rows of weights that one function reads, so that any of them can sit on any seat at full speed.

A player weighs each cell by the cells it would skip, less what it likes about it, takes the cheapest and passes
if even that costs too much: the rule of thumb that most people play by. Nobody here looks at anything that the
seat may not know.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel import board, greedy, rng
from qwixx.kernel.jit import inlined, kernel
from qwixx.kernel.paper import position_of, row_of
from qwixx.kernel.records import COLOR, DRAW, PASS, PLAY, SEATS, Record
from qwixx.kernel.window import cell_of

_PHASES: Final = PLAY + 1
_BOTS_SALT: Final = np.uint64(0x5EED0FB075)
_TOO_MUCH: Final = 1 << 20


@kernel
def luck_of(state: Record) -> np.uint64:
    """
    Give the word from which the players of a game draw; take it right after the game was seeded.

    Players draw beside the game's own stream and leave it alone, so that the dice of a game do not depend on
    who plays it.
    """
    return rng.mix(state.rng ^ _BOTS_SALT)


@kernel
def _by_lot(state: Record, seat: int, luck: np.uint64, menu: Record, count: int) -> int:
    """Take any action with the same chance; each decision of a game has a draw of its own."""
    decision = (int(state.turn) * _PHASES + int(state.phase)) * SEATS + seat
    return int(menu.actions[rng.below_at(luck, decision, count)])


@inlined
def _highest_cost(state: Record, player: Record) -> int:
    """Give what a cell may cost at most; rather than a miss it may cost more (C6)."""
    if state.phase == COLOR and not state.crossed:
        return int(player.most_skipped_or_miss)
    return int(player.most_skipped)


@inlined
def _on_paper(layout: Record, state: Record, sheet: Record, player: Record, menu: Record, count: int) -> int:
    """Take the cell that skips the fewest cells, less what closing a row and marked cells are worth; or pass."""
    best = PASS
    lowest = _highest_cost(state, player) + 1
    # Without ties, passing stands last in the list and need not be looked at.
    for index in range(count if layout.has_ties else count - 1):
        action = menu.actions[index]
        if layout.has_ties and action == PASS:
            continue
        row = row_of(cell_of(action))
        position = position_of(cell_of(action))
        cost = position - sheet.next[row]
        if position >= layout.closes_from[row]:
            cost -= player.lock
        if layout.has_effects and layout.effect[row, position]:
            cost -= player.effect
        if cost < lowest:
            lowest = cost
            best = action
    return best


@kernel
def _on_board(layout: Record, state: Record, seat: int, player: Record, menu: Record, count: int) -> int:
    """Count from the own rightmost pawn, and think of captures and stacks too (D3, D4)."""
    best = PASS
    lowest = _highest_cost(state, player) + 1
    for index in range(count):
        action = menu.actions[index]
        if action != PASS:
            row = row_of(action)
            position = position_of(action)
            mine = state.sheets[seat].marks[row]
            cost = -player.stack if mine >> position & 1 else position - board.next_free(mine)
            if position >= layout.closes_from[row]:
                cost -= player.lock
            if state.sheets[1 - seat].marks[row] >> position & 1:
                cost -= player.capture
            if cost < lowest:
                lowest = cost
                best = action
    return best


@inlined
def choose(layout: Record, state: Record, seat: int, player: Record, luck: np.uint64, menu: Record, count: int) -> int:
    """Let a player choose from the menu, on which `flow.legal` listed so many actions for the seat."""
    if player.by_lot:
        return _by_lot(state, seat, luck, menu, count)
    if state.phase == DRAW:
        return greedy.best_draw(layout, state, seat, player, menu, count)
    if state.phase == PLAY:
        return greedy.best_play(layout, state, seat, player, menu, count)
    if layout.shared:
        return _on_board(layout, state, seat, player, menu, count)
    return _on_paper(layout, state, state.sheets[seat], player, menu, count)
