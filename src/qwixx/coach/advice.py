"""
`advise`: every legal action of a seat, best first, with its value and the judge that computed it.

The first judge that can evaluate the game is used:

1. In solitaire with dice: the exact solution, expected final points with best play.
2. A registered player that evaluates actions, if it plays the game: see `Values`. Strong players plug in here.
3. Otherwise rollouts: a heuristic player finishes the game many times, from positions that the seat considers possible.
   The value is the lead over the best other seat, in points.

A judge knows only what the seat knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from qwixx.coach.judges.judge import check_games, deciding_seat, ranked
from qwixx.coach.judges.player_judge import Values
from qwixx.coach.judges.select import judge_by
from qwixx.errors import QwixxError
from qwixx.game.choice import Choice, choices_text
from qwixx.game.game import Game
from qwixx.text.arguments import describe_value
from qwixx.text.notation import Action

__all__ = ["Advice", "Choice", "Values", "advise"]

GAMES = 400
"""Rollouts after each action: enough to see a difference of three points."""


class Advice(Struct, frozen=True):
    """The evaluation of a decision: all legal actions, best first."""

    seat: int
    by: str
    """The name of the judge."""
    measure: str
    """The unit of the values."""
    choices: tuple[Choice, ...]

    @property
    def best(self) -> Action:
        """The action with the highest value."""
        return self.choices[0].action

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, place: int) -> Choice:
        return self.choices[place]

    def __repr__(self) -> str:
        return f"<Advice for seat {self.seat}: {self.best} is the best of {len(self)}, by {self.by}>"

    def __str__(self) -> str:
        return choices_text(f"seat {self.seat}, judged by {self.by}: {self.measure}", self.choices)


def advise(game: Game, seat: int | None = None, *, by: str | None = None, games: int = GAMES, seed: int = 0) -> Advice:
    """
    Evaluate every legal action of a seat; without a `seat`, of the only seat that has to decide.

    `by` names the judge: `optimal` (solitaire, exact; it solves the sheet first, which takes up to an hour on big
    sheets), a player that evaluates actions, or a heuristic player, which plays `games` rollouts after each action. By
    default the best judge is used that needs only seconds. The same seed gives the same advice.
    """
    if not isinstance(game, Game):
        raise QwixxError(f"Advice is given about a game, not about {describe_value(game)}.")
    seat = deciding_seat(game, seat)
    check_games(games, 1)
    judge = judge_by(game, by, games, seed)
    choices = ranked(judge.options(game, seat), seat)
    return Advice(seat, judge.by, judge.unit, choices)
