"""
The levels below `master`: the same net, and more or less wrong about what it says.

How wrong each of them is stands in `levels.toml`, for every game and number of seats. `python -m bench.levels` finds
these numbers by measuring: each level wins 65 of 100 games against the one below. Where nobody has learned a game, a
level follows the rule of thumb and slips now and then.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from qwixx.players.base import Pads, Player, Registered
from qwixx.players.house import gap, greedy
from qwixx.players.house.master import MASTER, LearnedPlayer, has_net
from qwixx.players.weights import BOARD, CARDS, PAPER, Weigher
from qwixx.variants.model import Variant

FILE: Final = Path(__file__).with_suffix(".toml")
"""How far the levels misjudge: standard deviations of logits, from the weakest level to the strongest."""
ANY: Final = "any"
"""The entry for a sheet of one's own."""
_THUMB = {PAPER: gap.WEIGHTS, BOARD: greedy.WEIGHTS, CARDS: greedy.WEIGHTS}
Noises = dict[str, dict[str, list[float]]]


@cache
def read_noises() -> Noises:
    """Read the file: by game, by number of seats, for each level."""
    return tomllib.loads(FILE.read_text("utf-8"))


def entry_of(variant: Variant) -> str:
    """Name a game in the file; a card game with its sheet."""
    return f"{variant.id}/{variant.sheet}" if variant.sheet else variant.id


@dataclass(frozen=True, slots=True)
class Level(Registered):
    """A level as it is known."""

    name: str
    habit: str
    place: int
    """Which of the levels it is, from the weakest, 0, on."""
    slips: int
    """Where nobody has learned the game: how many of a hundred decisions are left to chance."""
    is_house = True
    remembers = False
    is_quick = True

    @property
    def thumb(self) -> Weigher:
        """Who plays where nobody has learned the game."""
        return Weigher(self.name, self.habit, {kind: {**own, "slips": self.slips} for kind, own in _THUMB.items()})

    def noise(self, variant: Variant, seats: int) -> float:
        """Tell how far it misjudges what it sees in a game."""
        noises = read_noises()
        known = noises.get(entry_of(variant), {}) if variant.builtin else {}
        return known.get(str(seats), noises[ANY][str(seats)])[self.place]

    def plays(self, variant: Variant, seats: int) -> bool:
        """Whether it plays this game: it plays them all."""
        return self.thumb.plays(variant, seats)

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Give the one who decides."""
        if has_net(variant, seats):
            return LearnedPlayer(variant, seats, self.noise(variant, seats))
        return self.thumb.sit(variant, seats)


def seated_as(player: Registered, variant: Variant, seats: int) -> Weigher | float | None:
    """
    Tell what a player is at a table: one who weighs, or by how much it misjudges a net that it follows.

    None for one who is neither and has to be asked decision by decision.
    """
    if isinstance(player, Level):
        return player.noise(variant, seats) if has_net(variant, seats) else player.thumb
    if player is MASTER:
        return 0.0 if has_net(variant, seats) else None
    return player if isinstance(player, Weigher) else None


EASY = Level("easy", "what has been learned, and often wrong about it", 0, 35)
NORMAL = Level("normal", "what has been learned, and sometimes wrong about it", 1, 12)
STRONG = Level("strong", "what has been learned, and seldom wrong about it", 2, 0)
LEVELS: Final = (EASY, NORMAL, STRONG)
PLAYERS = LEVELS
