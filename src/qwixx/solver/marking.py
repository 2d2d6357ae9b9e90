"""Making the tables of `solver.memory`: what the rows of a sheet with marked cells say about those cells."""

from __future__ import annotations

from qwixx.kernel.records import BOXED, COUNTING_PAIRS, LASTING_PAIRS, PAIRED, PAIRS, POSITIONS, ROWS, Record
from qwixx.solver.classes import CLOSED, Cross, Spot, crossed_sets
from qwixx.solver.fold import FLAGS
from qwixx.solver.memory import AHEAD, SECOND, SURE, UNSURE


def looks_at_counts(layout: Record) -> bool:
    """Whether it matters how many crosses a row holds in which nothing can be crossed any more (BB2, BB7)."""
    effects = {int(layout.pair_effect[pair]) for pair in range(layout.pairs)}
    return bool(effects & set(COUNTING_PAIRS))


def note_marks(
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
        is_closed = any(spot[0] == CLOSED for spot in spots)  # perhaps by somebody else, with any of its boxes
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
    """Give the bit of a cell of a pair: bit p for the first cell of pair p, SECOND bits further for the second."""
    pair = int(layout.pair[row, position])
    is_second = int(layout.pair_cells[pair, 1]) == row * POSITIONS + position
    return 1 << (pair + (SECOND if is_second else 0))


def note_effects(layout: Record, fold: Record) -> None:
    """Note what holds for the whole sheet."""
    fold.remembers = 1
    fold.bar_length = layout.track_length
    for row in range(ROWS):
        fold.bar_cells[row] = sum(1 for index in range(layout.track_length) if layout.track[index] == row)
        for position in range(layout.length[row]):
            if layout.effect[row, position] == PAIRED:
                fold.mark_bit[row, position] = _bit_of(layout, row, position)
    for pair in range(layout.pairs):
        if layout.pair_effect[pair] in LASTING_PAIRS:
            fold.lasting |= 1 << pair
    for flags in range(FLAGS):
        bits = [bit for bit in range(PAIRS) if flags >> bit & 1]
        for among in range(1 << len(bits)):
            crossed = sum(1 << bit for place, bit in enumerate(bits) if among >> place & 1)
            fold.rank[flags, crossed] = among
