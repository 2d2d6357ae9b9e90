"""
Build the tables of `sheet_index` and `marked_state` for a sheet.

Chooses the symmetries, assigns all numbers, and collects what the rows imply about marked cells.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from qwixx.kernel.effects import EFFECTS
from qwixx.kernel.state.records import (
    BOXED,
    PAIRED,
    PAIRS,
    POSITIONS,
    ROWS,
    Record,
    Records,
)
from qwixx.solver.encoding.marked_state import AHEAD, SECOND, SURE, UNSURE
from qwixx.solver.encoding.row_classes import CLOSED, Cross, Spot, crossed_sets, row_crosses
from qwixx.solver.encoding.sheet_index import CLASSES, FLAGS, FOLD, REACHES
from qwixx.solver.encoding.symmetry import IDENTITY, Order, keeps_lucky, mirror, symmetries
from qwixx.variants.model import Pad

_UPPER_SWAP: Order = (1, 0, 2, 3)
_LOWER_SWAP: Order = (0, 1, 3, 2)
_HALF_SWAP: Order = (2, 3, 0, 1)


def canonical_lucky(layouts: Records, lucky: Pad | None) -> tuple[Pad | None, Order]:
    """
    Return the smaller of two lucky numbers and their mirror image, and the order of rows that goes with it.

    Where the sheet is its own mirror image both play the same, so 8/13 of Longo is solved as 5/10.
    """
    if lucky is None:
        return None, IDENTITY
    layout = layouts[0]
    image = mirror(layout, lucky)
    for symmetry in symmetries(layout):
        if symmetry.mirrored and image < lucky:
            return image, symmetry.rows
    return lucky, IDENTITY


def _best_order(layout: Record, lucky: Pad | None) -> tuple[Order, set[Order]]:
    """
    Return the order of rows in which most of the sheet's symmetries exchange neighbors or halves.

    Other symmetries, a cycle of three rows for instance, are not used: the known sheets have none.
    """
    group = {symmetry.rows for symmetry in symmetries(layout) if keeps_lucky(layout, symmetry, lucky)}
    best: tuple[Order, set[Order]] = (IDENTITY, set())
    for order in permutations(range(ROWS)):
        used = set()
        for swap in (_UPPER_SWAP, _LOWER_SWAP, _HALF_SWAP):
            moved = [0] * ROWS
            for slot, row in enumerate(order):
                moved[row] = order[swap[slot]]
            if tuple(moved) in group:
                used.add(swap)
        if len(used) > len(best[1]):
            best = order, used
    return best


def _number_spots(crosses: dict[Spot, dict[int, Cross]], *, merge_dead: bool, merge_closed: bool) -> dict[Spot, int]:
    """
    Assign a class number to each spot of a row, closed ones last.

    With `merge_dead`, open spots that take no more crosses share a class: nothing can happen there, whatever they
    hold. With `merge_closed`, so do closed ones. Lucky numbers look at how many crosses an open row holds (L4),
    two-in-fewest and double-fewest look at closed rows too (BB2, BB7), so these forbid it.
    """
    number: dict[Spot, int] = {}
    shared: dict[str, int] = {}
    closed = {cross.to for ways in crosses.values() for cross in ways.values() if cross.to[0] == CLOSED}
    classes = 0
    for spot in [*crosses, *sorted(closed)]:
        if spot[0] == CLOSED:
            kind = "closed" if merge_closed else ""
        else:
            kind = "dead" if merge_dead and not crosses[spot] else ""
        if kind in shared:
            number[spot] = shared[kind]
            continue
        number[spot] = classes
        if kind:
            shared[kind] = classes
        classes += 1
    return number


def _fill_classes(fold: Record, slot: int, crosses: dict[Spot, dict[int, Cross]], number: dict[Spot, int]) -> None:
    """Fill in the transitions of each class of a row."""
    closed = [spot for spot in number if spot[0] == CLOSED]
    fold.shut[slot] = min(number[spot] for spot in closed)
    fold.classes[slot] = max(number.values()) + 1
    fold.shut_of[slot] = fold.shut[slot]  # closed by another seat, a row may hold fewer crosses than closing takes
    for spot in closed:
        fold.shut_of[slot, spot[1]] = number[spot]
        fold.next[slot, number[spot]] = max(spot[0] for spot in crosses) + 1
        fold.count[slot, number[spot]] = spot[1]
    for spot, ways in crosses.items():
        this = number[spot]
        fold.class_of[slot, spot[0], spot[1]] = this
        fold.next[slot, this], fold.count[slot, this] = spot
        for position, cross in ways.items():
            fold.to[slot, this, position] = number[cross.to]
            fold.gain[slot, this, position] = cross.gain


def _number_couples(fold: Record, half: int, *, unordered: bool) -> None:
    """Assign numbers to couples of two rows, by their reach; exchangeable rows share them."""
    first, second = 2 * half, 2 * half + 1
    found = sorted(
        (int(fold.next[first, a] + fold.next[second, b]), a, b)
        for a in range(fold.classes[first])
        for b in range(a if unordered else 0, fold.classes[second])
    )
    fold.couples[half] = len(found)
    for number, (_, a, b) in enumerate(found):
        fold.upper[half, number] = a
        fold.lower[half, number] = b
        fold.couple_of[half, a * CLASSES + b] = number
        if unordered:
            fold.couple_of[half, b * CLASSES + a] = number
    reaches = [reach for reach, _, _ in found]
    fold.reach_from[half] = np.searchsorted(reaches, np.arange(REACHES + 1))


def _looks_at_counts(layout: Record) -> bool:
    """Whether it matters how many crosses a row holds in which nothing can be crossed any more (BB2, BB7)."""
    return any(EFFECTS[effect].counts_rows for effect in layout.pair_effect[: layout.pairs])


def _note_marks(
    layout: Record, fold: Record, slot: int, crosses: dict[Spot, dict[int, Cross]], number: dict[Spot, int]
) -> None:
    """
    Note for each class of a row which marked cells lie ahead, are crossed for sure, or may be crossed or not.

    Sheets with marked cells have no symmetries, so a slot is a row here.
    """
    marked = [position for position in range(layout.length[slot]) if layout.effect[slot, position]]
    boxed = {position for position in marked if layout.effect[slot, position] == BOXED}
    members: dict[int, list[Spot]] = {}
    for spot, this in number.items():
        members.setdefault(this, []).append(spot)
    sets = crossed_sets(crosses, marked)
    for this, spots in members.items():
        crossed = [one for spot in spots for one in sets[spot]]
        is_closed = any(spot[0] == CLOSED for spot in spots)  # perhaps by another seat, with any of its boxes
        fold.least_boxed[slot, this] = 0 if is_closed else min(len(one & boxed) for one in crossed)
        fold.most_boxed[slot, this] = len(boxed) if is_closed else max(len(one & boxed) for one in crossed)
        for position in marked:
            if layout.effect[slot, position] != PAIRED:
                continue
            is_ahead = any(spot[0] != CLOSED and spot[0] <= position and crosses[spot] for spot in spots)
            is_sure = all(position in one for one in crossed)
            is_possible = any(position in one for one in crossed)
            kind = AHEAD if is_ahead else SURE if is_sure else UNSURE if is_possible else -1
            if kind >= 0:
                fold.facts[slot, this] |= int(_bit_of(layout, slot, position)) << kind


def _bit_of(layout: Record, row: int, position: int) -> int:
    """Return the bit of a cell of a pair: bit p for the first cell of pair p, SECOND bits further for the second."""
    pair = int(layout.pair[row, position])
    is_second = int(layout.pair_cells[pair, 1]) == row * POSITIONS + position
    return 1 << (pair + (SECOND if is_second else 0))


def _note_effects(layout: Record, fold: Record) -> None:
    """Fill in the properties of the whole sheet."""
    fold.remembers = 1
    fold.bar_length = layout.bar_length
    for row in range(ROWS):
        fold.bar_cells[row] = sum(1 for index in range(layout.bar_length) if layout.bar[index] == row)
        for position in range(layout.length[row]):
            if layout.effect[row, position] == PAIRED:
                fold.mark_bit[row, position] = _bit_of(layout, row, position)
    for pair in range(layout.pairs):
        if EFFECTS[layout.pair_effect[pair]].lasts:
            fold.lasting |= 1 << pair
    for flags in range(FLAGS):
        bits = [bit for bit in range(PAIRS) if flags >> bit & 1]
        for among in range(1 << len(bits)):
            crossed = sum(1 << bit for place, bit in enumerate(bits) if among >> place & 1)
            fold.rank[flags, crossed] = among


def fold_sheet(layouts: Records, lucky: Pad | None, *, keep_counts: bool = False, fold: bool = True) -> Records:
    """
    Build the tables for a compiled sheet and, in Longo, the lucky numbers of its player.

    With `keep_counts` no classes are merged, so that a position has the points of its rows. Without `fold` symmetries
    are not used, for policies that prefer one of two rows that look the same.
    """
    if fold:
        asked = lucky
        lucky, seen = canonical_lucky(layouts, lucky)
        return _build(layouts, lucky, seen, _best_order(layouts[0], lucky), lucky != asked, keep_counts)
    return _build(layouts, lucky, IDENTITY, (IDENTITY, set()), False, keep_counts)


def _build(
    layouts: Records,
    lucky: Pad | None,
    seen: Order,
    symmetric: tuple[Order, set[Order]],
    is_mirrored: bool,
    keep_counts: bool,
) -> Records:
    """Build the tables with the rows in an order whose symmetries are used."""
    layout = layouts[0]
    order, used = symmetric
    folds: Records = np.zeros(1, FOLD)
    fold = folds[0]
    fold.order = [seen.index(row) for row in order]
    fold.slot_of[fold.order] = range(ROWS)
    fold.lucky = lucky or (0, 0)
    fold.is_mirrored = int(is_mirrored)
    fold.is_swapped = int(_HALF_SWAP in used)
    fold.end_misses = layout.end_misses
    fold.sides, fold.end_rows, fold.miss_points = layout.sides, layout.end_rows, layout.miss_points
    fold.total, fold.color = layout.value[list(order)], layout.color[list(order)]
    fold.lock_color = layout.lock_color[list(order)]
    fold.class_of[:] = -1
    fold.to[:] = -1
    fold.couple_of[:] = -1
    counting = keep_counts or _looks_at_counts(layout)
    for slot, row in enumerate(order):
        crosses = row_crosses(layouts, row)
        number = _number_spots(crosses, merge_dead=lucky is None and not counting, merge_closed=not counting)
        _fill_classes(fold, slot, crosses, number)
        if layout.has_effects:
            _note_marks(layout, fold, slot, crosses, number)
    _number_couples(fold, 0, unordered=_UPPER_SWAP in used)
    _number_couples(fold, 1, unordered=_LOWER_SWAP in used)
    if layout.has_effects:
        _note_effects(layout, fold)
    return folds
