"""The players that sit at tables: which ones the operator allows, and what a page calls them."""

from __future__ import annotations

from typing import Final, get_args

import qwixx
from qwixx.errors import QwixxError
from qwixx.players import QuestionThread, Registered, find, is_file
from qwixx.players.guard import SECONDS_TO_DECIDE, LateError, describe
from qwixx.server.pieces import Level
from qwixx.server.room import Refused, rules_of, sheets_of
from qwixx.variants.model import Variant

_LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""What pages call players; each of these words is the name of a player, too."""
_ANY_OTHER: Final[Level] = "strong"
"""What pages call a player that is none of the levels."""
_USUAL: Final = "normal"


class Allowed:
    """The players that may sit at the tables of a server."""

    def __init__(self, setting: str, seconds: float = SECONDS_TO_DECIDE) -> None:
        """
        Read names with commas between them, and ask everybody now what they play: nobody is asked while people wait.

        Raises `QwixxError` for a player that does not exist, or that does not say what it plays within `seconds`.
        """
        names = [name.strip() for name in setting.split(",") if name.strip()]
        for name in names:
            if is_file(name):
                raise QwixxError(f"A server seats no classes out of files; install {name!r} as a package.")
        self._players: dict[str, Registered] = {name: find(name) for name in names}
        self._plays = {name: _games_of(player, seconds) for name, player in self._players.items()}

    def find(self, name: str | None, variant: Variant, seats: int) -> Registered | None:
        """Give a player that may play this game; for one that may not any more the usual one, None if nobody may."""
        able = name if name and self._can_play(name, variant, seats) else self.usual(variant, seats)
        return self._players.get(able or "")

    def check(self, name: str, variant: Variant) -> str:
        """Give the name of a player that may sit down and knows the game. Raises `Refused` for any other."""
        if not any(self._can_play(name, variant, seats) for seats in variant.seats):
            raise Refused("bad-options")
        return name

    def levels(self, variant: Variant) -> list[Level]:
        """
        List the levels that a page may offer for a game, from the weakest to the strongest.

        Nobody knows yet how many will sit at the table and on which sheet they will play, so a level has to know them
        all; alone nobody plays against a bot.
        """
        tables = [rules_of(variant.id, sheet) for sheet in sheets_of(variant)]
        asked = [(table, seats) for table in tables for seats in table.seats if seats > 1]
        return [level for level in _LEVELS if all(self._can_play(level, *table) for table in asked)]

    def usual(self, variant: Variant, seats: int) -> str | None:
        """Who plays for a person that is away: the normal player, or the first allowed one that plays this game."""
        able = [name for name in self._players if self._can_play(name, variant, seats)]
        return _USUAL if _USUAL in able else next(iter(able), None)

    def _can_play(self, name: str, variant: Variant, seats: int) -> bool:
        return (variant.id, variant.sheet, seats) in self._plays.get(name, ())


def _games_of(player: Registered, seconds: float) -> set[tuple[str, str, int]]:
    """Ask a player once about every game, sheet and number of seats that a table can have; give those it plays."""
    tables = [rules_of(name, sheet) for name in qwixx.games() for sheet in sheets_of(qwixx.variant(name))]
    asked = [(variant, seats) for variant in tables for seats in variant.seats]
    if player.is_house:
        return {(variant.id, variant.sheet, seats) for variant, seats in asked if player.plays(variant, seats)}
    thread = QuestionThread(seconds)
    try:
        answers, error = thread.ask(lambda: [player.plays(variant, seats) for variant, seats in asked])
    except LateError:
        raise QwixxError(
            f"The player {player.name!r} took longer than {seconds:g} seconds to say what it plays."
        ) from None
    thread.close()
    if error is not None:
        raise (
            error
            if isinstance(error, QwixxError)
            else QwixxError(f"The player {player.name!r} was asked what it plays and raised {describe(error)}.")
        )
    return {(variant.id, variant.sheet, seats) for (variant, seats), plays in zip(asked, answers, strict=True) if plays}


def level_of(player: str | None) -> Level | None:
    """Give what a page calls a player: a page knows the levels, and shows any other player as a strong one."""
    return None if player is None else next((level for level in _LEVELS if level == player), _ANY_OTHER)
