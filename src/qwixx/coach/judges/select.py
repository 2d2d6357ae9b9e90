"""Selects the judge of a game: in solitaire the exact solution if there is one, else a net, else rollouts."""

from __future__ import annotations

from functools import lru_cache

from qwixx.coach.advice import is_quickly_solved
from qwixx.coach.judges.exact import ExactJudge
from qwixx.coach.judges.judge import Judge
from qwixx.coach.judges.net_judge import MIN_SEATS, NetJudge
from qwixx.coach.judges.rollout_judge import RolloutJudge
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.nets.weight_files import find_weights
from qwixx.players import default_heuristic, find
from qwixx.players.built_in.master import has_net
from qwixx.players.built_in.optimal import OPTIMAL, is_solved
from qwixx.players.heuristics import HeuristicPlayer
from qwixx.solver import lucky_of, recall
from qwixx.text.arguments import with_noun
from qwixx.variants.model import Variant


def find_judge(game: Game, *, at_hand: bool = False) -> Judge:
    """
    Return the best judge of a game that needs no minutes of preparation.

    With `at_hand` nothing is solved and there are no rollouts: in solitaire a net for two seats replaces a missing
    solution, and `QwixxError` is raised if there is no net for the game.
    """
    variant, seats = game.variant, game.seats
    if seats == 1 and OPTIMAL.plays(variant, 1):
        lucky = lucky_of(game)
        if is_solved(variant, lucky and (lucky,)) if at_hand else is_quickly_solved(variant, lucky):
            return ExactJudge(recall(variant, lucky))
    learned = max(seats, MIN_SEATS)
    if has_net(variant, learned) and (seats > 1 or at_hand):
        return _learned(variant, seats, str(find_weights(variant, learned)))
    if at_hand:
        raise QwixxError(f"No net is trained for {variant.id} with {with_noun(seats, 'seat')}.")
    player = find(default_heuristic(variant))
    assert isinstance(player, HeuristicPlayer)
    return RolloutJudge(variant, seats, player)


@lru_cache(maxsize=8)
def _learned(variant: Variant, seats: int, _path: str) -> NetJudge:
    return NetJudge(variant, seats)
