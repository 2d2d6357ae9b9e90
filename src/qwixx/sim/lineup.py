"""Who plays: names of bots become tables that the kernel can seat, each bot taking every seat in turn."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel.records import Records
from qwixx.kernel.weights import BOARD, BOTS, CARDS, PAPER, TABLE
from qwixx.variants.model import Variant


def bot_names() -> tuple[str, ...]:
    """Give the names of all bots that can be simulated."""
    return tuple(BOTS)


def lineup(variant: Variant, seats: int, bots: Sequence[str]) -> tuple[str, ...]:
    """Give the bot of each player; one name stands for all of them."""
    named = tuple(bots) * (seats if len(bots) == 1 else 1)
    if len(named) != seats:
        raise QwixxError(f"Name one bot for all seats or one for each of the {seats}, not {len(named)}.")
    kind = CARDS if variant.is_cards else BOARD if variant.is_duel else PAPER
    for name in named:
        if name not in BOTS:
            near = get_close_matches(name, BOTS, 1)
            meant = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(BOTS)}."
            raise QwixxError(f"There is no bot {name!r}; {meant}")
        if kind not in BOTS[name].plays:
            able = [bot.name for bot in BOTS.values() if kind in bot.plays]
            raise QwixxError(f"The bot {name!r} cannot play {variant.id}; {' and '.join(able)} can.")
    return named


def player_of(seat: int, table: int, seats: int) -> int:
    """Tell which player of the line-up sits on a seat of a table: everybody moves on one seat from table to table."""
    return (seat + table) % seats


def seated(names: Sequence[str], *, rotate: bool) -> Records:
    """Make the tables that take turns with the games; without rotation there is one."""
    seats = len(names)
    tables: Records = np.zeros(seats if rotate else 1, TABLE)
    for table in range(len(tables)):
        for seat in range(seats):
            tables["players"][table, seat] = BOTS[names[player_of(seat, table, seats)]].record()[0]
    return tables
