"""Compile a variant to the kernel's layout record: lookup tables for the rules."""

from __future__ import annotations

import hashlib

import numpy as np

from qwixx.kernel.effects import EFFECTS, find_effect
from qwixx.kernel.state import records
from qwixx.kernel.state.records import LAYOUT, Records, seat_entries, table_entries
from qwixx.variants.model import COLORS, Variant


def compile_layout(variant: Variant) -> Records:
    """
    Compile a variant to an array of one layout, the form in which Python passes it to the kernel.

    The array is read-only, so that all games of a variant share it.
    """
    return variant.derived(_compiled)


def _compiled(variant: Variant) -> Records:
    layouts: Records = np.zeros(1, LAYOUT)
    layout = layouts[0]
    layout.flow = records.CARDS if variant.is_cards else records.DICE
    layout.shared = int(variant.is_duel)
    layout.personal = int(variant.is_cards)
    layout.sides = variant.sides
    layout.points[1 : len(variant.points) + 1] = variant.points
    layout.points_crosses = variant.most_counted
    layout.miss_points = variant.miss_points
    layout.end_rows = variant.end_rows
    layout.end_misses = variant.end_misses
    layout.pawns = variant.pawns
    layout.twice = int(variant.twice)
    _compile_rows(layout, variant)
    _compile_effects(layout, variant)
    _compile_extras(layout, variant)
    if variant.deck is not None:
        layout.dealt = variant.deck.dealt
        # K10: where colors are mixed, crosses fall in different rows, and the limit has no meaning.
        layout.left_out = -1 if variant.is_mixed else variant.deck.left_out
        colors = records.COLORS + int(variant.deck.jokers)
        cards = [color * records.TOTALS + n for color in range(colors) for n in variant.deck.numbers]
        layout.deck_size = len(cards)
        layout.deck[: len(cards)] = cards
    _compile_entries(layout)
    layouts.flags.writeable = False
    return layouts


def _compile_rows(layout: np.record, variant: Variant) -> None:
    layout.in_order = int(all(cell.color == COLORS[r] for r, row in enumerate(variant.rows) for cell in row.cells))
    layout.white_spots[:] = -1
    layout.color_spots[:] = -1
    for r, row in enumerate(variant.rows):
        layout.length[r] = len(row.cells)
        layout.closes_from[r] = row.closes_from
        layout.closes_need[r] = variant.closing_crosses
        layout.lock_color[r] = COLORS.index(row.lock_color)
        for position, cell in enumerate(row.cells):
            color = COLORS.index(cell.color)
            layout.value[r, position] = cell.value
            layout.double_marks[r] |= int(variant.weight(cell) > 1) << position
            layout.color[r, position] = color
            if cell.after:
                continue
            layout.white_spots[cell.value, r] = position
            layout.color_spots[color, cell.value] = r * records.POSITIONS + position


def _compile_effects(layout: np.record, variant: Variant) -> None:
    keys = [row.key for row in variant.rows]
    letters = list(variant.pairs)
    layout.pair[:] = -1
    layout.bar_length = len(variant.bar)
    layout.bar[: len(variant.bar)] = [keys.index(key) for key in variant.bar]
    layout.pairs = len(letters)
    effects = [find_effect(word) for word in variant.pairs.values()]
    for p, (effect, number) in enumerate(effects):
        layout.pair_effect[p], layout.pair_points[p] = EFFECTS.index(effect), number
    seen = [0] * len(letters)
    for r, row in enumerate(variant.rows):
        for position, cell in enumerate(row.cells):
            if cell.boxed:
                layout.effect[r, position] = records.BOXED
            elif cell.pair:
                p = letters.index(cell.pair)
                layout.effect[r, position] = effects[p][0].when
                layout.pair[r, position] = p
                if effects[p][0].when == records.PAIRED:
                    layout.pair_cells[p, seen[p]] = r * records.POSITIONS + position
                    seen[p] += 1
    layout.has_effects = int(bool(variant.bar or variant.pairs or variant.chain))
    layout.has_ties = int(any(effect.has_ties for effect, _ in effects))
    _compile_ties(layout)
    layout.lucky_pads = len(variant.lucky)
    for pad, pair in enumerate(variant.lucky):
        layout.lucky[pad] = pair


