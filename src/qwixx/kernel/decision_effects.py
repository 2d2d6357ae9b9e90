"""
The effects of a decision: crosses, cells skipped, rows closed, misses, bonuses, the lead afterwards.

The decision is made on a copy of the game in which all other seats that are asked pass; their real choices are not
read. A draw is not made: it would show cards that its seat has not seen (K3). So the effects follow from what the seat
may know, and are the same whether the state was redacted or not.
"""

from __future__ import annotations

from typing import Final

from qwixx.jit.decorators import entry, kernel
from qwixx.kernel.flow import asked, decide, score
from qwixx.kernel.paper import weight
from qwixx.kernel.state.event_log import (
    BONUS,
    BONUS_CELL,
    CAPTURED,
    EVENT_SIZE,
    GAME_OVER,
    LOCKED,
    LOST,
    MISSED,
    PAIR,
    STACKED,
    TRACKED,
)
from qwixx.kernel.state.records import (
    DISPLAY,
    NO_CHOICE,
    PAIRS,
    PASS,
    PLAYS,
    POSITIONS,
    ROWS,
    SEATS,
    TAKES,
    TOTALS,
    Ints,
    Record,
    Records,
    record_type,
    type_int,
)

NOTHING_FOLLOWS: Final = 0
"""In `following`: no more cells of the row can be crossed."""

FACTS: Final = record_type(
    [
        # crosses it makes in each row, second ones, small fields and both of a double cell included, or pawns it places
        ("crossed", type_int, (ROWS,)),
        ("first", type_int, (ROWS,)),  # the leftmost number among them
        ("skipped", type_int, (ROWS,)),  # cells jumped over, small fields included; none in a row that is closed
        ("count", type_int, (ROWS,)),  # crosses in the row afterwards, the lock included
        ("following", type_int, (ROWS,)),  # the next number afterwards
        ("missing", type_int, (ROWS,)),  # crosses still needed before the last cell may be crossed
        ("locked", type_int),  # bit r: it closes row r
        ("rows", type_int),  # rows in which it crosses something
        ("beside", type_int),  # crosses beside the rows: bonus cells (BP2) and fields of the track (F2)
        ("is_pass", type_int),
        ("is_miss", type_int),
        ("bonuses", type_int),  # crosses that come from the bar
        ("lost", type_int),  # bonus crosses that cannot be made
        ("paired", type_int),  # how many pairs it completes
        ("pairs", type_int, (PAIRS,)),  # these pairs, in the order in which they take effect
        ("captured", type_int),
        ("stacked", type_int),
        ("ends", type_int),
        ("points", type_int),  # change of the score of the sheet, without later effects
        ("lead", type_int),  # points ahead of the best other seat afterwards; 0 in solitaire
        ("taken", type_int),  # card games: how many cards it takes from the display
        ("numbers", type_int, (DISPLAY,)),  # the numbers of these cards
        ("played", type_int),  # card games: how many cards it plays
    ]
)
"""The effects of one decision."""


@entry
def effects_of(
    layouts: Records, states: Records, at: int, seat: int, action: int, copies: Records, log: Ints, facts: Records
) -> None:
    """Write the effects of a legal decision to `facts[0]`; `copies` and `log` are scratch memory."""
    effects_kernel(layouts[0], states, at, seat, action, copies, log, facts)


@kernel
def effects_kernel(
    layout: Record, states: Records, at: int, seat: int, action: int, copies: Records, log: Ints, facts: Records
) -> None:
    """Do the same as `effects_of`, for compiled callers."""
    found = facts[0]
    _clear(found)
    if TAKES <= action < PLAYS:
        _read_draw(states[at], action, found)
        return
    copies[0] = states[at]
    copy = copies[0]
    for other in range(SEATS):
        copy.choices[other] = NO_CHOICE if other == seat or other >= copy.seats else PASS
    copy.waiting = asked(layout, copy) & 1 << seat
    decide(layout, copy, seat, action, log)
    found.is_pass = int(action == PASS)
    _read_log(log, seat, found)
    for row in range(ROWS):
        if layout.length[row]:
            _compare(layout, states[at], copy, seat, row, found)
    own = score(layout, copy, seat)
    found.points = own - score(layout, states[at], seat)
    found.lead = _lead(layout, copy, seat, own)
    found.played = states[at].held[seat] - copy.held[seat]


