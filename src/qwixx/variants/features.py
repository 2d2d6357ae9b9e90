"""
The features of a compiled sheet, by name: code that supports only some of them can refuse the rest.

The solver, the simulator's fast path and the encoders each have a set of the features that they support. An unknown
number or field gets a name too (`effect-7`, `flow-3`, `field-toll`), which is in no set. So a sheet with something new
is refused, or played by the general code, until the special code supports it. It is never played wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator

from qwixx.kernel.effects import EFFECTS
from qwixx.kernel.state import records
from qwixx.kernel.state.fields import SHEET_FIELDS, STATE_FIELDS
from qwixx.kernel.state.records import LAYOUT, Record, Records
from qwixx.variants.layout import DERIVED

FLOWS = {records.DICE: "dice", records.CARDS: "cards"}
MARKS = {
    records.BOXED: "boxed",
    records.PAIRED: "paired",
    records.AT_EACH: "",
    records.AT_SCORE: "",
    records.LINKED: "chain",  # CB1
}
"""When cells have their effects; the effects of letters that are not pairs are features on their own."""
SWITCHES = {
    "shared": "shared-board",  # D1
    "personal": "personal-rows",  # K7
    "bar_length": "bar",  # BA1
    "lucky_pads": "lucky",  # L4
    "pawns": "pawns",  # D1
    "twice": "twice",  # DA1
    "swaps": "exchange",  # XC1
    "track_fields": "track",  # F1
    "smalls": "small-fields",  # F3
    "bonus_rows": "bonus-rows",  # BP1
}
"""Fields that switch on a rule if they are not 0."""
_MAX_VALUE = {"shared": 1, "personal": 1, "twice": 1}
"""Switches with one meaning: a larger number is a new feature."""
_NUMBERS = {
    *("sides", "length", "value", "color", "closes_from", "closes_need", "lock_color"),
    *("points", "points_crosses", "miss_points", "end_rows", "end_misses", "pair_points"),
    *("bar", "lucky", "deck_size", "deck", "dealt", "left_out"),
    *("pads", "links", "chain", "swap", "track", "track_sum", "small", "faces", "beside"),
}
"""Fields with amounts or places; they change no rule."""
_READ = {"flow", "effect", "pair_effect", "pairs", "pair", "pair_cells", "stairs"}
_KNOWN = {*SWITCHES, *_NUMBERS, *_READ, *DERIVED}
_KNOWN_STATE = {
    *("marks", "locks", "count", "next", "misses", "used", "struck", "lucky"),
    *("rng", "seats", "active", "turn", "phase", "ending", "waiting", "crossed", "first_cell", "dice", "closed"),
    *("twice", "pad", "bonus", "exchanged", "track"),
    *("gone", "choices", "sheets", "board", "held", "hands", "display", "pile_size", "pile", "discarded", "discards"),
}
"""Fields of a sheet and of the table that belong to the features above; any other field is a separate feature."""


def supported_by(user: str) -> frozenset[str]:
    """
    Return the features of dice games with one sheet per seat that a user supports, in any combination.

    `kernel.effects` names the users. A new feature that is not an effect of cells belongs to the set of each user that
    supports it, not here.
    """
    effects = {effect.feature for effect in EFFECTS if user in effect.supported_by}
    return frozenset({"dice", "mixed-colors", "lucky", "bar", "boxed", "paired"} | effects)


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
    if layout.stairs.any():
        yield "stairs"  # CA1
    if not layout.in_order:
        yield "mixed-colors"  # G2, K10
    if any(int(card) // records.TOTALS == records.JOKER for card in layout.deck[: layout.deck_size]):
        yield "jokers"  # K9
    for mark in {int(mark) for mark in layout.effect.ravel()} - {records.NOTHING}:
        if name := MARKS.get(mark, f"effect-{mark}"):
            yield name
    for code in {int(code) for code in layout.pair_effect[: layout.pairs]}:
        yield EFFECTS[code].feature if 0 <= code < len(EFFECTS) else f"pair-effect-{code}"
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
