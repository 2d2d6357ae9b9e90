"""
Which facts about a decision are worth a word, as numbers: a reason is its kind, what it counts, a row and numbers.

Python and the page put them into sentences; the choice of what is said is made here, once for both.
"""

from __future__ import annotations

from typing import Final

from qwixx.kernel.facts import NOTHING_FOLLOWS, last_of, try_out
from qwixx.kernel.flow import legal
from qwixx.kernel.jit import entry, kernel
from qwixx.kernel.records import (
    CARDS,
    DISPLAY,
    PAIR_EFFECTS,
    PLUS_POINTS,
    ROWS,
    WHITE,
    Ints,
    Record,
    Records,
)

KINDS: Final = (
    *("takes", "fits", "fits-none", "plays"),
    *("closes", "skips", "leaves-free", "next-cell", "lucky"),
    *("bonus", "bonus-lost", "gains", "captures", "stacks"),
    *("can-close", "to-close", "leaves", "next-number"),
    *("ends", "leads", "trails", "level"),
    *("crosses-nothing", "miss", "free-miss", "nearest"),
    *("pair-plus" if name == "plus-points" else f"pair-{name}" for name in PAIR_EFFECTS),
)
"""What a reason can be about."""
_TAKES, _FITS, _FITS_NONE, _PLAYS = range(4)
_CLOSES, _SKIPS, _LEAVES_FREE, _NEXT_CELL, _LUCKY = range(4, 9)
_BONUS, _BONUS_LOST, _GAINS, _CAPTURES, _STACKS = range(9, 14)
_CAN_CLOSE, _TO_CLOSE, _LEAVES, _NEXT_NUMBER = range(14, 18)
_ENDS, _LEADS, _TRAILS, _LEVEL = range(18, 22)
_CROSSES_NOTHING, _MISS, _FREE_MISS, _NEAREST = range(22, 26)
_PAIR = 26

NONE: Final = -1
"""No count, or no row."""
REASON: Final = 6 + DISPLAY
"""Numbers of a reason: kind, count, row, rolls that show its numbers, all rolls, how many numbers, the numbers."""
MOST_TOLD: Final = 1 + REASON * 48
"""Room for all reasons of a decision, behind how much of it is used."""
_FEW: Final = 3
"""So few numbers left in a row are named one by one."""
_NEAR: Final = 2
"""Cells ahead that a card has to be among to be of use soon."""
_SOON: Final = 2
"""So many crosses short of closing a row are worth a word."""


@entry
def reasons(
    layouts: Records,
    states: Records,
    at: int,
    seat: int,
    action: int,
    twins: Records,
    trail: Ints,
    facts: Records,
    room: Ints,
    told: Ints,
) -> None:
    """Say what speaks for and against a legal decision; all but the game is used up."""
    layout, state = layouts[0], states[at]
    try_out(layout, states, at, seat, action, twins, trail, facts)
    found = facts[0]
    told[0] = 1
    _tell_cards(layout, state, seat, found, told)
    _tell_crosses(layout, state, seat, found, told)
    _tell_ending(state, found, told)
    if not found.is_pass:
        if found.is_miss:  # cards that cross nothing
            _tell_miss(found, told)
        return
    if found.is_miss:
        _tell_miss(found, told)
    else:
        _tell(told, _CROSSES_NOTHING, NONE, NONE)
    nearest = 0 if layout.shared else _nearest(layout, states, at, seat, twins, trail, facts, room)
    if nearest:
        _tell(told, _NEAREST, nearest, NONE)


@kernel
def _tell(told: Ints, kind: int, n: int, row: int) -> int:
    """Write a reason down; gives where it stands."""
    at = told[0]
    told[at] = kind
    told[at + 1] = n
    told[at + 2] = row
    for place in range(3, REASON):
        told[at + place] = 0
    told[0] = at + REASON
    return int(at)


@kernel
def _add_number(told: Ints, at: int, number: int) -> None:
    """Name a number in a reason."""
    told[at + 6 + told[at + 5]] = number
    told[at + 5] += 1


# ---- cards


@kernel
def _tell_cards(layout: Record, state: Record, seat: int, found: Record, told: Ints) -> None:
    if found.taken:
        at = _tell(told, _TAKES, NONE, NONE)
        near = 0
        for place in range(found.taken):
            _add_number(told, at, found.numbers[place])
            near += int(_is_near(layout, state.sheets[seat], found.numbers[place]))
        _tell(told, _FITS if near else _FITS_NONE, near if near else NONE, NONE)
    elif found.played:
        _tell(told, _PLAYS, found.played, NONE)


@kernel
def _is_near(layout: Record, sheet: Record, number: int) -> bool:
    """Whether a number is among the next cells of a row that the seat has not closed."""
    for row in range(ROWS):
        if sheet.locks >> row & 1:
            continue
        first = last_of(sheet.marks[row]) + 1
        for place in range(first, min(first + _NEAR, layout.length[row])):
            if layout.value[row, place] == number:
                return True
    return False


