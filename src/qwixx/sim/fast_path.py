"""
The fast path: whole turns of a dice game on sheets, for heuristic players.

It plays the same games as `players.game_loop`, cross by cross, about twice as fast: no lists of actions, no stored
choices, no checks whether a choice is legal. The order of a turn is written here a second time, for speed; the kernel
decides what may be crossed, what a cross causes, which cells a sum reaches, what closes and what ends the game. Tests
compare both.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.jit.decorators import eager_entry, inlined, kernel
from qwixx.kernel import dice, flow
from qwixx.kernel.crossing import cross
from qwixx.kernel.effects import FAST_PATH
from qwixx.kernel.game_end import ends_by_misses
from qwixx.kernel.paper import allows, position_of, row_of
from qwixx.kernel.results import write_result
from qwixx.kernel.state.records import COLORS, OVER, POSITIONS, ROWS, Record, Records
from qwixx.kernel.window import lucky_rows, may_tie, tied_rows
from qwixx.players import game_loop
from qwixx.players.heuristic_policy import cost_on_paper, cost_unmarked, most_for_a_cell
from qwixx.variants.features import supported_by

FEATURES: Final = supported_by(FAST_PATH)
"""The supported features (`variants.features`); games with any other feature run step by step."""
_CODES: Final = 1024
"""
A cell under consideration is one number: its cost times this, plus a code in the order of actions.

