"""Who judges a game: alone the exact solution if there is one, else a net, else a rule of thumb."""

from __future__ import annotations

from functools import lru_cache

from qwixx.advice import is_soon_solved
from qwixx.analysis.exact import Exact
from qwixx.analysis.judging import Judge
from qwixx.analysis.learned import FEWEST, Learned
from qwixx.analysis.played_on import PlayedOn
from qwixx.errors import QwixxError
from qwixx.game import Game
from qwixx.learn.weights import find_weights
from qwixx.players import find, rule_of_thumb
from qwixx.players.house.master import has_net
from qwixx.players.house.optimal import OPTIMAL, is_solved
from qwixx.players.weights import Weigher
from qwixx.solver import lucky_of, recall
from qwixx.variants.model import Variant
from qwixx.wanted import counted


def find_judge(game: Game, *, at_hand: bool = False) -> Judge:
    """
    Find who knows a game best without working for minutes first.

    With `at_hand` nothing is worked out and nothing is played on: alone a net for two seats stands in for a solution,
    and `QwixxError` is raised where nobody knows the game.
    """
    variant, seats = game.variant, game.seats
    if seats == 1 and OPTIMAL.plays(variant, 1):
        lucky = lucky_of(game)
        if is_solved(variant, lucky and (lucky,)) if at_hand else is_soon_solved(variant, lucky):
            return Exact(recall(variant, lucky))
    learned = max(seats, FEWEST)
    if has_net(variant, learned) and (seats > 1 or at_hand):
        return _learned(variant, seats, str(find_weights(variant, learned)))
    if at_hand:
        raise QwixxError(f"Nobody has learned {variant.id} with {counted(seats, 'seat')}.")
    weigher = find(rule_of_thumb(variant))
    assert isinstance(weigher, Weigher)
    return PlayedOn(variant, seats, weigher)


@lru_cache(maxsize=8)
def _learned(variant: Variant, seats: int, _path: str) -> Learned:
    return Learned(variant, seats)
