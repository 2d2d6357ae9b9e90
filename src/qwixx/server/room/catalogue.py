"""The catalogue: every game as data, for pages that draw sheets without knowing the rules."""

from __future__ import annotations

from functools import cache
from typing import Literal

import qwixx
from qwixx.kernel.effects import find_effect, is_of_pairs
from qwixx.render.symbols import badge_path
from qwixx.server.room.bots import AllowedBots
from qwixx.server.room.room import sheets_of
from qwixx.server.wire.message_parts import Level, Payload
from qwixx.server.wire.messages import encode
from qwixx.text.effect_texts import effect_sign
from qwixx.text.notation import lucky_text


class CellLayout(Payload):
    """One printed number."""

    value: int
    color: str
    boxed: bool
    pair: str


class RowLayout(Payload):
    """One row: its key, the die that is removed with it, and the place of the first cell that closes it."""

    key: str
    lock: str
    closes_from: int
    cells: list[CellLayout]


class MarkLayout(Payload):
    """The effect of cells that are marked with the same letter."""

    word: str
    sign: str
    badge: str
    """The strokes of its badge; empty if the badge shows the sign."""
    in_pairs: bool
    """Whether both cells have to be crossed."""
    rule: str


class Layout(Payload):
    """A sheet, or the duel's board."""

    rows: list[RowLayout]
    bar: list[str]
    pairs: dict[str, str]
    marks: dict[str, MarkLayout]
    points: list[int]
    miss_points: int
    misses: int
    pawns: int
    closing_crosses: int
    """How many crosses, or own pawns, a row needs before it can be closed."""
    end_rows: int
    """How many closed rows end the game."""


class GameEntry(Payload):
    """One game of the family."""

    id: str
    seats: tuple[int, int]
    printed: tuple[int, int]
    """The fewest and the most players that the printed game is for; other numbers of seats are our additions."""
    flow: Literal["dice", "cards"]
    duel: bool
    mixed: bool
    sides: int
    sheets: list[str]
    lucky_pads: list[str]
    layouts: dict[str, Layout]
    bots: list[Level]
    """The levels of bots that this server offers for any number of seats, from the weakest to the strongest."""


class Catalogue(Payload):
    """All games, in the order of the rulebook."""

    games: list[GameEntry]


def _mark(word: str) -> MarkLayout:
    in_pairs = is_of_pairs(word)
    rules = ("BB1",) if in_pairs else find_effect(word)[0].rules
    return MarkLayout(word, effect_sign(word), badge_path(word), in_pairs, "".join(rules[:1]))


def _layout(variant: qwixx.Variant) -> Layout:
    rows = [
        RowLayout(
            row.key,
            row.lock_color,
            row.closes_from,
            [CellLayout(cell.value, cell.color, cell.boxed, cell.pair) for cell in row.cells],
        )
        for row in variant.rows
    ]
    return Layout(
        rows,
        list(variant.bar),
        variant.pairs,
        {letter: _mark(word) for letter, word in variant.pairs.items()},
        list(variant.points),
        variant.miss_points,
        variant.end_misses,
        variant.pawns,
        variant.closing_crosses,
        variant.end_rows,
    )


def _game(variant: qwixx.Variant, allowed: AllowedBots) -> GameEntry:
    sheets = [sheet for sheet in sheets_of(variant) if sheet]
    layouts = {sheet: _layout(qwixx.variant(variant.id, sheet)) for sheet in sheets} or {variant.id: _layout(variant)}
    return GameEntry(
        variant.id,
        (variant.fewest_seats, variant.most_seats),
        variant.printed or (variant.fewest_seats, variant.most_seats),
        "cards" if variant.is_cards else "dice",
        variant.is_duel,
        variant.is_mixed,
        variant.sides,
        sheets,
        [lucky_text(pad) for pad in variant.lucky],
        layouts,
        allowed.levels(variant),
    )


@cache
def catalogue(allowed: AllowedBots) -> bytes:
    """Encode the catalogue for a server with these bots; it does not change while the server runs."""
    return encode(Catalogue([_game(qwixx.variant(name), allowed) for name in qwixx.games()]))
