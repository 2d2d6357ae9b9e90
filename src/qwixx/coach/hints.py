"""`hint`: every legal choice of a seat, best first, with what it is worth and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qwixx.advice import who_decides
from qwixx.analysis.analyse import MOST_DEEP_GAMES, close_calls, ranked
from qwixx.analysis.choosing import find_judge
from qwixx.analysis.grades import is_close
from qwixx.analysis.judging import BY_LOT, Judge
from qwixx.analysis.reasons import CLOSE_CALL, Reason, joined, reasons_of, sentence
from qwixx.analysis.review import Choice, choice_data
from qwixx.errors import QwixxError
from qwixx.game import Game
from qwixx.variants.model import Variant
from qwixx.wanted import described, whole_number


@dataclass(frozen=True, slots=True)
class Advised:
    """One legal choice with its reasons."""

    choice: Choice
    reasons: tuple[Reason, ...]
    is_close: bool
    """Whether nobody can say that it is worse than the best."""


@dataclass(frozen=True)
class Hint:
    """What is said about a decision: all legal choices, best first."""

    variant: Variant
    seat: int
    by: str
    source: str
    measure: str
    error: float
    choices: tuple[Advised, ...]

    def words(self, place: int = 0, language: str = "en") -> str:
        """Say why a choice is good or bad."""
        return joined([sentence(self.variant, reason, language) for reason in self.choices[place].reasons], language)

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """Give all of it as plain data, fit for JSON."""
        return {
            "variant": self.variant.id,
            "seat": self.seat,
            "by": self.by,
            "source": self.source,
            "measure": self.measure,
            "error": self.error,
            "choices": [
                {
                    **choice_data(each.choice),
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
    Rank the choices of a seat and say why; without a `seat`, of the only one that has to decide.

    Whatever is said follows from what the seat may know. `deep` plays so many games on after each of the choices that
    are close to the best. Raises `QwixxError` where nothing is to be decided.
    """
    if not isinstance(game, Game):
        raise QwixxError(f"A hint is given about a game, not about {described(game)}.")
    if not 0 <= whole_number(deep, "The number of games") <= MOST_DEEP_GAMES:
        raise QwixxError(f"The number of games is from 0 to {MOST_DEEP_GAMES}, not {deep}.")
    seat = who_decides(game, seat)
    judge = by or find_judge(game)
    weighed = judge.weigh(game)
    if deep:
        best = ranked(weighed.choices[seat], seat)[0].action.text
        near = close_calls(weighed.choices[seat], seat, best, judge.error)
        if near:
            weighed = judge.settle(game, seat, weighed, [weight.action for weight in near], deep) or weighed
    source = weighed.settled.get(seat, judge.source)
    choices = ranked(weighed.choices[seat], seat)
    advised = []
    for choice, reasons in zip(choices, reasons_of(game, seat, [each.action for each in choices]), strict=True):
        error = choice.interval if source in BY_LOT and choice.interval else judge.error
        close = is_close(judge.measure, choice.loss, error)
        advised.append(Advised(choice, (*reasons, Reason(CLOSE_CALL)) if close else reasons, close))
    return Hint(game.variant, seat, judge.by, source, judge.measure, judge.error, tuple(advised))
