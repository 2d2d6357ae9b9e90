"""The bots of a server: which players the operator allows as bots, and their levels on the page."""

from __future__ import annotations

from typing import Final, get_args

import qwixx
from qwixx.errors import QwixxError
from qwixx.players import PlayerThread, Registered, find, is_file
from qwixx.players.supervise import SECONDS_TO_DECIDE, PlayerTimeoutError, describe
from qwixx.server.base.errors import Refused
from qwixx.server.room.room import rules_of, sheets_of
from qwixx.server.wire.message_parts import Level, Pace
from qwixx.variants.model import Variant

_LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""The levels that pages show; each is also the name of a player."""
_ANY_OTHER: Final[Level] = "strong"
"""The level that pages show for any other player."""
DEFAULT: Final = "normal"
PACES: Final[dict[Pace, float]] = {"calm": 2.0, "normal": 1.0, "fast": 0.4}
"""By pace, the factor of the time that a bot waits before it decides."""


class AllowedBots:
    """The players that may sit at the tables of a server as bots."""

    def __init__(self, setting: str, seconds: float = SECONDS_TO_DECIDE) -> None:
        """
        Read names separated by commas, and ask each player now what it plays, so that nobody waits for it later.

        Raises `QwixxError` for a player that does not exist, or that does not say what it plays within `seconds`.
        """
        names = [name.strip() for name in setting.split(",") if name.strip()]
        for name in names:
            if is_file(name):
                raise QwixxError(f"A server seats no classes out of files; install {name!r} as a package.")
        self._players: dict[str, Registered] = {name: find(name) for name in names}
        self._plays = {name: _games_of(player, seconds) for name, player in self._players.items()}

    def find(self, name: str | None, variant: Variant, seats: int) -> Registered | None:
        """Return the named player if it may play this game, else the default one; None if there is none."""
        chosen = name if name and self._can_play(name, variant, seats) else self.default(variant, seats)
        return self._players.get(chosen or "")

    def check(self, name: str, variant: Variant) -> str:
        """Return the name of a player that may play this game. Raises `Refused` for any other."""
        if not any(self._can_play(name, variant, seats) for seats in variant.seats):
            raise Refused("bad-options")
        return name

    def levels(self, variant: Variant) -> list[Level]:
        """
        List the levels that a page may offer for a game, from the weakest to the strongest.

        The number of seats and the sheet are not known yet, so a level has to play all of them. With one seat there are
        no bots.
        """
        tables = [rules_of(variant.id, sheet) for sheet in sheets_of(variant)]
        cases = [(table, seats) for table in tables for seats in table.seats if seats > 1]
        return [level for level in _LEVELS if all(self._can_play(level, *case) for case in cases)]

    def default(self, variant: Variant, seats: int) -> str | None:
        """Return the player for an absent person: the normal one, or the first allowed one that plays this game."""
        able = [name for name in self._players if self._can_play(name, variant, seats)]
        return DEFAULT if DEFAULT in able else next(iter(able), None)

    def _can_play(self, name: str, variant: Variant, seats: int) -> bool:
        return (variant.id, variant.sheet, seats) in self._plays.get(name, ())


def _games_of(player: Registered, seconds: float) -> set[tuple[str, str, int]]:
    """Ask a player once about every game, sheet and number of seats of a table; return those it plays."""
    tables = [rules_of(name, sheet) for name in qwixx.games() for sheet in sheets_of(qwixx.variant(name))]
    asked = [(variant, seats) for variant in tables for seats in variant.seats]
    if player.is_built_in:
        return {(variant.id, variant.sheet, seats) for variant, seats in asked if player.plays(variant, seats)}
    thread = PlayerThread(seconds)
    try:
        answers, error = thread.ask(lambda: [player.plays(variant, seats) for variant, seats in asked])
    except PlayerTimeoutError:
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
    """Return the level that a page shows for a player: pages know only the levels, any other player is strong."""
    return None if player is None else next((level for level in _LEVELS if level == player), _ANY_OTHER)
