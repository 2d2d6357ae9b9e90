"""The judge of last resort: rollouts in which the same heuristic player plays all seats."""

from __future__ import annotations

from typing import Final

from qwixx.coach.judges.judge import PLAYED_ON, POINTS, WIN, ActionValue, Judge, Measure, StateValue, legal_choices
from qwixx.coach.judges.rollouts import SEED, Doubles, RolloutResult, Rollouts, interval, means
from qwixx.game.game import Game
from qwixx.players.heuristics import HeuristicPlayer
from qwixx.text.arguments import with_noun
from qwixx.variants.model import Variant

GAMES: Final = 200
"""Rollouts after each choice."""
_WORLDS: Final = {WIN: 20, POINTS: 50}
"""Card games: determinizations for the rollouts, by what is measured. Each takes up to a millisecond."""


class RolloutJudge(Judge):
    """Evaluates positions by rollouts of a heuristic player."""

    source = PLAYED_ON
    error = 0.0
    """Each choice has its own confidence interval."""

    def __init__(
        self,
        variant: Variant,
        seats: int,
        player: HeuristicPlayer,
        games: int = GAMES,
        *,
        lead: bool = False,
        seed: int = SEED,
    ) -> None:
        """Let `player` play all seats; with `lead` values are points ahead of the best other seat, not wins."""
        self.by = player.name
        self.measure: Measure = WIN if seats > 1 and not lead else POINTS
        what = "final points" if seats == 1 else "points ahead of the best other seat" if lead else "chance to win"
        self.unit = f"{what}, over {with_noun(games, 'rollout')}"
        self._is_lead = lead and seats > 1
        self._games = games
        self._viewpoints = range(seats if variant.is_cards else 1)
        """The seats that see different states; with dice all seats see the same one."""
        self._rollouts = Rollouts(variant, seats, player, worlds=_WORLDS[self.measure], seed=seed)

    def state_value(self, game: Game) -> StateValue:
        """Play rollouts from the position; each seat's value comes from its own determinizations."""
        all_starts = [self._rollouts.starts(game, seat, self._games) for seat in self._viewpoints]
        played = [self._rollouts.play(starts, self._games) for starts in all_starts]
        if len(played) == 1:
            return StateValue(means(self._values(played[0])), played[0].mean_points)
        values = tuple(float(self._values(each)[:, seat].mean()) for seat, each in enumerate(played))
        return StateValue(values, tuple(each.mean_points[seat] for seat, each in enumerate(played)))

    def _values(self, played: RolloutResult) -> Doubles:
        if self._is_lead:
            return played.leads
        return played.shares if self.measure == WIN else played.points

    def options(self, game: Game, seat: int) -> list[ActionValue]:
        """Play rollouts after every choice of a seat."""
        actions = legal_choices(game, seat)
        starts = self._rollouts.starts(game, seat, self._games)
        played = [self._rollouts.play(starts, self._games, seat, action) for action in actions]
        values = [self._values(each) for each in played]
        top = max((each[:, seat] for each in values), key=lambda line: float(line.mean()))
        return [
            ActionValue(action, means(value), each.mean_points, interval(value[:, seat], top))
            for action, each, value in zip(actions, played, values, strict=True)
        ]
