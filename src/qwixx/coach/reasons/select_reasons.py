"""
Selects which effects of a decision to mention. A reason is a few integers: its kind, a count, a row and numbers.

Python and the page turn reasons into sentences; this compiled code selects them for both.
"""

from __future__ import annotations

from typing import Final

from qwixx.jit.decorators import entry, kernel
from qwixx.kernel.decision_effects import NOTHING_FOLLOWS, effects_kernel, last_cross_of
from qwixx.kernel.effects import EFFECTS
from qwixx.kernel.flow import legal
from qwixx.kernel.state.records import CARDS, DISPLAY, ROWS, WHITE, Ints, Record, Records

KINDS: Final = (
    *("takes", "fits", "fits-none", "plays"),
    *("closes", "skips", "leaves-free", "next-cell", "lucky"),
    *("bonus", "bonus-lost", "gains", "captures", "stacks"),
    *("can-close", "to-close", "leaves", "next-number"),
    *("ends", "leads", "trails", "level"),
    *("crosses-nothing", "miss", "free-miss", "nearest"),
    *("places-nothing", "can-close-now", "pawns-to-close"),
    *(f"pair-{effect.name}" for effect in EFFECTS),
)
"""The kinds of reasons."""
_TAKES, _FITS, _FITS_NONE, _PLAYS = range(4)
_CLOSES, _SKIPS, _LEAVES_FREE, _NEXT_CELL, _LUCKY = range(4, 9)
_BONUS, _BONUS_LOST, _GAINS, _CAPTURES, _STACKS = range(9, 14)
_CAN_CLOSE, _TO_CLOSE, _LEAVES, _NEXT_NUMBER = range(14, 18)
_ENDS, _LEADS, _TRAILS, _LEVEL = range(18, 22)
_CROSSES_NOTHING, _MISS, _FREE_MISS, _NEAREST = range(22, 26)
_PLACES_NOTHING, _CAN_CLOSE_NOW, _PAWNS_TO_CLOSE = range(26, 29)  # of the shared board
_PAIR = 29
_HAS_NUMBER = sum(1 << code for code, effect in enumerate(EFFECTS) if effect.has_number)

NONE: Final = -1
"""No count, or no row."""
REASON: Final = 6 + DISPLAY
"""Integers of a reason: kind, count, row, rolls that show its numbers, all rolls, how many numbers, the numbers."""
REASON_BUFFER: Final = 1 + REASON * 48
"""Size of a buffer for all reasons of a decision; its first integer is the end of the used part."""
_FEW: Final = 3
"""If at most this many numbers are left in a row, the reason lists all of them."""
_NEAR: Final = 2
"""A card is useful soon if it fits one of this many next cells of a row."""
_SOON: Final = 2
"""Mention a row if at most this many crosses are missing to close it."""


@entry
def reasons(
    layouts: Records,
    states: Records,
    at: int,
    seat: int,
    action: int,
    copies: Records,
    log: Ints,
    facts: Records,
    actions: Ints,
    out: Ints,
) -> None:
    """Write the reasons for and against a legal decision to `out`; the other buffers are scratch memory."""
    layout, state = layouts[0], states[at]
    effects_kernel(layout, states, at, seat, action, copies, log, facts)
    effects = facts[0]
    out[0] = 1
    _add_card_reasons(layout, state, seat, effects, out)
    _add_cross_reasons(layout, state, seat, effects, out)
    _add_end_reasons(state, effects, out)
    if not effects.is_pass:
        if effects.is_miss:  # cards that cross nothing
            _add_miss_reason(effects, out)
        return
    if effects.is_miss:
        _add_miss_reason(effects, out)
    else:
        _add_reason(out, _PLACES_NOTHING if layout.shared else _CROSSES_NOTHING, NONE, NONE)
    nearest = 0 if layout.shared else _nearest(layout, states, at, seat, copies, log, facts, actions)
    if nearest:
        _add_reason(out, _NEAREST, nearest, NONE)


@kernel
def _add_reason(out: Ints, kind: int, n: int, row: int) -> int:
    """Append a reason and return its index."""
    at = out[0]
    out[at] = kind
    out[at + 1] = n
    out[at + 2] = row
    for place in range(3, REASON):
        out[at + place] = 0
    out[0] = at + REASON
    return int(at)


@kernel
def _add_number(out: Ints, at: int, number: int) -> None:
    """Append a number to a reason."""
    out[at + 6 + out[at + 5]] = number
    out[at + 5] += 1


# ---- cards


@kernel
def _add_card_reasons(layout: Record, state: Record, seat: int, effects: Record, out: Ints) -> None:
    if effects.taken:
        at = _add_reason(out, _TAKES, NONE, NONE)
        near = 0
        for place in range(effects.taken):
            _add_number(out, at, effects.numbers[place])
            near += int(_is_near(layout, state.sheets[seat], effects.numbers[place]))
        _add_reason(out, _FITS if near else _FITS_NONE, near if near else NONE, NONE)
    elif effects.played:
        _add_reason(out, _PLAYS, effects.played, NONE)


@kernel
def _is_near(layout: Record, sheet: Record, number: int) -> bool:
    """Whether a number is among the next cells of a row that the seat has not closed."""
    for row in range(ROWS):
        if sheet.locks >> row & 1:
            continue
        first = last_cross_of(sheet.marks[row]) + 1
        for place in range(first, min(first + _NEAR, layout.length[row])):
            if layout.value[row, place] == number:
                return True
    return False


