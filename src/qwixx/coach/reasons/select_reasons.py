"""
Selects which effects of a decision to mention. A reason is a few integers: its kind, a count, a row and numbers.

Python and the page turn reasons into sentences; this compiled code selects them for both.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.jit.decorators import entry, kernel
from qwixx.kernel.cards import hold
from qwixx.kernel.decision_effects import NOTHING_FOLLOWS, effects_kernel, last_cross_of
from qwixx.kernel.effects import EFFECTS
from qwixx.kernel.flow import legal
from qwixx.kernel.game_end import count_rows
from qwixx.kernel.paper import is_crossed, position_of, row_of, weight
from qwixx.kernel.state.bitmasks import count_bits
from qwixx.kernel.state.records import (
    CARDS,
    COLOR,
    DICE,
    DISPLAY,
    MORE,
    PASS,
    PLAY,
    POSITIONS,
    ROWS,
    STATE,
    TOTALS,
    WHITE,
    Ints,
    Record,
    Records,
)
from qwixx.kernel.window import cell_of

KINDS: Final = (
    *("takes", "fits", "fits-none", "plays"),
    *("closes", "skips", "leaves-free", "next-cell", "lucky"),
    *("bonus", "bonus-lost", "gains", "captures", "stacks"),
    *("can-close", "to-close", "leaves", "next-number"),
    *("ends", "leads", "trails", "level"),
    *("crosses-nothing", "miss", "free-miss", "nearest"),
    *("places-nothing", "can-close-now", "pawns-to-close"),
    *("then-next", "then-skips", "then-miss", "gives-up"),
    *("row-to-end", "miss-to-end", "others-can-close", "only-color", "could-close"),
    *(f"pair-{effect.name}" for effect in EFFECTS),
    *(f"half-{effect.name}" for effect in EFFECTS),
)
"""The kinds of reasons."""
_TAKES, _FITS, _FITS_NONE, _PLAYS = range(4)
_CLOSES, _SKIPS, _LEAVES_FREE, _NEXT_CELL, _LUCKY = range(4, 9)
_BONUS, _BONUS_LOST, _GAINS, _CAPTURES, _STACKS = range(9, 14)
_CAN_CLOSE, _TO_CLOSE, _LEAVES, _NEXT_NUMBER = range(14, 18)
_ENDS, _LEADS, _TRAILS, _LEVEL = range(18, 22)
_CROSSES_NOTHING, _MISS, _FREE_MISS, _NEAREST = range(22, 26)
_PLACES_NOTHING, _CAN_CLOSE_NOW, _PAWNS_TO_CLOSE = range(26, 29)  # of the shared board
_THEN_NEXT, _THEN_SKIPS, _THEN_MISS, _GIVES_UP = range(29, 33)
_ROW_TO_END, _MISS_TO_END, _OTHERS_CAN_CLOSE, _ONLY_COLOR, _COULD_CLOSE = range(33, 38)
_PAIR = 38
_HALF = _PAIR + len(EFFECTS)
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
_MOST_PLAYED: Final = 3
"""So many cards can be played at once (K5)."""
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
    is_pass = bool(effects.is_pass)
    _add_card_reasons(layout, state, seat, effects, out)
    if effects.taken:
        _add_draw_outlook(layout, state, seat, copies, log, facts, actions, out)
        return
    _add_cross_reasons(layout, state, copies[0], seat, effects, out)
    _add_end_reasons(layout, state, copies[0], seat, effects, out)
    if effects.is_miss:  # a pass, or cards that cross nothing
        _add_miss_reason(layout, copies[0], seat, effects, out)
    elif is_pass:
        _add_reason(out, _PLACES_NOTHING if layout.shared else _CROSSES_NOTHING, NONE, NONE)
    # From here on other actions are tried, in the same memory.
    if copies[0].phase == COLOR and state.phase == WHITE and seat == state.active and not layout.shared:
        later = np.empty(1, STATE)
        later[0] = copies[0]
        _add_second_action(layout, later, seat, is_pass, copies, log, facts, actions, out)
    nearest = _nearest(layout, states, at, seat, copies, log, facts, actions) if is_pass and not layout.shared else 0
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
def _add_draw_outlook(
    layout: Record, state: Record, seat: int, copies: Records, log: Ints, facts: Records, actions: Ints, out: Ints
) -> None:
    """Add what drawn cards can be, and which rows they could close, from all cards that the seat has seen (K3, K5)."""
    taken = facts[0].taken
    numbers = np.zeros(DISPLAY, np.int32)
    numbers[:taken] = facts[0].numbers[:taken]
    later = np.empty(1, STATE)
    for place in range(taken):
        number = numbers[place]
        if place and number in numbers[:place]:
            continue
        colors = _unseen_colors(layout, state, seat, number)
        for row in range(ROWS):
            color = _color_of_row(layout, row)
            if color < 0 or not colors >> color & 1:
                continue
            if count_bits(colors) == 1:
                _add_number(out, _add_reason(out, _ONLY_COLOR, NONE, row), number)
            if _could_close(layout, state, seat, row, -1, later, copies, log, facts, actions):
                continue  # already without this card
            card = color * TOTALS + number
            if _could_close(layout, state, seat, row, card, later, copies, log, facts, actions):
                _add_number(out, _add_reason(out, _COULD_CLOSE, NONE, row), number)


@kernel
def _unseen_colors(layout: Record, state: Record, seat: int, number: int) -> int:
    """Return the colors that a card with this back can have, as a mask; jokers count as a color (K9)."""
    colors = 0
    for at in range(layout.deck_size):
        if layout.deck[at] % TOTALS == number:
            colors |= 1 << layout.deck[at] // TOTALS
    for at in range(state.held[seat]):
        if state.hands[seat, at] % TOTALS == number:
            colors &= ~(1 << state.hands[seat, at] // TOTALS)
    for at in range(state.discarded):
        if state.discards[at] % TOTALS == number:
            colors &= ~(1 << state.discards[at] // TOTALS)
    return int(colors)


@kernel
def _color_of_row(layout: Record, row: int) -> int:
    """Return the color of all cells of a row, -1 if they differ."""
    for place in range(1, layout.length[row]):
        if layout.color[row, place] != layout.color[row, 0]:
            return -1
    return int(layout.color[row, 0])


@kernel
def _could_close(
    layout: Record,
    state: Record,
    seat: int,
    row: int,
    card: int,
    later: Records,
    copies: Records,
    log: Ints,
    facts: Records,
    actions: Ints,
) -> bool:
    """Whether a play of the own cards, and of one more, would close a row (K5, K7)."""
    sheet = state.sheets[seat]
    if sheet.locks >> row & 1 or sheet.count[row] + _MOST_PLAYED < layout.closes_need[row]:
        return False
    later[0] = state
    if card >= 0:
        hold(later[0], seat, card)
    later[0].phase = PLAY
    later[0].waiting = 1 << seat
    for place in range(legal(layout, later[0], seat, actions)):
        effects_kernel(layout, later, 0, seat, actions[place], copies, log, facts)
        if facts[0].locked >> row & 1:
            return True
    return False


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
def _add_cross_reasons(layout: Record, state: Record, after: Record, seat: int, effects: Record, out: Ints) -> None:
    sheet, now = state.sheets[seat], after.sheets[seat]
    for row in range(ROWS):
        if effects.crossed[row]:
            if effects.locked >> row & 1:
                _add_reason(out, _CLOSES, NONE, row)
            if effects.skipped[row]:
                _add_reason(out, _LEAVES_FREE if layout.shared else _SKIPS, effects.skipped[row], row)
                if effects.skipped[row] <= _FEW and layout.flow == DICE and not layout.shared:
                    _add_given_up(layout, sheet.marks[row], now.marks[row], row, out)
            elif _is_next_cell(layout, sheet, now, state.closed, row) and not (effects.captured or effects.stacked):
                _add_reason(out, _NEXT_CELL, NONE, row)
    if _is_lucky(layout, state, seat, effects):
        _add_reason(out, _LUCKY, NONE, NONE)
    for place in range(effects.paired):
        pair = effects.pairs[place]
        effect = layout.pair_effect[pair]
        _add_reason(out, _PAIR + effect, layout.pair_points[pair] if _HAS_NUMBER >> effect & 1 else NONE, NONE)
    _add_half_pairs(layout, sheet, after, seat, out)
    if effects.bonuses:
        _add_reason(out, _BONUS, effects.bonuses, NONE)
    if effects.lost:
        _add_reason(out, _BONUS_LOST, effects.lost, NONE)
    if effects.points > 0 and (effects.rows or effects.beside):
        _add_reason(out, _GAINS, effects.points, NONE)
    if effects.captured:
        _add_reason(out, _CAPTURES, NONE, NONE)
    if effects.stacked:
        _add_reason(out, _STACKS, NONE, NONE)
    for row in range(ROWS):
        if effects.crossed[row] and not (effects.locked | state.closed) >> row & 1:
            _add_row_outlook(layout, now, effects, row, out)
            others = _others_that_can_close(layout, after, seat, row)
            if others:
                _add_reason(out, _OTHERS_CAN_CLOSE, others, row)


@kernel
def _is_next_cell(layout: Record, sheet: Record, now: Record, closed: int, row: int) -> bool:
    """Return whether a cross moved the next cell: not a second one (DA2), nor a forced one on a lost cell (CB2)."""
    is_right = last_cross_of(now.marks[row]) > last_cross_of(sheet.marks[row])
    return bool(layout.shared or (is_right and not closed >> row & 1))


@kernel
def _add_given_up(layout: Record, was: int, now: int, row: int, out: Ints) -> None:
    """Add the numbers that a cross skips, and how often the white dice would have shown them."""
    lost = ((1 << last_cross_of(now)) - 1) & ~(now | layout.small_marks[row])
    if lost >> (last_cross_of(was) + 1) == 0:
        return  # only a small field, which has no number
    at = _add_reason(out, _GIVES_UP, NONE, row)
    out[at + 4] = layout.sides * layout.sides
    for place in range(last_cross_of(was) + 1, last_cross_of(now)):
        if lost >> place & 1:
            number = layout.value[row, place]
            _add_number(out, at, number)
            out[at + 3] += _ways(layout.sides, number)


@kernel
def _add_half_pairs(layout: Record, before: Record, after: Record, seat: int, out: Ints) -> None:
    """Add the pairs of which a decision crosses one cell, if the other can still be crossed (BB1)."""
    sheet = after.sheets[seat]
    for pair in range(layout.pairs):
        for side in range(2):
            cell, other = layout.pair_cells[pair, side], layout.pair_cells[pair, 1 - side]
            if is_crossed(before, cell) or not is_crossed(sheet, cell) or is_crossed(sheet, other):
                continue
            row, place = row_of(other), position_of(other)
            if place < sheet.next[row] or (after.closed | sheet.locks) >> row & 1:
                continue
            effect = layout.pair_effect[pair]
            points = layout.pair_points[pair] if _HAS_NUMBER >> effect & 1 else NONE
            at = _add_reason(out, _HALF + effect, points, row)
            _add_number(out, at, layout.value[row, place])


@kernel
def _others_that_can_close(layout: Record, after: Record, seat: int, row: int) -> int:
    """Count the other seats that have enough crosses to close a row for everybody (C7, C8)."""
    if layout.shared or layout.personal or after.closed >> row & 1:
        return 0
    found = 0
    for other in range(after.seats):
        sheet = after.sheets[other]
        is_able = sheet.count[row] >= layout.closes_need[row] and sheet.next[row] < layout.length[row]
        found += int(other != seat and is_able)
    return found


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
def _add_row_outlook(layout: Record, sheet: Record, effects: Record, row: int, out: Ints) -> None:
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
    is_open = effects.count[row] + _still_possible(layout, sheet, row, begin) >= layout.closes_need[row]
    end = layout.length[row] if is_open else closing
    numbers = ((1 << end) - 1) & ~layout.small_marks[row] & -(1 << begin)
    is_few = count_bits(numbers) <= _FEW
    at = _add_reason(out, _LEAVES if is_few else _NEXT_NUMBER, NONE, row)
    out[at + 4] = layout.sides * layout.sides
    for place in range(begin, end if is_few else begin + 1):
        if not numbers >> place & 1:
            continue
        number = layout.value[row, place]
        _add_number(out, at, number)
        out[at + 3] += _ways(layout.sides, number)


@kernel
def _still_possible(layout: Record, sheet: Record, row: int, begin: int) -> int:
    """Return the most crosses that a row can still get before its last cells, second ones included (DA2, DB2)."""
    most = 0
    for place in range(begin, layout.closes_from[row]):
        most += weight(layout, row, place) * (1 + layout.twice)
    return int(most + layout.twice * int(begin > 0 and sheet.next[row] < begin))


@kernel
def _ways(sides: int, total: int) -> int:
    """Count the rolls of two dice with a sum."""
    return max(min(total - 1, 2 * sides + 1 - total), 0)


# ---- the end, and crossing nothing


@kernel
def _add_end_reasons(layout: Record, state: Record, after: Record, seat: int, effects: Record, out: Ints) -> None:
    """Add how near the end is, and who is ahead, if the decision closes a row or ends the game."""
    if effects.ends:
        _add_reason(out, _ENDS, NONE, NONE)
    elif effects.locked:
        rows = after.sheets[seat].locks if layout.personal else after.closed
        if count_rows(rows) == layout.end_rows - 1:  # C11, K8
            _add_reason(out, _ROW_TO_END, NONE, NONE)
    if state.seats > 1 and (effects.ends or effects.locked):
        if effects.lead > 0:
            _add_reason(out, _LEADS, effects.lead, NONE)
        elif effects.lead < 0:
            _add_reason(out, _TRAILS, -effects.lead, NONE)
        else:
            _add_reason(out, _LEVEL, NONE, NONE)


@kernel
def _add_second_action(
    layout: Record,
    later: Records,
    seat: int,
    is_pass: bool,
    copies: Records,
    log: Ints,
    facts: Records,
    actions: Ints,
    out: Ints,
) -> None:
    """
    Add what the color sum offers after the white sum (C4, C5): the cross that skips the fewest cells.

    After a white cross it is mentioned only if it skips nothing, after a pass in any case: it may avoid a miss (C6).
    """
    fewest = -1
    found = PASS
    most = cost = 0
    is_spared = False
    for place in range(legal(layout, later[0], seat, actions)):
        action = actions[place]
        effects_kernel(layout, later, 0, seat, action, copies, log, facts)
        if action == PASS:
            cost = -facts[0].points
            continue
        if action >= MORE:
            is_spared = True  # a bonus cell, which no sentence names
            continue
        skipped = 0
        for row in range(ROWS):
            skipped += facts[0].skipped[row]
        if fewest < 0 or skipped < fewest or (skipped == fewest and facts[0].points > most):
            fewest, most, found = skipped, facts[0].points, action
    if found == PASS:
        if is_pass and cost > 0 and not is_spared:
            _add_reason(out, _THEN_MISS, cost, NONE)
    elif fewest == 0 or is_pass:
        cell = cell_of(found)
        row = cell // POSITIONS
        at = _add_reason(out, _THEN_SKIPS if fewest else _THEN_NEXT, fewest if fewest else NONE, row)
        _add_number(out, at, layout.value[row, cell % POSITIONS])


@kernel
def _add_miss_reason(layout: Record, after: Record, seat: int, effects: Record, out: Ints) -> None:
    if effects.points:
        _add_reason(out, _MISS, -effects.points, NONE)
    else:
        _add_reason(out, _FREE_MISS, NONE, NONE)
    if after.sheets[seat].misses == layout.end_misses - 1:  # C11
        _add_reason(out, _MISS_TO_END, NONE, NONE)


@kernel
def _nearest(
    layout: Record, states: Records, at: int, seat: int, copies: Records, log: Ints, facts: Records, actions: Ints
) -> int:
    """Count the cells that the nearest legal cross would skip; 0 if no cross is legal."""
    fewest = -1
    for place in range(legal(layout, states[at], seat, actions)):
        effects_kernel(layout, states, at, seat, actions[place], copies, log, facts)
        if facts[0].rows or facts[0].beside:
            skipped = 0
            for row in range(ROWS):
                skipped += facts[0].skipped[row]
            fewest = skipped if fewest < 0 else min(fewest, skipped)
    return max(fewest, 0)
