"""
The features of a compiled sheet, by name: code that supports only some of them can refuse the rest.

The solver, the simulator's fast path and the encoders each have a set of the features that they support. An unknown
number or field gets a name too (`effect-7`, `flow-3`, `field-toll`), which is in no set. So a sheet with something new
is refused, or played by the general code, until the special code supports it. It is never played wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator

from qwixx.kernel.state import records
from qwixx.kernel.state.fields import SHEET_FIELDS, STATE_FIELDS
from qwixx.kernel.state.records import LAYOUT, Record, Records
from qwixx.variants.layout import DERIVED

FLOWS = {records.DICE: "dice", records.CARDS: "cards"}
EFFECTS = {records.BOXED: "boxed", records.PAIRED: "paired"}
SWITCHES = {
    "shared": "shared-board",  # D1
    "personal": "personal-rows",  # K7
    "bar_length": "bar",  # BA1
    "lucky_pads": "lucky",  # L4
    "pawns": "pawns",  # D1
}
"""Fields that switch on a rule if they are not 0."""
_MAX_VALUE = {"shared": 1, "personal": 1}
"""Switches with one meaning: a larger number is a new feature."""
_NUMBERS = {
    *("sides", "length", "value", "color", "closes_from", "closes_need", "lock_color"),
    *("points", "points_crosses", "miss_points", "end_rows", "end_misses", "pair_points"),
    *("bar", "lucky", "deck_size", "deck", "dealt", "left_out"),
}
"""Fields with amounts or places; they change no rule."""
_READ = {"flow", "effect", "pair_effect", "pairs", "pair", "pair_cells"}
_KNOWN = {*SWITCHES, *_NUMBERS, *_READ, *DERIVED}
_KNOWN_STATE = {
    *("marks", "locks", "count", "next", "misses", "used", "struck", "lucky"),
    *("rng", "seats", "active", "turn", "phase", "ending", "waiting", "crossed", "first_cell", "dice", "closed"),
    *("gone", "choices", "sheets", "board", "held", "hands", "display", "pile_size", "pile", "discarded", "discards"),
}
"""Fields of a sheet and of the table that belong to the features above; any other field is a separate feature."""


DICE_ON_SHEETS = frozenset(
    {
        *("dice", "mixed-colors", "lucky", "bar", "boxed", "paired", "pair-two-in-fewest", "pair-one-in-each"),
        *("pair-double-fewest", "pair-plus-points", "pair-free-misses"),
    }
)
"""
The features of the six dice games with one sheet per seat, in any combination.

A feature of a new sheet does not belong here: add it to the set of each user that supports it.
"""


def features_of(layouts: Records) -> frozenset[str]:
    """
    Return the names of all features of a compiled sheet.

    >>> from qwixx.variants import load
    >>> from qwixx.variants.layout import compile_layout
    >>> sorted(features_of(compile_layout(load("bonus-a"))))
    ['bar', 'boxed', 'dice']
    """
    return frozenset(_features(layouts[0]))


def _features(layout: Record) -> Iterator[str]:
    yield FLOWS.get(int(layout.flow), f"flow-{layout.flow}")
    for field, name in SWITCHES.items():
        number = int(layout[field])
        if number:
            yield name if 0 < number <= _MAX_VALUE.get(field, number) else f"{name}-{number}"
    if not layout.in_order:
        yield "mixed-colors"  # G2, K10
    if any(int(card) // records.TOTALS == records.JOKER for card in layout.deck[: layout.deck_size]):
        yield "jokers"  # K9
    for effect in {int(effect) for effect in layout.effect.ravel()} - {records.NOTHING}:
        yield EFFECTS.get(effect, f"effect-{effect}")
    for effect in {int(effect) for effect in layout.pair_effect[: layout.pairs]}:
        known = 0 <= effect < len(records.PAIR_EFFECTS)
        yield f"pair-{records.PAIR_EFFECTS[effect]}" if known else f"pair-effect-{effect}"
    for name in set(LAYOUT.names or ()) - _KNOWN:
        if layout[name].any():
            yield _field_feature(name)
    for declared in (*SHEET_FIELDS, *STATE_FIELDS):
        if declared.name not in _KNOWN_STATE and declared.when(layout):
            yield _field_feature(declared.name)


def _field_feature(name: str) -> str:
    return f"field-{name.replace('_', '-')}"


def declared_fields() -> frozenset[str]:
    """Return the features of all declared fields: code that is derived from `fields` supports them."""
    return frozenset(_field_feature(field.name) for field in (*SHEET_FIELDS, *STATE_FIELDS))
