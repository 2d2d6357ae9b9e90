"""
Features of the card game: the own hand, the display and the cards that are out.

A seat evaluates three kinds of positions: before a turn; with cards drawn whose colors it has not seen yet; and after
the number for all, when the active seat is about to play. It knows its own hand and all open cards (K2). These include
the cards played before: none of them returns until the pile is shuffled again.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from qwixx.jit.decorators import inlined, kernel
from qwixx.kernel.paper import position_of, row_of
from qwixx.kernel.state.records import (
    COLORS,
    DISPLAY,
    HAND,
    JOKER,
    NO_CARD,
    ROWS,
    SEATS,
    TOTALS,
    Ints,
    Record,
    record_type,
    type_int,
)
from qwixx.nets.network import Features, LoadedNet, accumulate_shared, evaluate_rest
from qwixx.nets.sheet_features import list_both, list_sheet, row_state, turns_of

TURN, DRAWN, NUMBER_OVER = range(3)
"""Kinds of positions: before a turn, after a draw, and after the number for all."""
_NEXT, _WAITING, _DRAWN, _PLAYING, _MISSING = range(5)
_STAGES: Final = 5
"""Stages of a hand: next to draw, another seat's turn, drawn, to be played, and to be played to avoid a miss."""
_REACH: Final = 6
"""How many cells after a row's last cross are features."""
_FAR: Final = _REACH + 1
"""The distance of a cell that is further away, or lost."""
_HELD: Final = 1 << _REACH
"""The number of patterns: which of the cells within reach are in the hand."""
_OUT_REACH: Final = 5
_OUT: Final = 1 << _OUT_REACH
_FEW: Final = 8
_SIDES: Final = 4
"""Whether the cards for the cells before and behind one are in the hand."""
_MOST_JOKERS: Final = 2
FULLNESS: Final = _STAGES * (HAND + 1) * (HAND + 1)
PATTERNS: Final = _STAGES * _HELD * _FEW
HELD_IN_ROW: Final = 2 * _HELD
"""For each state of a row: a full hand, or one before its draw."""
OUT_IN_ROW: Final = _OUT
"""For each state of a row: which of the next cells have cards that cannot be drawn."""
JOKERS: Final = _STAGES * (_FAR + 1) * _SIDES
BACKS: Final = (_FAR + 1) * _SIDES
BACK_NUMBERS: Final = (_FAR + 1) * (ROWS + 1)
DISPLAYS: Final = _STAGES * (_FAR + 1) * (ROWS + 1)
HELD_BY_BOTH: Final = 3 * SEATS * (HAND + 1) * (HAND + 1)
KINDS: Final = 3 * SEATS * 2
HAND_INPUTS: Final = record_type(
    [
        ("pattern_at", type_int, (ROWS,)),
        ("held_at", type_int, (ROWS,)),
        ("out_at", type_int, (ROWS,)),
        ("other_out_at", type_int, (ROWS,)),
        ("joker_at", type_int),
        ("back_at", type_int),
        ("back_number_at", type_int),
        ("fullness_at", type_int),
        ("best_at", type_int),
        ("display_at", type_int),
        ("both_held_at", type_int),
        ("kind_at", type_int),
        ("wild_at", type_int, (ROWS,)),  # behind all other tables, if a deck has jokers
    ]
)
"""The first row of each table of a hand."""


def _play_of(pattern: int) -> int:
    """
    Return the rank of the best play of a row's cards: of cards that follow each other with at most one cell between.

    The rank is higher with more crosses, and with fewer cells left out.
    """
    crosses = left_out = after = 0
    for place in range(_REACH):
        if pattern >> place & 1 and place - after <= 1 and crosses < 3:
            left_out += place - after
            crosses += 1
            after = place + 1
    return crosses * (crosses + 1) // 2 + crosses - left_out


_PLAY_OF: Final = np.array([_play_of(pattern) for pattern in range(_HELD)], np.int32)
_PLAYS: Final = 10
BEST_PLAYS: Final = _STAGES * _PLAYS * _PLAYS * (_MOST_JOKERS + 1)
"""The best plays of two rows, and the number of jokers."""


# ---- cards as numbers of a color


@kernel
def _collect_cards(cards: Ints, count: int, numbers: Ints) -> None:
    """Collect the numbers of cards by color, as masks; cards seen from behind have no color and are left out."""
    for place in range(count):
        color = cards[place] // TOTALS
        if color <= JOKER:
            numbers[color] |= 1 << cards[place] % TOTALS


