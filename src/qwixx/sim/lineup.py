"""Who plays: names of bots become tables that the kernel can seat, each bot taking every seat in turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel.records import Records
from qwixx.kernel.weights import BOARD, BOTS, CARDS, GAP, PAPER, TABLE, Bot
from qwixx.variants.model import Variant

OPTIMAL = "optimal"
_OPTIMAL = Bot(OPTIMAL, "the best decision of solitaire, whoever else plays", frozenset({PAPER}), {})
"""It decides by tables and not by weights: see `sim.optimal`."""
_ALL = {**BOTS, OPTIMAL: _OPTIMAL}
_GAP = re.compile(r"gap:(\d{1,2})")
_WIDEST = 14
"""Nobody can skip more cells: the longest row has fifteen."""


def bot_names() -> tuple[str, ...]:
    """Give the names of all bots that can be simulated."""
    return tuple(_ALL)


def find_bot(name: str) -> Bot:
    """Find a bot by its name; `gap:3` is the gap bot that skips up to three cells."""
    if name in _ALL:
        return _ALL[name]
    found = _GAP.fullmatch(name)
    if found and int(found[1]) <= _WIDEST:
        width = int(found[1])
        forced = max(width, GAP.weights["most_skipped_or_miss"])
        weights = {**GAP.weights, "most_skipped": width, "most_skipped_or_miss": forced}
        return replace(GAP, name=name, habit=f"the smallest gap, up to {width} skipped cells", weights=weights)
    if name.startswith("gap:"):
        raise QwixxError(f"There is no bot {name!r}; there are gap:0 to gap:{_WIDEST}.")
    near = get_close_matches(name, _ALL, 1)
    meant = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(_ALL)}, and gap:0 to gap:{_WIDEST}."
    raise QwixxError(f"There is no bot {name!r}; {meant}")


def read_bots(text: str) -> tuple[str, ...]:
    """Read names with commas between them."""
    return tuple(name.strip() for name in text.split(","))


def lineup(variant: Variant, seats: int, bots: Sequence[str]) -> tuple[str, ...]:
    """Give the bot of each player; one name stands for all of them."""
    named = tuple(bots) * (seats if len(bots) == 1 else 1)
    if len(named) != seats:
        raise QwixxError(f"Name one bot for all seats or one for each of the {seats}, not {len(named)}.")
    kind = CARDS if variant.is_cards else BOARD if variant.is_duel else PAPER
    for name in named:
        if kind not in find_bot(name).plays:
            able = [bot.name for bot in _ALL.values() if kind in bot.plays]
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
            tables["players"][table, seat] = find_bot(names[player_of(seat, table, seats)]).record()[0]
    return tables
