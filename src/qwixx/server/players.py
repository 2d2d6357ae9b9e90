"""The players that sit at tables: which ones the operator allows, and what a page calls them."""

from __future__ import annotations

from typing import Final, get_args

from qwixx.errors import QwixxError
from qwixx.players import Registered, find, is_file
from qwixx.server.protocol import Level
from qwixx.server.room import Refused
from qwixx.variants.model import Variant

_LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""What pages call players; each of these words is the name of a player, too."""
_HIGHEST: Final = _LEVELS[-1]
_USUAL: Final = "normal"


class Allowed:
    """The players that may sit at the tables of a server."""

    def __init__(self, setting: str) -> None:
        """Read names with commas between them. Raises `QwixxError` for a player that does not exist."""
        names = [name.strip() for name in setting.split(",") if name.strip()]
        for name in names:
            if is_file(name):
                raise QwixxError(f"A server seats no classes out of files; install {name!r} as a package.")
        self._players: dict[str, Registered] = {name: find(name) for name in names}

    def find(self, name: str | None) -> Registered | None:
        """Give a player that may sit down; for one that may not any more the usual one, None if nobody may."""
        return self._players.get(name or "") or self._players.get(self.usual or "")

    def check(self, name: str, variant: Variant) -> str:
        """Give the name of a player that may sit down and knows the game. Raises `Refused` for any other."""
        if name not in self._players or not self._plays(name, variant):
            raise Refused("bad-options")
        return name

    def levels(self, variant: Variant) -> list[Level]:
        """List the levels that a page may offer for a game."""
        return [level for level in _LEVELS if level in self._players and self._plays(level, variant)]

    def _plays(self, name: str, variant: Variant) -> bool:
        return any(self._players[name].plays(variant, seats) for seats in variant.seats)

    @property
    def usual(self) -> str | None:
        """Who plays for a person that is away: the normal player, or the first that is allowed."""
        return _USUAL if _USUAL in self._players else next(iter(self._players), None)


def level_of(player: str | None) -> Level | None:
    """Give what a page calls a player: a page knows three levels, and shows any other player as the highest."""
    return None if player is None else next((level for level in _LEVELS if level == player), _HIGHEST)