@inlined
def _ahead(layout: Record, sheet: Record, row: int, numbers: Ints, reach: int) -> int:
    """Return a mask of a row's next cells that have one of these cards; the nearest cell is bit 0."""
    if sheet.locks >> row & 1:
        return 0
    first = sheet.next[row]
    mask = 0
    for step in range(min(reach, layout.length[row] - first)):
        color, number = layout.color[row, first + step], layout.value[row, first + step]
        mask |= (numbers[color] >> number & 1) << step
    return int(mask)


@inlined
def _ahead_in_any_color(layout: Record, sheet: Record, row: int, numbers: int, reach: int) -> int:
    """Return a mask of a row's next cells in which a joker with one of these numbers can be played (K9)."""
    if sheet.locks >> row & 1:
        return 0
    first = sheet.next[row]
    mask = 0
    for step in range(min(reach, layout.length[row] - first)):
        mask |= (numbers >> layout.value[row, first + step] & 1) << step
    return int(mask)


@inlined
def _distance(layout: Record, sheet: Record, color: int, number: int) -> int:
    """Return the number of cells between the last cross and the cell of a card; _FAR if it is far away or lost."""
    cell = layout.color_spots[color, number]
    if cell < 0 or sheet.locks >> row_of(cell) & 1:
        return _FAR
    away = position_of(cell) - sheet.next[row_of(cell)]
    return int(min(away, _FAR)) if away >= 0 else _FAR


@kernel
def _nearest(layout: Record, sheet: Record, number: int, out: Ints, own: Ints) -> tuple[int, int]:
    """Return the distance of a number in the nearest color that it can have, and in how many rows it is near."""
    nearest = _FAR
    rows = 0
    for color in range(COLORS):
        if (out[color] | own[color]) >> number & 1:
            continue
        distance = _distance(layout, sheet, color, number)
        nearest = min(nearest, distance)
        rows += int(distance <= 1)
    return nearest, rows


# ---- features


@kernel
def _list_color(features: Features, sheet: Record, color: int, number: int, table: int, at: int) -> int:
    """Append the distance of a card in a color, and whether the cards beside it are in the hand."""
    distance = _distance(features.layout, sheet, color, number)
    if distance == _FAR:
        return at
    pattern = features.scratch.patterns[row_of(features.layout.color_spots[color, number])] << 1
    sides = (pattern >> distance & 1) + (pattern >> distance + 2 & 1) * 2
    features.scratch.buffers.ids[0, at] = table + distance * _SIDES + sides
    return at + 1


@kernel
def list_hand(features: Features, position: Record, seat: int, stage: int, at: int) -> int:
    """Append the table rows of a seat's own hand to the first list of inputs at index `at`; return the next index."""
    layout, inputs, scratch = features.layout, features.inputs, features.scratch
    places = inputs.hand
    ids = scratch.buffers.ids[0]
    sheet = position.sheets[seat]
    patterns, own, out = scratch.patterns, scratch.own_cards, scratch.out_cards
    own[:] = 0
    out[:] = 0
    _collect_cards(position.hands[seat], position.held[seat], own)
    _collect_cards(position.discards, position.discarded, out)
    is_full = int(stage >= _DRAWN)
    best = second = 0
    for row in range(ROWS):
        patterns[row] = _ahead(layout, sheet, row, own, _REACH)
        state = row_state(inputs, sheet, 0, row)
        ids[at] = places.pattern_at[row] + (stage * _HELD + patterns[row]) * _FEW + min(sheet.count[row], _FEW - 1)
        ids[at + 1] = places.held_at[row] + (state * 2 + is_full) * _HELD + patterns[row]
        ids[at + 2] = places.out_at[row] + state * _OUT + _ahead(layout, sheet, row, out, _OUT_REACH)
        at += 3
        play = _PLAY_OF[patterns[row]]
        if play > best:
            best, second = play, best
        else:
            second = max(second, play)
    if own[JOKER]:
        for row in range(ROWS):
            wild = patterns[row] | _ahead_in_any_color(layout, sheet, row, own[JOKER], _REACH)
            if wild != patterns[row]:
                state = row_state(inputs, sheet, 0, row)
                ids[at] = places.wild_at[row] + (state * 2 + is_full) * _HELD + wild
                at += 1
    useless = jokers = 0
    for place in range(position.held[seat]):
        card = position.hands[seat, place]
        color, number = card // TOTALS, card % TOTALS
        if color < COLORS:
            useless += int(_distance(layout, sheet, color, number) == _FAR)
            continue
        table = places.back_at
        if color == JOKER:
            jokers += 1
            table = places.joker_at + stage * (_FAR + 1) * _SIDES
        else:
            nearest, rows = _nearest(layout, sheet, number, out, own)
            ids[at] = places.back_number_at + nearest * (ROWS + 1) + rows
            at += 1
        for other in range(COLORS):
            if color == JOKER or not (out[other] | own[other]) >> number & 1:
                at = _list_color(features, sheet, other, number, table, at)
    ids[at] = places.fullness_at + (stage * (HAND + 1) + position.held[seat]) * (HAND + 1) + useless
    ids[at + 1] = (
        places.best_at + ((stage * _PLAYS + best) * _PLAYS + second) * (_MOST_JOKERS + 1) + min(jokers, _MOST_JOKERS)
    )
    at += 2
    for place in range(DISPLAY):
        card = position.display[place]
        if card != NO_CARD:
            nearest, rows = _nearest(layout, sheet, card % TOTALS, out, own)
            ids[at] = places.display_at + (stage * (_FAR + 1) + nearest) * (ROWS + 1) + rows
            at += 1
    return at


