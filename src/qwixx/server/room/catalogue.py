"""The catalogue: every game as data for pages that draw sheets and know no rule."""

from __future__ import annotations

from functools import cache
from typing import Literal

import qwixx
from qwixx.notation import lucky_text
from qwixx.server.pieces import Level, Part
from qwixx.server.players import Allowed
from qwixx.server.protocol import encode
from qwixx.server.room import sheets_of


class CellLayout(Part):
    """One printed number."""

    value: int
    color: str
    boxed: bool
    pair: str


class RowLayout(Part):
    """One row: its key, the die that leaves with it, and from which place on a cell closes it."""

    key: str
    lock: str
    closes_from: int
    cells: list[CellLayout]


class Layout(Part):
    """A sheet, or the duel's board."""

    rows: list[RowLayout]
    bar: list[str]
    pairs: dict[str, str]
    points: list[int]
    miss_points: int
    misses: int
    pawns: int
    closing_crosses: int
    """How many crosses, or pawns of one's own, a row needs before it can be closed."""
    end_rows: int
    """How many closed rows end the game."""


class GameEntry(Part):
    """One game of the family."""

    id: str
    seats: tuple[int, int]
    flow: Literal["dice", "cards"]
    duel: bool
    mixed: bool
    sides: int
    sheets: list[str]
    lucky_pads: list[str]
    layouts: dict[str, Layout]
    bots: list[Level]
    """The levels of bots that may sit down at it here with any number of seats, from the weakest to the strongest."""


class Catalogue(Part):
    """All games, in the order of the rule book."""

    games: list[GameEntry]


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
        list(variant.points),
        variant.miss_points,
        variant.end_misses,
        variant.pawns,
        variant.closing_crosses,
        variant.end_rows,
    )


def _game(variant: qwixx.Variant, allowed: Allowed) -> GameEntry:
    sheets = [sheet for sheet in sheets_of(variant) if sheet]
    layouts = {sheet: _layout(qwixx.variant(variant.id, sheet)) for sheet in sheets} or {variant.id: _layout(variant)}
    return GameEntry(
        variant.id,
        (variant.fewest_seats, variant.most_seats),
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
def catalogue(allowed: Allowed) -> bytes:
    """Write the catalogue for a server that allows these players; it never changes while the server runs."""
    return encode(Catalogue([_game(qwixx.variant(name), allowed) for name in qwixx.games()]))