@kernel
def _clear(found: Record) -> None:
    for row in range(ROWS):
        found.crossed[row] = 0
        found.first[row] = 0
        found.skipped[row] = 0
        found.count[row] = 0
        found.following[row] = NOTHING_FOLLOWS
        found.missing[row] = 0
    found.locked = 0
    found.rows = 0
    found.beside = 0
    found.is_pass = 0
    found.is_miss = 0
    found.bonuses = 0
    found.lost = 0
    found.paired = 0
    found.captured = 0
    found.stacked = 0
    found.ends = 0
    found.points = 0
    found.lead = 0
    found.taken = 0
    found.played = 0


@kernel
def _read_draw(state: Record, action: int, found: Record) -> None:
    """Read the numbers of the cards that a draw takes, from their backs (K3)."""
    for place in range(DISPLAY):
        if action - TAKES >> place & 1:
            found.numbers[found.taken] = state.display[place] % TOTALS
            found.taken += 1


@kernel
def _read_log(log: Ints, seat: int, found: Record) -> None:
    """Read the events of the seat that decided, and whether the game ended."""
    for place in range(1, log[0], EVENT_SIZE):
        kind = log[place]
        detail = log[place + 2]
        if kind == GAME_OVER:
            found.ends = 1
        elif log[place + 1] != seat:
            continue
        elif kind == LOCKED:
            found.locked |= 1 << detail
        elif kind == MISSED:
            found.is_miss = 1
        elif kind in (BONUS_CELL, TRACKED):
            found.beside += 1
        elif kind == BONUS:
            found.bonuses += 1
        elif kind == LOST:
            found.lost += 1
        elif kind == PAIR:
            found.pairs[found.paired] = detail
            found.paired += 1
        elif kind == CAPTURED:
            found.captured = 1
        elif kind == STACKED:
            found.stacked = 1


@kernel
def _compare(layout: Record, state: Record, copy: Record, seat: int, row: int, found: Record) -> None:
    """Compare a row of the seat before and after the decision."""
    before, after = state.sheets[seat], copy.sheets[seat]
    was, now = before.marks[row], after.marks[row]
    seconds = after.twice[row] & ~before.twice[row]
    last, end = last_cross_of(was), last_cross_of(now)
    for place in range(POSITIONS):
        is_new = now >> place & 1 and not was >> place & 1
        if layout.shared and state.board[seat, row, place] < copy.board[seat, row, place]:
            is_new = True
        if is_new or seconds >> place & 1:
            if found.crossed[row] == 0:
                found.first[row] = layout.value[row, place]
            found.crossed[row] += max(weight(layout, row, place), 1)
        elif last < place < end and not now >> place & 1 and not state.closed >> row & 1:
            found.skipped[row] += 1
    found.rows += int(found.crossed[row] > 0)
    found.count[row] = copy.sheets[seat].count[row]
    found.missing[row] = max(layout.closes_need[row] - found.count[row], 0)
    following = next_number(layout, row, end + 1)
    is_over = (after.locks | copy.closed) >> row & 1 or following >= layout.length[row]
    if not is_over and (following < layout.closes_from[row] or found.missing[row] == 0):
        found.following[row] = layout.value[row, following]


@kernel
def next_number(layout: Record, row: int, place: int) -> int:
    """Return the first position from here on that is no small field (F3)."""
    while layout.small_marks[row] >> place & 1:
        place += 1
    return place


@kernel
def last_cross_of(marks: int) -> int:
    """Return the position of the last cross of a row, -1 if there is none."""
    place = -1
    while marks >> (place + 1):
        place += 1
    return place


@kernel
def _lead(layout: Record, copy: Record, seat: int, own: int) -> int:
    """Return the points ahead of the best other seat; 0 in solitaire."""
    lead = 0
    is_first = True
    for other in range(copy.seats):
        if other != seat:
            ahead = own - score(layout, copy, other)
            lead = ahead if is_first else min(lead, ahead)
            is_first = False
    return lead
