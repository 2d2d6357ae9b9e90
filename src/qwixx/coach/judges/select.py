"""Selects the judge of a game: in solitaire the exact solution if there is one, else a net, else rollouts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from qwixx.coach.judges.exact import ExactJudge
from qwixx.coach.judges.judge import Judge
from qwixx.coach.judges.net_judge import NetJudge
from qwixx.coach.judges.player_judge import PlayerJudge, Values
from qwixx.coach.judges.rollout_judge import RolloutJudge
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.jit.decorators import RUNS_COMPILED
from qwixx.nets.weight_files import find_weights
from qwixx.players import Registered, all_players, check_plays, default_heuristic, find
from qwixx.players.built_in.master import has_net
from qwixx.players.built_in.optimal import OPTIMAL, is_solved
from qwixx.players.heuristics import HeuristicPlayer
from qwixx.solver import check_solitaire, lucky_of, plan, recall
from qwixx.solver.build.table_files import table_path
from qwixx.text.arguments import with_noun
from qwixx.variants.layout import compile_layout, layout_hash
from qwixx.variants.model import Pad, Variant

_QUICK_SOLVE: Final = 60.0
"""CPU seconds that solving a sheet may take when the user did not ask for it."""


def find_judge(game: Game, *, at_hand: bool = False) -> Judge:
    """
    Return the best judge of a game that needs no minutes of preparation.

    With `at_hand` nothing is solved and there are no rollouts: in solitaire a net replaces a missing solution, and
    `QwixxError` is raised if there is no net for the game.
    """
    variant, seats = game.variant, game.seats
    if seats == 1 and OPTIMAL.plays(variant, 1):
        lucky = lucky_of(game)
        if is_solved(variant, lucky and (lucky,)) if at_hand else is_quickly_solved(variant, lucky):
            return ExactJudge(recall(variant, lucky))
    if has_net(variant, seats):
        return _learned(variant, seats, str(find_weights(variant, seats)))
    if at_hand:
        raise QwixxError(f"No net is trained for {variant.id} with {with_noun(seats, 'seat')}.")
    player = find(default_heuristic(variant))
    assert isinstance(player, HeuristicPlayer)
    return RolloutJudge(variant, seats, player)


@lru_cache(maxsize=8)
def _learned(variant: Variant, seats: int, _path: str) -> NetJudge:
    return NetJudge(variant, seats)


def is_quickly_solved(variant: Variant, lucky: Pad | None) -> bool:
    """Whether solitaire on this sheet is solved already, or can be solved in seconds."""
    if table_path(layout_hash(compile_layout(variant)), lucky or (), variant.id).exists():
        return True
    if variant.bar or variant.pairs or not RUNS_COMPILED:
        return False  # their state makes the tables big; computing the size alone takes a while
    return plan(variant, lucky).cpu_seconds < _QUICK_SOLVE


# ---- players as judges


def judge_by(game: Game, name: str | None, games: int, seed: int) -> Judge:
    """
    Return a player as the judge of a game: `optimal`, a player that evaluates actions, or one that plays rollouts.

    Without a name it is the best one that needs only seconds. Raises `QwixxError` if it cannot play the game.
    """
    player = _player(game) if name is None else find(name, files=True)
    check_plays(player, game.variant, game.seats)
    if player is OPTIMAL:
        check_solitaire(game)
        return ExactJudge(recall(game.variant, lucky_of(game)))
    if isinstance(player, HeuristicPlayer):
        return RolloutJudge(game.variant, game.seats, player, games, lead=True, seed=seed)
    return PlayerJudge(player, game.seats)


def _player(game: Game) -> Registered:
    variant, seats = game.variant, game.seats
    if seats == 1 and OPTIMAL.plays(variant, 1) and is_quickly_solved(variant, lucky_of(game)):
        return OPTIMAL
    return next(_fast_value_players(variant, seats), None) or find(default_heuristic(variant))


def _fast_value_players(variant: Variant, seats: int) -> Iterator[Registered]:
    """Yield the built-in players that evaluate actions and need no setup."""
    for _, player in all_players():
        if not isinstance(player, Registered) or isinstance(player, HeuristicPlayer) or not player.is_built_in:
            continue
        if player is OPTIMAL or not player.plays(variant, seats) or player.setup_needed(variant):
            continue
        if isinstance(player.sit(variant, seats), Values):
            yield player
