"""Who plays: a player for each seat, everybody taking every seat in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel.records import Records
from qwixx.notation import Action
from qwixx.players import Player, Registered, check_plays, find, rule_of_thumb
from qwixx.players.base import Answer, Pads
from qwixx.players.seating import player_of
from qwixx.players.weights import SEATING, Weigher
from qwixx.players.yours import Yours
from qwixx.variants.model import Variant
from qwixx.view import View
from qwixx.wanted import described

Bot = object
"""Who plays: a name, or a class or object that can choose; `player_named` refuses anything else in words."""
B = TypeVar("B")


def read_bots(text: str) -> tuple[str, ...]:
    """Read names with commas between them."""
    return tuple(name.strip() for name in text.split(","))


def listed(bots: str | Sequence[Bot] | Bot | None) -> Sequence[Bot] | None:
    """Make a list of what a caller said: names with commas between them, one bot, or a list already."""
    if isinstance(bots, str):
        return read_bots(bots)
    return bots if bots is None or isinstance(bots, Sequence) else (bots,)


def table_of(variant: Variant, seats: int | None, bots: Sequence[B] | None) -> tuple[int, Sequence[B | str]]:
    """
    Give the seats and the bots of a run for which not everything was said.

    Without bots everybody is the rule of thumb that suits the game; without a number of seats there are as many as bots
    are named, else two, or the fewest possible.
    """
    named: Sequence[B | str] = (rule_of_thumb(variant),) if bots is None else bots
    if seats is None:
        seats = len(named) if len(named) > 1 else max(2, variant.fewest_seats)
    return seats, named


def lineup(variant: Variant, seats: int, bots: Sequence[B]) -> tuple[B, ...]:
    """Give the bot of each player; one stands for all of them. Raises `QwixxError` if one cannot play."""
    named = tuple(bots) * (seats if len(bots) == 1 else 1)
    if len(named) != seats:
        raise QwixxError(f"Name one player for all seats or one for each of the {seats}, not {len(named)}.")
    for each in bots:
        check_plays(player_named(each), variant, seats)
    return named


def player_named(bot: object) -> Registered:
    """
    Give the player that is meant: by a name, a class, or as it is.

    A class is built anew for each game and seat, as one in a file is; an object that was built already plays all of
    them.
    """
    if isinstance(bot, str):
        return find(bot, files=True)
    if isinstance(bot, Registered):
        return bot
    if isinstance(bot, type):
        return Yours(bot.__name__, bot)
    if callable(getattr(bot, "choose", None)):
        return AsItIs(bot)
    raise QwixxError(f"A bot is a name, a class with choose(view, legal) or an object of one, not {described(bot)}.")


class AsItIs(Yours):
    """An object that plays every game and every seat itself, and remembers what it likes from one to the next."""

    def __init__(self, bot: Any) -> None:
        """Register it under the name of its class."""
        super().__init__(type(bot).__name__, type(bot))
        self._bot = bot

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Sit down on one more seat."""
        return self._bot if isinstance(self._bot, Player) else _Asking(variant, seats, self._bot)


class _Asking(Player):
    """A seat of an object whose class knows nothing of this package."""

    def __init__(self, variant: Variant, seats: int, bot: Any) -> None:
        super().__init__(variant, seats)
        self._bot = bot

    def choose(self, view: View, legal: Sequence[Action]) -> Answer:
        """Let it choose."""
        answer: Answer = self._bot.choose(view, legal)
        return answer


def seated(variant: Variant, players: Sequence[Weigher], *, rotate: bool) -> Records:
    """Make the tables that take turns with the games; without rotation there is one."""
    seats = len(players)
    tables: Records = np.zeros(seats if rotate else 1, SEATING)
    for table in range(len(tables)):
        for seat in range(seats):
            tables["players"][table, seat] = players[player_of(seat, table, seats)].record(variant)[0]
    return tables