# ---- crosses


@kernel
def _add_cross_reasons(layout: Record, state: Record, seat: int, effects: Record, out: Ints) -> None:
    for row in range(ROWS):
        if effects.crossed[row]:
            if effects.locked >> row & 1:
                _add_reason(out, _CLOSES, NONE, row)
            if effects.skipped[row]:
                _add_reason(out, _LEAVES_FREE if layout.shared else _SKIPS, effects.skipped[row], row)
            elif not (effects.captured or effects.stacked):
                _add_reason(out, _NEXT_CELL, NONE, row)
    if _is_lucky(layout, state, seat, effects):
        _add_reason(out, _LUCKY, NONE, NONE)
    for place in range(effects.paired):
        pair = effects.pairs[place]
        effect = layout.pair_effect[pair]
        _add_reason(out, _PAIR + effect, layout.pair_points[pair] if _HAS_NUMBER >> effect & 1 else NONE, NONE)
    if effects.bonuses:
        _add_reason(out, _BONUS, effects.bonuses, NONE)
    if effects.lost:
        _add_reason(out, _BONUS_LOST, effects.lost, NONE)
    if effects.points > 0 and effects.rows:
        _add_reason(out, _GAINS, effects.points, NONE)
    if effects.captured:
        _add_reason(out, _CAPTURES, NONE, NONE)
    if effects.stacked:
        _add_reason(out, _STACKS, NONE, NONE)
    for row in range(ROWS):
        if effects.crossed[row] and not effects.locked >> row & 1:
            _add_row_outlook(layout, effects, row, out)


@kernel
def _is_lucky(layout: Record, state: Record, seat: int, effects: Record) -> bool:
    """Whether a cross is not the white sum, which only a lucky number allows (L4)."""
    if not layout.lucky_pads or state.phase != WHITE or not effects.rows:
        return False
    total = state.dice[0] + state.dice[1]
    lucky = state.sheets[seat].lucky
    if total not in (lucky[0], lucky[1]):
        return False
    for row in range(ROWS):
        if effects.crossed[row]:
            return bool(effects.first[row] != total)
    return False


@kernel
def _add_row_outlook(layout: Record, effects: Record, row: int, out: Ints) -> None:
    """Add what a row still offers: how many marks are missing to close it, and which numbers come next."""
    if effects.missing[row] == 0:
        # A captured pawn can take the right to close away again (D3, D7).
        _add_reason(out, _CAN_CLOSE_NOW if layout.shared else _CAN_CLOSE, NONE, row)
    elif effects.missing[row] <= _SOON:
        _add_reason(out, _PAWNS_TO_CLOSE if layout.shared else _TO_CLOSE, effects.missing[row], row)
    if layout.flow == CARDS or effects.following[row] == NOTHING_FOLLOWS:
        return
    begin = 0
    while layout.value[row, begin] != effects.following[row]:
        begin += 1
    # The last cells need enough crosses before them: those that can still be made count.
    closing = layout.closes_from[row]
    is_open = effects.count[row] + max(closing - begin, 0) >= layout.closes_need[row]
    end = layout.length[row] if is_open else closing
    is_few = end - begin <= _FEW
    at = _add_reason(out, _LEAVES if is_few else _NEXT_NUMBER, NONE, row)
    out[at + 4] = layout.sides * layout.sides
    for place in range(begin, end if is_few else begin + 1):
        number = layout.value[row, place]
        _add_number(out, at, number)
        out[at + 3] += _ways(layout.sides, number)


@kernel
def _ways(sides: int, total: int) -> int:
    """Count the rolls of two dice with a sum."""
    return max(min(total - 1, 2 * sides + 1 - total), 0)


# ---- the end, and crossing nothing


@kernel
def _add_end_reasons(state: Record, effects: Record, out: Ints) -> None:
    """Add who is ahead, if the decision closes a row or ends the game."""
    if effects.ends:
        _add_reason(out, _ENDS, NONE, NONE)
    if state.seats > 1 and (effects.ends or effects.locked):
        if effects.lead > 0:
            _add_reason(out, _LEADS, effects.lead, NONE)
        elif effects.lead < 0:
            _add_reason(out, _TRAILS, -effects.lead, NONE)
        else:
            _add_reason(out, _LEVEL, NONE, NONE)


@kernel
def _add_miss_reason(effects: Record, out: Ints) -> None:
    if effects.points:
        _add_reason(out, _MISS, -effects.points, NONE)
    else:
        _add_reason(out, _FREE_MISS, NONE, NONE)


@kernel
def _nearest(
    layout: Record, states: Records, at: int, seat: int, copies: Records, log: Ints, facts: Records, actions: Ints
) -> int:
    """Count the cells that the nearest legal cross would skip; 0 if no cross is legal."""
    fewest = -1
    for place in range(legal(layout, states[at], seat, actions)):
        effects_kernel(layout, states, at, seat, actions[place], copies, log, facts)
        if facts[0].rows:
            skipped = 0
            for row in range(ROWS):
                skipped += facts[0].skipped[row]
            fewest = skipped if fewest < 0 else min(fewest, skipped)
    return max(fewest, 0)