The code is (tie + 1) * 64 + row * 16 + position, with tie -1 for none. The smallest number is the player's choice.
"""
_NOTHING: Final = 1 << 30


@inlined
def _weigh(layout: Record, sheet: Record, player: Record, closed: int, row: int, position: int) -> int:
    """Return cost and code of a cell of a sheet without marked cells, NOTHING if it may not be crossed."""
    cost = cost_unmarked(layout, sheet, player, row, position)
    is_allowed = int(position >= 0) & allows(layout, sheet, closed, row, position)
    return cost * _CODES + row * 16 + position if is_allowed else _NOTHING


@inlined
def _weigh_marked(
    layout: Record, sheet: Record, player: Record, closed: int, ties: bool, row: int, position: int
) -> int:
    """Return cost and code of a cell of a sheet with marked cells, NOTHING if it may not be crossed."""
    if position < 0 or not allows(layout, sheet, closed, row, position):
        return _NOTHING
    code = cost_on_paper(layout, sheet, player, closed, row, position) * _CODES + row * 16 + position
    if ties:
        rows = tied_rows(layout, sheet, closed, row * POSITIONS + position)
        for tied in range(ROWS):
            if rows >> tied & 1:
                return code + (tied + 1) * 64  # players take the topmost row (BB2)
    return code


@kernel
def _best_lucky(layout: Record, sheet: Record, player: Record, closed: int, rows: int, best: int) -> int:
    """Find the best of the next cells of these rows, which a lucky number offers on any sheet (L4)."""
    ties = may_tie(layout, sheet)
    for row in range(ROWS):
        if rows >> row & 1:
            best = min(best, _weigh_marked(layout, sheet, player, closed, ties, row, sheet.next[row]))
    return best


@inlined
def _best_white(layout: Record, sheet: Record, player: Record, closed: int, total: int, best: int) -> int:
    """Find the best cell for the white sum (C3), or for a lucky number (L4)."""
    lucky = lucky_rows(layout, sheet, closed, total)
    if lucky:
        best = _best_lucky(layout, sheet, player, closed, lucky, best)
    if layout.has_effects:
        ties = may_tie(layout, sheet)
        for row in range(ROWS):
            best = min(best, _weigh_marked(layout, sheet, player, closed, ties, row, layout.white_spots[total, row]))
        return best
    for row in range(ROWS):
        best = min(best, _weigh(layout, sheet, player, closed, row, layout.white_spots[total, row]))
    return best


@inlined
def _best_color(layout: Record, state: Record, sheet: Record, player: Record, best: int) -> int:
    """Find the best cell for a color sum (C4)."""
    closed = state.closed
    if not layout.in_order:
        return _best_color_of_mixed(layout, state, sheet, player, best)
    if layout.has_effects:
        ties = may_tie(layout, sheet)
        for row in range(ROWS):
            one, two = dice.own_color_spots(layout, state, row)
            best = min(best, _weigh_marked(layout, sheet, player, closed, ties, row, one))
            best = min(best, _weigh_marked(layout, sheet, player, closed, ties, row, two))
        return best
    for row in range(ROWS):
        one, two = dice.own_color_spots(layout, state, row)
        best = min(best, _weigh(layout, sheet, player, closed, row, one))
        best = min(best, _weigh(layout, sheet, player, closed, row, two))
    return best


@inlined
def _best_color_of_mixed(layout: Record, state: Record, sheet: Record, player: Record, best: int) -> int:
    """Find the best cell for a color sum where colors change within rows (G2)."""
    ties = may_tie(layout, sheet)
    for color in range(COLORS):
        for white in range(2):
            cell = dice.color_cell(layout, state, state.gone, color, white)
            if cell >= 0:
                row = row_of(cell)
                best = min(best, _weigh_marked(layout, sheet, player, state.closed, ties, row, position_of(cell)))
    return best


@inlined
def _cross_best(layout: Record, sheet: Record, closed: int, best: int, none: int) -> int:
    """Cross the best cell, if there is one; return whether there was."""
    if best == none:
        return 0
    code = best % _CODES
    cross(layout, sheet, closed, 0, code % 64 // 16, code % 16, code // 64 - 1, None)
    return 1


@inlined
def _white(layout: Record, sheet: Record, player: Record, closed: int, total: int) -> int:
    """Let a player use the white sum; return whether it did."""
    none = (most_for_a_cell(player, False) + 1) * _CODES
    return _cross_best(layout, sheet, closed, _best_white(layout, sheet, player, closed, total, none), none)


@inlined
def _color(layout: Record, state: Record, sheet: Record, player: Record) -> int:
    """Let the active player use a color sum; return whether it did."""
    none = (most_for_a_cell(player, state.crossed == 0) + 1) * _CODES
    return _cross_best(layout, sheet, state.closed, _best_color(layout, state, sheet, player, none), none)


@inlined
def _is_over(layout: Record, state: Record, locked: int) -> bool:
    """Close rows for all seats, and return whether that ended the game (C8, C11)."""
    if locked & ~state.closed == 0:
        return False
    flow.close_rows(layout, state, None)
    state.ending = flow.ending_of(layout, state)
    return bool(state.ending != 0)


@inlined
def _play_turn(layout: Record, state: Record, table: Record) -> bool:
    """Play one turn; return whether the game is over."""
    active = state.active
    dice.roll(layout, state)
    total = state.dice[0] + state.dice[1]
    closed = state.closed
    locked = 0
    state.crossed = 0
    for seat in range(state.seats):
        # Each seat decides from the rows open now and its own sheet, so the order of the seats does not matter.
        crossed = _white(layout, state.sheets[seat], table.players[seat], closed, total)
        if seat == active:
            state.crossed = crossed
        locked |= state.sheets[seat].locks
    if _is_over(layout, state, locked):
        return True
    sheet = state.sheets[active]
    state.crossed |= _color(layout, state, sheet, table.players[active])
    if _is_over(layout, state, sheet.locks):
        return True
    if not state.crossed:
        sheet.misses += 1
        if ends_by_misses(layout, sheet.misses):
            state.ending = flow.ending_of(layout, state)
            return True
    return False


@kernel
def play_game(layout: Record, state: Record, table: Record) -> None:
    """Play a game that has begun to its end."""
    while not _play_turn(layout, state, table):
        state.active = state.active + 1 if state.active + 1 < state.seats else 0
        state.turn += 1
    state.phase = OVER


@eager_entry
def play_block(
    layouts: Records,
    states: Records,
    seats: int,
    tables: Records,
    seed: np.uint64,
    first_game: int,
    results: Records,
) -> None:
    """Play the games that `game_loop.play_block` plays, faster."""
    for index in range(len(results)):
        game = first_game + index
        game_loop.begin(layouts[0], states[0], seats, seed, np.uint64(game))
        play_game(layouts[0], states[0], tables[game % len(tables)])
        write_result(layouts[0], states[0], results[index])
