"""
The card game: what a hand adds to a position, and the decisions that follow.

A seat is asked about three kinds of positions: before a turn; with the cards drawn, whose colors it has not seen yet;
and when the number for all is over and the active seat goes on to play. It knows its own hand, and of all else what
lies open (K2). What others do with the number for all is guessed as the worst for whoever is asked.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.kernel import cards, window
from qwixx.kernel.after import legal_after, sheet_after, state_after
from qwixx.kernel.flow import ending_of, number_for_all, score
from qwixx.kernel.jit import kernel
from qwixx.kernel.paper import allows, position_of, row_of
from qwixx.kernel.records import (
    COLORS,
    DISPLAY,
    DRAW,
    HAND,
    JOKER,
    NO_CARD,
    OVER,
    PASS,
    PLAY,
    ROWS,
    SEATS,
    TOTALS,
    Ints,
    Record,
    record_type,
    type_int,
)
from qwixx.learn.bench import AFTER_TURN, AFTER_WHITE, NOW, WORST, worth_of_scores
from qwixx.learn.inputs import list_both, list_sheet, turns_of
from qwixx.learn.net import WIN, Floats, forward

TURN, DRAWN, NUMBER_OVER = range(3)
"""Kinds of positions: before a turn, after a draw, and after the number for all."""
_NEXT, _WAITING, _DRAWN, _PLAYING, _MISSING = range(5)
_STAGES: Final = 5
"""Where a hand stands: next to draw, somebody else's turn, drawn, to be played, and to be played or a miss is due."""
_REACH: Final = 7
"""Cells that are looked at ahead of a row's last cross."""
_FEW: Final = 8
FULLNESS: Final = _STAGES * (HAND + 1) * (HAND + 1)
PATTERNS: Final = _STAGES * (1 << _REACH) * _FEW
JOKERS: Final = _STAGES * (_REACH + 1)
BACKS: Final = (_REACH + 1) * (ROWS + 1)
DISPLAYS: Final = _STAGES * (DISPLAY + 1)
KINDS: Final = 3 * SEATS * 2
HAND_INPUTS: Final = record_type(
    [
        ("pattern_at", type_int, (ROWS,)),
        ("joker_at", type_int),
        ("back_at", type_int),
        ("fullness_at", type_int),
        ("display_at", type_int),
        ("kind_at", type_int),
    ]
)
"""Where the tables of a hand stand."""


@kernel
def _distance(layout: Record, sheet: Record, row: int, place: int) -> int:
    """Count the cells between a row's last cross and a place in it, _REACH if that is far away or cannot be crossed."""
    if place < 0 or not allows(layout, sheet, 0, row, place):
        return _REACH
    return int(min(place - sheet.next[row], _REACH))


@kernel
def _nearest(layout: Record, sheet: Record, number: int) -> tuple[int, int]:
    """Find how near a number of any color is, and in how many rows it is not far away."""
    nearest = _REACH
    rows = 0
    for color in range(COLORS):
        cell = layout.color_spots[color, number]
        if cell >= 0:
            distance = _distance(layout, sheet, row_of(cell), position_of(cell))
            nearest = min(nearest, distance)
            rows += int(distance <= 2)
    return nearest, rows


@kernel
def list_hand(
    layout: Record, inputs: Record, position: Record, seat: int, stage: int, patterns: Ints, ids: Ints, at: int
) -> int:
    """List the rows of tables that speak of a seat's own hand, behind `at` others; give how many there are then."""
    places = inputs.hand
    sheet = position.sheets[seat]
    useless = 0
    patterns[:] = 0
    for place in range(position.held[seat]):
        card = position.hands[seat, place]
        color, number = card // TOTALS, card % TOTALS
        if color < COLORS:
            cell = layout.color_spots[color, number]
            distance = _REACH if cell < 0 else _distance(layout, sheet, row_of(cell), position_of(cell))
            if distance < _REACH:
                patterns[row_of(cell)] |= 1 << distance
            else:
                useless += 1
            continue
        nearest, rows = _nearest(layout, sheet, number)
        if color == JOKER:
            ids[at] = places.joker_at + stage * (_REACH + 1) + nearest
        else:
            ids[at] = places.back_at + nearest * (ROWS + 1) + rows
        at += 1
    for row in range(ROWS):
        ids[at] = (
            places.pattern_at[row] + (stage * (1 << _REACH) + patterns[row]) * _FEW + min(sheet.count[row], _FEW - 1)
        )
        at += 1
    ids[at] = places.fullness_at + (stage * (HAND + 1) + position.held[seat]) * (HAND + 1) + useless
    near = 0
    for place in range(DISPLAY):
        card = position.display[place]
        if card != NO_CARD:
            nearest, _ = _nearest(layout, sheet, card % TOTALS)
            near += int(nearest <= 1)
    ids[at + 1] = places.display_at + stage * (DISPLAY + 1) + near
    return at + 2


