"""The lineup of a simulation: a player for each seat; players rotate through the seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel.state.records import Records
from qwixx.players import Player, Registered, check_plays, default_heuristic, find
from qwixx.players.custom import ChooseAdapter, CustomPlayer
from qwixx.players.heuristics import SEATING, HeuristicPlayer
from qwixx.players.player import Pads
from qwixx.players.rotation import player_of
from qwixx.text.arguments import describe_value
from qwixx.variants.model import Variant

Bot = object
"""A name, or a class or object with `choose`; `player_named` refuses anything else with an error."""
B = TypeVar("B")


def read_bots(text: str) -> tuple[str, ...]:
    """Split names at commas."""
    return tuple(name.strip() for name in text.split(","))


def as_list(bots: str | Sequence[Bot] | Bot | None) -> Sequence[Bot] | None:
    """Return bots as a list: from names with commas between them, one bot, or a list."""
    if isinstance(bots, str):
        return read_bots(bots)
    return bots if bots is None or isinstance(bots, Sequence) else (bots,)


def seats_and_bots(variant: Variant, seats: int | None, bots: Sequence[B] | None) -> tuple[int, Sequence[B | str]]:
    """
    Return the seats and the bots of a run, with defaults for missing values.

    Without bots every player is the default heuristic of the game. Without a number of seats there is one for each
    named bot; with one bot there are two seats, or the fewest possible.
    """
    named: Sequence[B | str] = (default_heuristic(variant),) if bots is None else bots
    if seats is None:
        seats = len(named) if len(named) > 1 else max(2, variant.fewest_seats)
    return seats, named


def lineup(variant: Variant, seats: int, bots: Sequence[B]) -> tuple[B, ...]:
    """Return the bot of each player; a single bot is used for all. Raises `QwixxError` if one cannot play."""
    named = tuple(bots) * (seats if len(bots) == 1 else 1)
    if len(named) != seats:
        raise QwixxError(f"Name one player for all seats or one for each of the {seats}, not {len(named)}.")
    for each in bots:
        check_plays(player_named(each), variant, seats)
    return named


def player_named(bot: object) -> Registered:
    """
    Return the player for a name, a class or an object.

    A class, like one in a file, is instantiated again for each game and seat; an existing object plays all of them.
    """
    if isinstance(bot, str):
        return find(bot, files=True)
    if isinstance(bot, Registered):
        return bot
    if isinstance(bot, type):
        return CustomPlayer(bot.__name__, bot)
    if callable(getattr(bot, "choose", None)):
        return SharedInstance(bot)
    raise QwixxError(
        f"A bot is a name, a class with choose(view, legal) or an object of one, not {describe_value(bot)}."
    )


class SharedInstance(CustomPlayer):
    """One object that plays every game and every seat, and may keep state from one to the next."""

    def __init__(self, bot: Any) -> None:
        """Use the name of its class."""
        super().__init__(type(bot).__name__, type(bot))
        self._bot = bot

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Return the same object for one more seat."""
        return self._bot if isinstance(self._bot, Player) else ChooseAdapter(variant, seats, self._bot)


def seating_tables(variant: Variant, players: Sequence[HeuristicPlayer], *, rotate: bool) -> Records:
    """Return one record of players by seat for each rotation; without rotation there is one."""
    seats = len(players)
    tables: Records = np.zeros(seats if rotate else 1, SEATING)
    for table in range(len(tables)):
        for seat in range(seats):
            tables["players"][table, seat] = players[player_of(seat, table, seats)].record(variant)[0]
    return tables
