"""
Positions set up by hand: crosses without a game, and checks that such a position is possible.

A game in play does not need them: there each position follows from the one before.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel import board, dice, paper
from qwixx.kernel.extras import bonus_marks
from qwixx.kernel.flow import close_rows, ending_of
from qwixx.kernel.state.event_log import EventLog, clear_log
from qwixx.kernel.state.records import (
    BOXED,
    CARDS,
    COLOR,
    COLORS,
    DEAL,
    DISPLAY,
    HAND,
    MOST_PLAYED,
    NO_CARD,
    NUMBER,
    OVER,
    PLAY,
    ROWS,
    SEATS,
    SHUFFLE,
    WHITE,
    Ints,
    Record,
)
from qwixx.kernel.state.refusals import ALLOWED

# ---- crosses and locks


@kernel
def cross_in_setup(layout: Record, state: Record, seat: int, row: int, position: int) -> int:
    """
    Cross a cell of a position set up by hand, from left to right; return the refusal, if any.

    Bonuses do not follow: their crosses are set by hand too. In the duel it is a pawn. Each seat's pawns are placed on
    a separate board, because pawns of the other seat may have come later.
    """
    if layout.shared:
        reason = board.refuses(layout, state, seat, row, position)
        if reason == ALLOWED:
            board.place(layout, state, seat, row, position, None)
            close_rows(layout, state, None)
        return reason
    sheet = state.sheets[seat]
    reason = paper.refuses(layout, sheet, 0, row, position)
    if reason == ALLOWED:
        paper.mark(layout, sheet, seat, row, position, None)
    return reason


@kernel
def take_lock_back(state: Record, seat: int, row: int) -> None:
    """Take a pawn off a lock: a player without a pawn left has closed the row without one (D7)."""
    state.sheets[seat].locks &= ~(1 << row)
    state.sheets[seat].count[row] -= 1


@kernel
def bar_fits(layout: Record, sheet: Record) -> bool:
    """
    Return whether a bar is possible with these crosses, for a sheet set up by hand.

    Every boxed cell has used the leftmost free cell, unless none was left (BA2). So no free cell is left of a used one.
    """
    boxed = 0
    for row in range(ROWS):
        for position in range(layout.length[row]):
            if layout.effect[row, position] == BOXED:
                boxed += sheet.marks[row] >> position & 1
    used = 0
    free = 0
    for index in range(layout.bar_length):
        if sheet.used >> index & 1:
            used += 1
            if free:
                return False
        else:
            free += 1 - (sheet.struck >> index & 1)
    return bool(used == boxed or (used < boxed and free == 0))


@kernel
def chain_fits(layout: Record, sheet: Record) -> bool:
    """Return whether the partner of every crossed cell of the pad is crossed, too (CB2)."""
    alone = 0
    for link in range(layout.links):
        one = paper.is_crossed(sheet, layout.chain[sheet.pad, link, 0])
        alone += int(one != paper.is_crossed(sheet, layout.chain[sheet.pad, link, 1]))
    return alone == 0


@kernel
def bonus_rows_fit(layout: Record, sheet: Record) -> bool:
    """Return whether every bonus cross has its number crossed in a row beside it (BP2)."""
    alone = 0
    for beside in range(layout.bonus_rows):
        above = sheet.marks[layout.beside[beside, 0]]
        alone |= bonus_marks(sheet, beside) & ~(above | sheet.marks[layout.beside[beside, 1]])
    return alone == 0


@kernel
def _shared_row(state: Record) -> int:
    """Return a row in which both players have pawns on one cell, which is impossible (D2); -1 if there is none."""
    for row in range(ROWS):
        if state.sheets[0].marks[row] & state.sheets[1].marks[row]:
            return row
    return -1


# ---- hands and cards on the table


@kernel
def _has_drawn(state: Record, seat: int) -> bool:
    """Return whether a seat has drawn in this turn and not played yet."""
    return bool(seat == state.active and state.phase in (SHUFFLE, NUMBER, PLAY))


@kernel
def _min_hand_size(layout: Record, state: Record, seat: int) -> int:
    """Return the fewest cards a seat can hold: five after its draw, else the rest after the largest play (K3, K5)."""
    if state.phase in (DEAL, OVER):
        return 0
    return HAND if _has_drawn(state, seat) else int(min(HAND - MOST_PLAYED, layout.dealt))


@kernel
def _max_hand_size(state: Record, seat: int) -> int:
    """Return the most cards a seat can hold: five after its draw, else fewer, because it has played (K3, K5)."""
    if state.phase == DEAL:
        return 0
    return HAND if state.phase == OVER or _has_drawn(state, seat) else HAND - 1


@kernel
def _table_fits(state: Record) -> bool:
    """Return whether display and pile are possible: a full display, and an empty pile only before a shuffle (K3)."""
    if state.phase == DEAL:
        return True
    if state.phase == SHUFFLE:
        return bool(state.pile_size == 0 and state.discarded > 0)
    for place in range(DISPLAY):
        if state.display[place] == NO_CARD:
            return False
    return bool(state.pile_size > 0)


@kernel
def _deck_fits(layout: Record, state: Record) -> bool:
    """Return whether every card of the deck lies in one place: a hand, the display, the pile or the discards (K1)."""
    if state.phase == DEAL:
        return True
    found = state.pile_size + state.discarded
    for place in range(DISPLAY):
        found += state.display[place] != NO_CARD
    for seat in range(state.seats):
        found += state.held[seat]
    if found != layout.deck_size:
        return False
    misplaced = 0
    for index in range(layout.deck_size):
        misplaced += _places_of(state, layout.deck[index]) != 1
    return bool(misplaced == 0)


@kernel
def _places_of(state: Record, card: int) -> int:
    """Return in how many places a card lies."""
    found = 0
    for index in range(state.pile_size):
        found += state.pile[index] == card
    for index in range(state.discarded):
        found += state.discards[index] == card
    for place in range(DISPLAY):
        found += state.display[place] == card
    for seat in range(state.seats):
        for index in range(state.held[seat]):
            found += state.hands[seat, index] == card
    return found


# ---- the whole position

PROBLEMS: Final = (
    ("", ""),
    ("shared", "D2"),
    ("pawns", "D1"),
    ("misses", "D8"),
    ("struck", "BA4"),
    ("bar", "BA2"),
    ("ended", "C11"),
    ("running", "C11"),
    ("no-dice", "C2"),
    ("dice", "C8"),
    ("hand", "K3"),
    ("display", "K3"),
    ("deck", "K1"),
    ("chain", "CB2"),
    ("neighbor", "BP2"),
)
"""Why a position is impossible, by number: the name, and the rule. The catalogues have the sentence as `setup.NAME`."""

(
    _,
    SHARED,
    PAWNS,
    MISSES,
    STRUCK,
    BAR,
    ENDED,
    RUNNING,
    NO_DICE,
    BAD_DICE,
    BAD_HAND,
    BAD_DISPLAY,
    BAD_DECK,
    CHAIN,
    NEIGHBOR,
) = range(len(PROBLEMS))

PROBLEM: Final = 4
"""Numbers of one problem: why, the seat or the row that it is about (-1: the table), the least and the most allowed."""

PROBLEM_BUFFER: Final = 1 + PROBLEM * (len(PROBLEMS) + 3 * SEATS)


@kernel
def _add(found: Ints, reason: int, about: int, least: int, most: int) -> None:
    place = 1 + PROBLEM * found[0]
    found[place] = reason
    found[place + 1] = about
    found[place + 2] = least
    found[place + 3] = most
    found[0] += 1


@kernel
def check_position(layout: Record, state: Record, log: EventLog, found: Ints) -> None:
    """
    Close the locked rows of a position that a caller has filled in, and write to `found` why it is impossible.

    `found` begins with the number of problems. A bar in which no cell is struck gets its struck cells here (BA4).
    """
    found[0] = 0
    if layout.shared:
        _check_board(layout, state, found)
    given = np.empty(2 + COLORS, np.int32)  # closing a row takes its die off the table
    for die in range(2 + COLORS):
        given[die] = state.dice[die]
    struck = np.zeros(SEATS, np.int32)
    for seat in range(state.seats):
        struck[seat] = state.sheets[seat].struck
        state.sheets[seat].struck = 0
    state.ending = _close_rows_and_find_end(layout, state, log)
    for seat in range(state.seats):
        if struck[seat] != 0 and struck[seat] != state.sheets[seat].struck:
            _add(found, STRUCK, seat, 0, 0)
        elif not bar_fits(layout, state.sheets[seat]):
            _add(found, BAR, seat, 0, 0)
        if not chain_fits(layout, state.sheets[seat]):
            _add(found, CHAIN, seat, 0, 0)
        if not bonus_rows_fit(layout, state.sheets[seat]):
            _add(found, NEIGHBOR, seat, 0, 0)
    if (state.ending != 0) != (state.phase == OVER):  # C11, K8, D8
        _add(found, ENDED if state.ending != 0 else RUNNING, -1, 0, 0)
    if layout.flow == CARDS:
        _check_cards(layout, state, found)
    elif state.phase in (WHITE, COLOR):
        if given[0] == 0:
            _add(found, NO_DICE, -1, 1, layout.sides)
        elif dice.dice_refusal(layout, state, given) != ALLOWED:
            _add(found, BAD_DICE, -1, 1, layout.sides)


@kernel
def _check_board(layout: Record, state: Record, found: Ints) -> None:
    """Check pawns and misses of the duel (D1, D2, D8)."""
    row = _shared_row(state)
    if row >= 0:
        _add(found, SHARED, row, 0, 0)
    for seat in range(state.seats):
        if board.supply(layout, state, seat) < 0:
            _add(found, PAWNS, seat, 0, layout.pawns)
    if state.sheets[0].misses + state.sheets[1].misses > layout.end_misses:
        _add(found, MISSES, -1, 0, layout.end_misses)


@kernel
def _check_cards(layout: Record, state: Record, found: Ints) -> None:
    """Check hands, display and pile (K1, K3, K5)."""
    if not _deck_fits(layout, state):
        _add(found, BAD_DECK, -1, 0, 0)
    for seat in range(state.seats):
        least = _min_hand_size(layout, state, seat)
        most = _max_hand_size(state, seat)
        if state.held[seat] < least or state.held[seat] > most:
            _add(found, BAD_HAND, seat, least, most)
    if not _table_fits(state):
        _add(found, BAD_DISPLAY, -1, 0, 0)


@kernel
def _close_rows_and_find_end(layout: Record, state: Record, log: EventLog) -> int:
    """Close the locked rows in a position set up by hand; return why the game is over there, 0 if it is not."""
    clear_log(log)
    if not layout.personal:
        close_rows(layout, state, log)
    return ending_of(layout, state)
