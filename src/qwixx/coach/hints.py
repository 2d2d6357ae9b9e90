"""`hint`: every legal choice of a seat, best first, with its value and the reasons for and against it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from qwixx.coach.grades import is_close
from qwixx.coach.judges.judge import (
    SAMPLED,
    WIN,
    Judge,
    Measure,
    Source,
    best_of,
    check_games,
    deciding_seat,
    ranked,
    settled,
)
from qwixx.coach.judges.select import find_judge
from qwixx.coach.reasons.sentences import CLOSE_CALL, Reason, joined, reasons_of, sentence
from qwixx.coach.review.report import to_data
from qwixx.errors import QwixxError
from qwixx.game.choice import Choice, choices_text
from qwixx.game.game import Game
from qwixx.text.arguments import describe_value
from qwixx.text.notation import Action
from qwixx.variants.model import Variant


class RankedChoice(Choice, frozen=True):
    """One legal choice with its reasons."""

    reasons: tuple[Reason, ...] = ()
    is_close: bool = False
    """Whether the values are too inexact to tell that it is worse than the best."""

    @property
    def choice(self) -> Choice:
        """The same choice, by its path in older programs."""
        return self


class Hint(Struct, frozen=True):
    """The evaluation of a decision: all legal choices, best first. Iterate over it as over an `Advice`."""

    variant: Variant
    seat: int
    by: str
    source: Source
    measure: Measure
    error: float
    choices: tuple[RankedChoice, ...]

    @property
    def best(self) -> Action:
        """The action with the highest value."""
        return self.choices[0].action

    def __iter__(self) -> Iterator[RankedChoice]:
        return iter(self.choices)

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, place: int) -> RankedChoice:
        return self.choices[place]

    def __repr__(self) -> str:
        return f"<Hint for seat {self.seat} of {self.variant.id}: {self.best} is the best of {len(self)}, by {self.by}>"

    def __str__(self) -> str:
        unit = "win probability" if self.measure == WIN else "expected points"
        heading = f"seat {self.seat}, judged by {self.by}: {unit}"
        return choices_text(heading, self.choices, [self.words(place) for place in range(len(self))])

    def words(self, place: int = 0, language: str = "en") -> str:
        """Return the reasons why a choice is good or bad, as a text."""
        return joined([sentence(self.variant, reason, language) for reason in self.choices[place].reasons], language)

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        return {
            "variant": self.variant.id,
            "seat": self.seat,
            "by": self.by,
            "source": self.source,
            "measure": self.measure,
            "error": self.error,
            "choices": [
                {
                    **{key: value for key, value in to_data(each).items() if key not in ("reasons", "is_close")},
                    "close": each.is_close,
                    "reasons": [
                        {**reason.to_dict(), "words": sentence(self.variant, reason, language)}
                        for reason in each.reasons
                    ],
                }
                for each in self.choices
            ],
        }


def hint(game: Game, seat: int | None = None, *, deep: int = 0, by: Judge | None = None) -> Hint:
    """
    Rank the choices of a seat, with reasons; without a `seat`, of the only seat that has to decide.

    Values and reasons follow only from what the seat may know. `deep` is the number of rollouts after each choice that
    is close to the best. Raises `QwixxError` if there is no decision.
    """
    if not isinstance(game, Game):
        raise QwixxError(f"A hint is given about a game, not about {describe_value(game)}.")
    check_games(deep)
    seat = deciding_seat(game, seat)
    judge = by or find_judge(game)
    evaluated = judge.action_values(game)
    if deep:
        best = best_of(evaluated.choices[seat], seat).action.text
        evaluated = settled(judge, game, seat, evaluated, best, deep)
    source = evaluated.sources.get(seat, judge.source)
    choices = ranked(evaluated.choices[seat], seat)
    ranking = []
    for choice, reasons in zip(choices, reasons_of(game, seat, [each.action for each in choices]), strict=True):
        error = choice.interval if source in SAMPLED and choice.interval else judge.error
        close = is_close(judge.measure, choice.loss, error)
        given = (*reasons, Reason(CLOSE_CALL)) if close else reasons
        ranking.append(RankedChoice(**asdict(choice), reasons=given, is_close=close))
    return Hint(game.variant, seat, judge.by, source, judge.measure, judge.error, tuple(ranking))
