"""Who plays: a player for each seat, everybody taking every seat in turn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel.records import Records
from qwixx.players import check_plays, find
from qwixx.players.seating import player_of
from qwixx.players.weights import SEATING, Weigher
from qwixx.variants.model import Variant


def read_bots(text: str) -> tuple[str, ...]:
    """Read names with commas between them."""
    return tuple(name.strip() for name in text.split(","))


def lineup(variant: Variant, seats: int, bots: Sequence[str]) -> tuple[str, ...]:
    """Give the name of each player; one name stands for all of them. Raises `QwixxError` if one cannot play."""
    named = tuple(bots) * (seats if len(bots) == 1 else 1)
    if len(named) != seats:
        raise QwixxError(f"Name one player for all seats or one for each of the {seats}, not {len(named)}.")
    for name in dict.fromkeys(named):
        check_plays(find(name, files=True), variant, seats)
    return named


def seated(variant: Variant, players: Sequence[Weigher], *, rotate: bool) -> Records:
    """Make the tables that take turns with the games; without rotation there is one."""
    seats = len(players)
    tables: Records = np.zeros(seats if rotate else 1, SEATING)
    for table in range(len(tables)):
        for seat in range(seats):
            tables["players"][table, seat] = players[player_of(seat, table, seats)].record(variant)[0]
    return tables
