"""The words of a position line: their keys, and the words that are exactly one declared field."""

from __future__ import annotations

import re

from qwixx.game.view import bits
from qwixx.kernel.state.fields import IN_ROWS, SHEET_FIELDS, STATE_FIELDS, Field, Number, Places, Special, Text
from qwixx.kernel.state.records import Record

MAX_LINE_CHARS = 8192
SMALL = "small"
"""The key of the crossed small fields, each named by the number left of it: `small=r3` (F3)."""
BOTH = "&"
"""Between the two cells of one choice, because a comma is between the choices of two seats (F4)."""

_WIDTH = 32
"""Bits of a field."""


def declared(fields: tuple[Field, ...]) -> list[tuple[Field, Text]]:
    """Return the fields that have a word of their own, with that word."""
    found = [(field, field.text) for field in fields if field.text is not None]
    return [(field, text) for field, text in found if not isinstance(text.form, Special)]


TABLE_FIELDS = tuple(field for field in STATE_FIELDS if not field.of_seat)
SEAT_FIELDS = (*SHEET_FIELDS, *(field for field in STATE_FIELDS if field.of_seat))
WORDS_OF_TABLE = declared(TABLE_FIELDS)
WORDS_OF_SHEET = declared(SHEET_FIELDS)


def keys_of(fields: tuple[Field, ...], layout: Record | None = None) -> tuple[str, ...]:
    """Return the keys of the fields' words in order, without those of rows; with a layout, only for its game."""
    texts = [field.text for field in fields if field.text is not None and (layout is None or field.when(layout))]
    return tuple(dict.fromkeys(text.key for text in texts if text is not IN_ROWS))


def write_word(field: Field, text: Text, value: int) -> str:
    """Write a field as its word; empty if it has its starting value."""
    if value == field.blank:
        return ""
    if isinstance(text.form, Places):
        return f"{text.key}=" + ",".join(str(place + 1) for place in bits(value, _WIDTH))
    return f"{text.key}={value}"


def read_word(field: Field, text: Text, layout: Record, word: str, problems: list[str], where: str) -> int:
    """Read a field from the text after its key; add mistakes to `problems`, and return the blank value for them."""
    if isinstance(text.form, Number):
        return read_number(text.key, word, (text.form.least(layout), text.form.most(layout)), field.blank, problems)
    assert isinstance(text.form, Places), "special words have their own code"
    mask = 0
    for place in word.split(","):
        if not re.fullmatch(r"[0-9]{1,2}", place) or not 1 <= int(place) <= text.form.size(layout):
            problems.append(f"{where}: {place[:20]!r} is no {text.form.noun}")
        else:
            mask |= 1 << int(place) - 1
    return mask


def read_number(key: str, word: str, bounds: tuple[int, int], default: int, problems: list[str]) -> int:
    """Read a whole number within bounds."""
    least, most = bounds
    if not re.fullmatch(r"[0-9]{1,6}", word) or not least <= int(word) <= most:
        problems.append(f"{key!r} should be from {least} to {most}, not {word[:20]!r}")
        return default
    return int(word)
