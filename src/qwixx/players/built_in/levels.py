"""
The levels below `master`: they follow the same net, with random errors in its values.

The size of the errors is in `levels.toml`, for every game and number of seats. `python -m bench.levels` finds these
numbers by matches: each level wins 65 % of the games against the one below. If there is no net for a game, a level is a
heuristic player that decides at random now and then (slips).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from qwixx.players.built_in import gap, greedy
from qwixx.players.built_in.master import MASTER, LearnedPlayer, has_net
from qwixx.players.built_in.optimal import is_solved
from qwixx.players.heuristics import BOARD, CARDS, PAPER, HeuristicPlayer
from qwixx.players.net_games import NetFollower
from qwixx.players.player import Pads, Player, Registered, check_sits
from qwixx.variants.model import Variant

FILE: Final = Path(__file__).with_suffix(".toml")
"""The noise of the levels: standard deviations of logits, from the weakest level to the strongest."""
ANY: Final = "any"
"""The entry for custom sheets."""
_FALLBACK = {PAPER: gap.WEIGHTS, BOARD: greedy.WEIGHTS, CARDS: greedy.WEIGHTS}
Noises = dict[str, dict[str, list[float]]]


@cache
def read_noises() -> Noises:
    """Return the noise of each level by game and number of seats."""
    return tomllib.loads(FILE.read_text("utf-8"))


def level_key(variant: Variant) -> str:
    """Return the key of a game in the file; for a card game with its sheet."""
    return f"{variant.id}/{variant.sheet}" if variant.sheet else variant.id


def has_levels(variant: Variant, seats: int) -> bool:
    """Return whether the levels follow a net in a game: in solitaire nobody can win or lose by errors."""
    return seats > 1 and has_net(variant, seats)


@dataclass(frozen=True, slots=True)
class Level(Registered):
    """A level in the registry."""

    name: str
    habit: str
    place: int
    """Its index among the levels; the weakest is 0."""
    slips: int
    """Without a net for the game: the percentage of random decisions."""
    is_built_in = True
    remembers = False
    is_quick = True

    @property
    def fallback(self) -> HeuristicPlayer:
        """The heuristic player that it is in a game without a net."""
        return HeuristicPlayer(
            self.name, self.habit, {kind: {**own, "slips": self.slips} for kind, own in _FALLBACK.items()}
        )

    def noise(self, variant: Variant, seats: int) -> float:
        """Return the standard deviation of its errors in a game, in logits."""
        noises = read_noises()
        known = noises.get(level_key(variant), {}) if variant.builtin else {}
        return known.get(str(seats), noises[ANY][str(seats)])[self.place]

    def plays(self, variant: Variant, seats: int) -> bool:
        """Return whether it plays this game: it plays all games."""
        return self.fallback.plays(variant, seats)

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Return the player for a seat."""
        check_sits(self, variant, seats)
        if has_levels(variant, seats):
            return LearnedPlayer(variant, seats, self.noise(variant, seats))
        return self.fallback.sit(variant, seats)


def seat_kind(player: Registered, variant: Variant, seats: int) -> HeuristicPlayer | NetFollower | None:
    """
    Return how compiled games can seat a player: as a heuristic player, or as one that follows a net with some noise.

    None for any other player: it has to be asked decision by decision.
    """
    if isinstance(player, Level):
        return NetFollower(player.noise(variant, seats)) if has_levels(variant, seats) else player.fallback
    if player is MASTER:
        return NetFollower() if has_net(variant, seats) and not (seats == 1 and is_solved(variant)) else None
    return player if isinstance(player, HeuristicPlayer) else None


EASY = Level("easy", "what has been learned, and often wrong about it", 0, 35)
NORMAL = Level("normal", "what has been learned, and sometimes wrong about it", 1, 12)
STRONG = Level("strong", "what has been learned, and seldom wrong about it", 2, 0)
LEVELS: Final = (EASY, NORMAL, STRONG)
PLAYERS = LEVELS