def _compile_extras(layout: np.record, variant: Variant) -> None:
    """Compile what a sheet has beside rows of numbers (`kernel.extras`)."""
    cells = {
        row.key + cell.label: (r, position)
        for r, row in enumerate(variant.rows)
        for position, cell in enumerate(row.cells)
    }
    layout.pads = len(variant.pads)
    for pad, framed in enumerate(variant.stairs.values()):
        for row, position in map(cells.__getitem__, framed):
            layout.stairs[pad, row] |= 1 << position
    for pad, pairs in enumerate(variant.chain.values()):
        layout.links = len(pairs)
        for link, pair in enumerate(pairs):
            for side, (row, position) in enumerate(map(cells.__getitem__, pair)):
                layout.chain[pad, link, side] = row * records.POSITIONS + position
                layout.effect[row, position] = records.LINKED
    layout.swaps = len(variant.exchange)
    layout.swap[: len(variant.exchange)] = np.reshape(variant.exchange, (-1, 2))
    layout.track_fields = len(variant.track)
    layout.track[: len(variant.track)] = variant.track
    layout.track_sum = variant.track_sum
    small = [row * records.POSITIONS + position for name, (row, position) in cells.items() if name.endswith("+")]
    layout.smalls = len(small)
    layout.small[: len(small)] = small
    for cell in small:
        layout.small_marks[cell // records.POSITIONS] |= 1 << cell % records.POSITIONS
    layout.faces = variant.faces or (0, 0)
    layout.bonus_rows = len(variant.bonus_rows)
    for beside, row_between in enumerate(variant.bonus_rows):
        layout.beside[beside] = row_between.above, row_between.above + 1
    has = (layout.swaps, layout.track_fields, layout.smalls, layout.bonus_rows, len(variant.stairs))
    layout.has_extras = int(any(has))


def _compile_ties(layout: np.record) -> None:
    """
    Mark the cells that can lead to a tie, if an effect has ties: cells of pairs that make crosses, and boxes.

    A boxed cell needs no partner, because the bar alone may complete a pair; nor does a cell with an effect at each
    cross.
    """
    layout.tie_partner[:] = records.NO_TIE
    alone = (layout.effect == records.BOXED) | (layout.effect == records.AT_EACH)
    if layout.has_ties and alone.any():
        layout.has_ties = records.TIES_BY_BAR
        layout.tie_partner[alone] = records.TIE_ALONE
    for p in range(layout.pairs if layout.has_ties else 0):
        effect = EFFECTS[layout.pair_effect[p]]
        if effect.crosses and effect.when == records.PAIRED:
            for cell, partner in (layout.pair_cells[p], layout.pair_cells[p][::-1]):
                row, position = divmod(int(cell), records.POSITIONS)
                layout.tie_marks[row] |= 1 << position
                layout.tie_partner[row, position] = partner


def _compile_entries(layout: np.record) -> None:
    """Store where the encoder finds the entries that are not encoded by hand: those of a seat, then the table's."""
    of_seat, of_table = (
        [placed for placed in entries(layout) if not placed.entry.by_hand] for entries in (seat_entries, table_entries)
    )
    layout.seat_entries = len(of_seat)
    layout.all_entries = len(of_seat) + len(of_table)
    for number, placed in enumerate((*of_seat, *of_table)):
        layout.entries[number] = placed.entry.form, placed.word, placed.stride, placed.entry.size(layout)


DERIVED = {
    *("white_spots", "color_spots", "in_order", "has_effects", "has_ties", "tie_marks", "tie_partner"),
    *("seat_entries", "all_entries", "entries", "double_marks", "has_extras", "small_marks"),
}
"""Fields that follow from the others and may change with the kernel's implementation."""


def layout_hash(layouts: Records) -> str:
    """
    Return a hash of a layout, so that a replay can check that a record was played on the same sheet.

    Derived and empty fields do not count, so that a new field for a later variant does not change the hashes of today's
    sheets.
    """
    digest = hashlib.sha256()
    for name in sorted(set(LAYOUT.names or ()) - DERIVED):
        values = np.ascontiguousarray(layouts[name])
        if values.any():
            digest.update(name.encode() + b"\0" + values.tobytes())
    return digest.hexdigest()[:16]
