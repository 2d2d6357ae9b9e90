"""A player that evaluates actions, as a judge of single decisions: strong players of users plug in here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from qwixx.coach.judges.judge import LEARNED, POINTS, WIN, ActionValue, Judge, Measure, StateValue
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.game.question import Question
from qwixx.players import Registered, seconds_to_decide
from qwixx.players.supervise import PlayerTimeoutError, call_with_timeout, describe

Answer = tuple[str, list[float]]
"""The unit of the values, and the values."""


@runtime_checkable
class Values(Protocol):
    """A player instance that evaluates actions, so that it can give advice."""

    measure: str
    """The unit of the values, in a few words: `chance to win`."""

    def values(self, question: Question) -> Sequence[float]:
        """Return the value of each of the question's legal actions, in their order; more is better."""


class PlayerJudge(Judge):
    """Asks a player for the values of its actions, in the player's own unit."""

    source = LEARNED
    error = 0.0

    def __init__(self, player: Registered, seats: int) -> None:
        """Ask this player."""
        self.by = player.name
        self.measure: Measure = WIN if seats > 1 else POINTS
        self.unit = ""
        """Known after the first answer."""
        self._player = player
        self._seats = seats

    def state_value(self, game: Game) -> StateValue:
        """Raise `QwixxError`: such a player knows only its actions."""
        raise QwixxError(f"The player {self.by!r} evaluates actions, but no positions.")

    def options(self, game: Game, seat: int) -> list[ActionValue]:
        """Ask the player. A custom player has a time limit, as for decisions. Raises `QwixxError` if it fails."""
        question = game.question(seat)
        answer = self._ask(question)
        if answer is None:
            raise QwixxError(f"The player {self.by!r} decides, but does not evaluate actions.")
        self.unit, values = answer
        if len(values) != len(question.legal):
            raise QwixxError(f"The player {self.by!r} returned {len(values)} values for {len(question.legal)} actions.")
        unknown = (0.0,) * game.seats
        return [
            ActionValue(action, (*unknown[:seat], value, *unknown[seat + 1 :]), unknown)
            for action, value in zip(question.legal, values, strict=True)
        ]

    def _ask(self, question: Question) -> Answer | None:
        if self._player.is_built_in:
            return self._answer(question)
        seconds = seconds_to_decide()
        try:
            answer: Answer | None = call_with_timeout(seconds, self._answer, question.for_custom_player())
        except PlayerTimeoutError:
            raise QwixxError(f"The player {self.by!r} did not answer within {seconds:g} seconds.") from None
        except (Exception, SystemExit) as error:
            raise QwixxError(f"The player {self.by!r} raised {describe(error)}.") from None
        return answer

    def _answer(self, question: Question) -> Answer | None:
        player = self._player.sit(question.variant, self._seats)
        if not isinstance(player, Values):
            return None
        return player.measure, [float(value) for value in player.values(question)]