@kernel
def begin_hand_evaluation(net: LoadedNet, position: Record, seats: int, seat: int, kind: int) -> None:
    """Add up all features of a card position except the own hand, the display and the cards that are out."""
    features = Features(net.layout, net.inputs, net.scratch)
    buffers = net.scratch.buffers
    places = net.inputs.hand
    own = position.sheets[seat]
    own_turn = (seat - position.active) % seats
    crossed = int(kind == NUMBER_OVER and position.crossed != 0)
    count = list_sheet(features, own, 0, 0, buffers.ids[0], 0)
    buffers.ids[0, count] = places.kind_at + (kind * SEATS + own_turn) * 2 + crossed
    count += 1
    for index in range(seats - 1):
        other = (seat + 1 + index) % seats
        sheet = position.sheets[other]
        ids = buffers.ids[index]
        if index:
            ids[:count] = buffers.ids[0, :count]
        at = list_sheet(features, sheet, 0, net.inputs.other_side, ids, count)
        held = position.held[seat] * (HAND + 1) + position.held[other]
        ids[at] = places.both_held_at + (kind * SEATS + own_turn) * (HAND + 1) * (HAND + 1) + held
        at = list_both(features, own, sheet, 0, ids, at + 1)
        ids[at] = net.inputs.turns_at + turns_of(seats, position.active, seat, other)
        buffers.shared_counts[index] = at + 1
    accumulate_shared(net.tables, buffers, seats - 1)


@kernel
def evaluate_hand(net: LoadedNet, position: Record, seats: int, seat: int, kind: int) -> None:
    """Compute the net's outputs for a seat with its hand, after `begin_hand_evaluation`; no other hand is used."""
    inputs, scratch = net.inputs, net.scratch
    buffers = scratch.buffers
    stage = _WAITING
    if seat == position.active:
        stage = _NEXT if kind == TURN else _DRAWN if kind == DRAWN else _PLAYING if position.crossed else _MISSING
    first = buffers.shared_counts[0]
    last = list_hand(Features(net.layout, inputs, scratch), position, seat, stage, first)
    out = scratch.out_cards  # cards that, as this seat knows, no other seat can draw: played cards and its own
    for color in range(COLORS):
        out[color] |= scratch.own_cards[color]
    for index in range(seats - 1):
        sheet = position.sheets[(seat + 1 + index) % seats]
        ids = buffers.ids[index]
        at = buffers.shared_counts[index]
        for place in range(first, last):
            ids[at] = buffers.ids[0, place]
            at += 1
        for row in range(ROWS):
            gone = _ahead(net.layout, sheet, row, out, _OUT_REACH)
            ids[at] = inputs.hand.other_out_at[row] + row_state(inputs, sheet, 0, row) * _OUT + gone
            at += 1
        buffers.counts[index] = at
    evaluate_rest(net.tables, net.layers, buffers, seats - 1)


@kernel
def evaluate_cards(net: LoadedNet, position: Record, seats: int, seat: int, kind: int) -> None:
    """Compute the net's outputs for a seat in a card position; of all hands only its own is used."""
    begin_hand_evaluation(net, position, seats, seat, kind)
    evaluate_hand(net, position, seats, seat, kind)