@kernel
def look_at_table(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    bench: Record,
    position: Record,
    seats: int,
    seat: int,
    kind: int,
) -> None:
    """Work out what the net says to a seat about a table with cards; of all hands only its own is looked at."""
    desk = bench.desk
    own = position.sheets[seat]
    is_active = seat == position.active
    stage = _WAITING
    if is_active:
        stage = _NEXT if kind == TURN else _DRAWN if kind == DRAWN else _PLAYING if position.crossed else _MISSING
    own_turn = (seat - position.active) % seats
    count = list_sheet(layout, inputs, own, 0, 0, desk.ids[0], 0)
    count = list_hand(layout, inputs, position, seat, stage, bench.patterns, desk.ids[0], count)
    crossed = int(kind == NUMBER_OVER and position.crossed != 0)
    desk.ids[0, count] = inputs.hand.kind_at + (kind * SEATS + own_turn) * 2 + crossed
    count += 1
    others = 0
    for step in range(1, seats):
        other = (seat + step) % seats
        sheet = position.sheets[other]
        ids = desk.ids[others]
        if others:
            ids[:count] = desk.ids[0, :count]
        at = list_sheet(layout, inputs, sheet, 0, inputs.other_side, ids, count)
        turns = turns_of(seats, position.active, seat, other)
        desk.counts[others] = list_both(layout, inputs, own, sheet, 0, turns, ids, at)
        others += 1
    forward(tables, layers, desk, others)


@kernel
def _worth(
    layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, at: int, seat: int, kind: int
) -> np.float32:
    """Tell what a state on the bench is worth to a seat: the logit of its chance of winning."""
    state = bench.states[at]
    if state.phase == OVER or ending_of(layout, state):
        for other in range(state.seats):
            bench.scores[other] = score(layout, state, other)
        return worth_of_scores(bench.scores, state.seats, seat)
    look_at_table(layout, inputs, tables, layers, bench, state, state.seats, seat, kind)
    return np.float32(bench.desk.outputs[WIN])


@kernel
def _draw(layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, seat: int) -> int:
    """Draw what is worth most, whatever its colors turn out to be (K3)."""
    menu = bench.white_menu
    count = cards.draw_legal(bench.states[NOW], seat, menu)
    best = menu.actions[0]
    highest = WORST
    for index in range(count):
        state_after(layout, bench.states, NOW, seat, menu.actions[index], bench.states, AFTER_TURN)
        value = _worth(layout, inputs, tables, layers, bench, AFTER_TURN, seat, DRAWN)
        if value > highest:
            highest = value
            best = menu.actions[index]
    return int(best)


@kernel
def _use_number(
    layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, seat: int, asked: int
) -> int:
    """
    Find what a seat does with the number for all, as it looks to the seat that is asked.

    The one who is asked does what is best for it; others are guessed to do what is worst for it (K4).
    """
    now = bench.states[NOW]
    menu = bench.white_menu
    count = window.offers(layout, now.sheets[seat], 0, number_for_all(now), menu)
    best = PASS
    highest = WORST
    for index in range(count if count > 1 else 0):
        action = menu.actions[index]
        bench.states[AFTER_TURN] = bench.states[AFTER_WHITE]
        after = bench.states[AFTER_TURN]
        sheet_after(layout, now.sheets[seat], 0, action, after.sheets, seat)
        if seat == now.active:
            after.crossed = int(action != PASS)
        value = _worth(layout, inputs, tables, layers, bench, AFTER_TURN, asked, NUMBER_OVER)
        if seat != asked:
            value = -value
        if value > highest:
            highest = value
            best = action
    sheet_after(layout, now.sheets[seat], 0, best, bench.states[AFTER_WHITE].sheets, seat)
    if seat == now.active:
        bench.states[AFTER_WHITE].crossed = int(best != PASS)
    return int(best)


@kernel
def _play(layout: Record, inputs: Record, tables: Floats, layers: Record, bench: Record, seat: int) -> int:
    """Play the cards that leave most (K5)."""
    menu = bench.white_menu
    count = cards.play_legal(layout, bench.states[NOW], seat, menu)
    best = menu.actions[0]
    highest = WORST
    for index in range(count):
        legal_after(layout, bench.states, NOW, seat, menu.actions[index], bench.states, AFTER_TURN)
        value = _worth(layout, inputs, tables, layers, bench, AFTER_TURN, seat, TURN)
        if value > highest:
            highest = value
            best = menu.actions[index]
    return int(best)


@kernel
def decide_with_cards(
    layout: Record,
    inputs: Record,
    tables: Floats,
    layers: Record,
    state: Record,
    bench: Record,
    asked: int,
    choices: Ints,
) -> None:
    """Decide for the seats that are asked now, a mask; each looks at its own hand and no other."""
    bench.states[NOW] = state
    if state.phase == DRAW:
        choices[state.active] = _draw(layout, inputs, tables, layers, bench, state.active)
    elif state.phase == PLAY:
        choices[state.active] = _play(layout, inputs, tables, layers, bench, state.active)
    else:
        for seat in range(state.seats):
            if asked >> seat & 1:
                bench.states[AFTER_WHITE] = state
                for other in range(state.seats):
                    if other != seat:
                        _use_number(layout, inputs, tables, layers, bench, other, seat)
                choices[seat] = _use_number(layout, inputs, tables, layers, bench, seat, seat)