# ---- crosses


@kernel
def _tell_crosses(layout: Record, state: Record, seat: int, found: Record, told: Ints) -> None:
    for row in range(ROWS):
        if found.crossed[row]:
            if found.locked >> row & 1:
                _tell(told, _CLOSES, NONE, row)
            if found.skipped[row]:
                _tell(told, _LEAVES_FREE if layout.shared else _SKIPS, found.skipped[row], row)
            elif not (found.captured or found.stacked):
                _tell(told, _NEXT_CELL, NONE, row)
    if _is_lucky(layout, state, seat, found):
        _tell(told, _LUCKY, NONE, NONE)
    for place in range(found.paired):
        pair = found.pairs[place]
        effect = layout.pair_effect[pair]
        _tell(told, _PAIR + effect, layout.pair_points[pair] if effect == PLUS_POINTS else NONE, NONE)
    if found.bonuses:
        _tell(told, _BONUS, found.bonuses, NONE)
    if found.lost:
        _tell(told, _BONUS_LOST, found.lost, NONE)
    if found.points > 0 and found.rows:
        _tell(told, _GAINS, found.points, NONE)
    if found.captured:
        _tell(told, _CAPTURES, NONE, NONE)
    if found.stacked:
        _tell(told, _STACKS, NONE, NONE)
    for row in range(ROWS):
        if found.crossed[row] and not found.locked >> row & 1:
            _tell_rest(layout, found, row, told)


@kernel
def _is_lucky(layout: Record, state: Record, seat: int, found: Record) -> bool:
    """Whether a cross is not the white sum, which only a lucky number allows (L4)."""
    if not layout.lucky_pads or state.phase != WHITE or not found.rows:
        return False
    total = state.dice[0] + state.dice[1]
    lucky = state.sheets[seat].lucky
    if total not in (lucky[0], lucky[1]):
        return False
    for row in range(ROWS):
        if found.crossed[row]:
            return bool(found.first[row] != total)
    return False


@kernel
def _tell_rest(layout: Record, found: Record, row: int, told: Ints) -> None:
    """Say what a row still offers: how far it is from being closed, and which numbers come next."""
    if found.missing[row] == 0:
        _tell(told, _CAN_CLOSE, NONE, row)
    elif found.missing[row] <= _SOON:
        _tell(told, _TO_CLOSE, found.missing[row], row)
    if layout.flow == CARDS or found.following[row] == NOTHING_FOLLOWS:
        return
    begin = 0
    while layout.value[row, begin] != found.following[row]:
        begin += 1
    # The last cells need enough crosses before them: those that can still be made count.
    closing = layout.closes_from[row]
    is_open = found.count[row] + max(closing - begin, 0) >= layout.closes_need[row]
    end = layout.length[row] if is_open else closing
    is_few = end - begin <= _FEW
    at = _tell(told, _LEAVES if is_few else _NEXT_NUMBER, NONE, row)
    told[at + 4] = layout.sides * layout.sides
    for place in range(begin, end if is_few else begin + 1):
        number = layout.value[row, place]
        _add_number(told, at, number)
        told[at + 3] += _ways(layout.sides, number)


@kernel
def _ways(sides: int, total: int) -> int:
    """Count the rolls of two dice with a sum."""
    return max(min(total - 1, 2 * sides + 1 - total), 0)


# ---- the end, and crossing nothing


@kernel
def _tell_ending(state: Record, found: Record, told: Ints) -> None:
    """Say what the game looks like where a row closes or everything ends."""
    if found.ends:
        _tell(told, _ENDS, NONE, NONE)
    if state.seats > 1 and (found.ends or found.locked):
        if found.lead > 0:
            _tell(told, _LEADS, found.lead, NONE)
        elif found.lead < 0:
            _tell(told, _TRAILS, -found.lead, NONE)
        else:
            _tell(told, _LEVEL, NONE, NONE)


@kernel
def _tell_miss(found: Record, told: Ints) -> None:
    if found.points:
        _tell(told, _MISS, -found.points, NONE)
    else:
        _tell(told, _FREE_MISS, NONE, NONE)


@kernel
def _nearest(
    layout: Record, states: Records, at: int, seat: int, twins: Records, trail: Ints, facts: Records, room: Ints
) -> int:
    """Count the cells that even the nearest cross would jump over; 0 if there is none to be made."""
    fewest = -1
    for place in range(legal(layout, states[at], seat, room)):
        try_out(layout, states, at, seat, room[place], twins, trail, facts)
        if facts[0].rows:
            skipped = 0
            for row in range(ROWS):
                skipped += facts[0].skipped[row]
            fewest = skipped if fewest < 0 else min(fewest, skipped)
    return max(fewest, 0)
