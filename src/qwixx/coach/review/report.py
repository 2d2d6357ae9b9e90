"""A game looked at again: what every decision was worth, what luck did, and how both make up the result."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from qwixx.analysis.grades import GRADES, NOTHING, accuracy, grade, is_close
from qwixx.analysis.hindsight import Hindsight
from qwixx.analysis.judging import WIN, Numbers
from qwixx.notation import Action


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal action: what it would have left to its seat, and what it loses against the best."""

    action: Action
    value: float
    """The chance of winning, or alone the expected points."""
    points: float
    """The seat's points at the end, on average."""
    loss: float
    interval: float = 0.0
    """Half the width of the 95 % interval of the loss; 0 where nothing was drawn by lot."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat decided, among all that it could have."""

    step: int
    """The place of the decision among the steps of the record, from 0."""
    turn: int
    seat: int
    phase: str
    position: str
    """The position line of the window, before anybody had decided."""
    choices: tuple[Choice, ...]
    """Best first."""
    chosen: Choice
    measure: str
    source: str
    """How the values were obtained: exact, learned, rollouts or played on."""
    error: float
    """How far the loss may be off."""

    @property
    def loss(self) -> float:
        """What it lost against the best."""
        return self.chosen.loss

    @property
    def best(self) -> Choice:
        """What would have been best."""
        return self.choices[0]

    @property
    def grade(self) -> str:
        """The loss in a word."""
        return grade(self.measure, self.loss, self.error)

    @property
    def is_close(self) -> bool:
        """Whether the loss is smaller than the error of the values: then nobody can call it one."""
        return is_close(self.measure, self.loss, self.error)

    @property
    def is_free(self) -> bool:
        """Whether there was anything to choose."""
        return len(self.choices) > 1


@dataclass(frozen=True, slots=True)
class Swing:
    """
    What one step, or all decisions of one window, did to each seat's value.

    `luck`, `own` and `others` add up to the difference between `values` and those of the swing before.
    """

    step: int
    """The place of its last step in the record, from 0."""
    turn: int
    kind: str
    """`roll`, `deal`, `shuffle` or `draw`, else the phase in which seats decided."""
    text: str
    """What chance did, empty for decisions."""
    values: Numbers
    points: Numbers
    luck: Numbers
    own: Numbers
    others: Numbers


@dataclass(frozen=True, slots=True)
class Account:
    """How a seat's value came from the beginning to the end: `start + luck + own + others` is `final`."""

    seat: int
    start: float
    luck: float
    own: float
    """What the seat's own decisions lost, as a number below 0."""
    others: float
    """What the decisions of the others gave it, against what was to be expected of them."""
    final: float
    accuracy: float | None
    """From 0 to 100, None if there was nothing to choose."""
    grades: dict[str, int]
    """How many of its decisions were called what; only those in which there was something to choose."""


@dataclass(frozen=True)
class Analysis:
    """All that is said about a game."""

    variant: str
    seats: int
    measure: str
    """`win` for chances of winning, `points` alone."""
    by: str
    source: str
    error: float
    start: Numbers
    start_points: Numbers
    swings: tuple[Swing, ...]
    decisions: tuple[Decision, ...]
    scores: Numbers | None
    """The points at the end, None if the record stops before."""
    hindsight: Hindsight | None = None
    """Alone, if it was asked for: the most points that these dice could have made."""

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        """Luck and skill of each seat."""
        return tuple(self._account(seat) for seat in range(self.seats))

    def _account(self, seat: int) -> Account:
        free = [each for each in self.decisions if each.seat == seat and each.is_free]
        return Account(
            seat,
            self.start[seat],
            sum(swing.luck[seat] for swing in self.swings),
            sum(swing.own[seat] for swing in self.swings),
            sum(swing.others[seat] for swing in self.swings),
            self.swings[-1].values[seat] if self.swings else self.start[seat],
            accuracy(self.measure, [each.loss for each in free]),
            {name: sum(each.grade == name for each in free) for name in GRADES},
        )

    def costliest(self, seat: int | None = None, most: int = 3) -> list[Decision]:
        """Give the decisions that lost most, of a seat or of all; close calls are none of them."""
        found = [
            each
            for each in self.decisions
            if seat in (None, each.seat) and each.loss >= NOTHING[self.measure] and not each.is_close
        ]
        return sorted(found, key=lambda each: -each.loss)[:most]

    def luckiest(self, seat: int) -> Swing | None:
        """Give what chance did that helped a seat most."""
        return max((each for each in self.swings if each.text), key=lambda swing: swing.luck[seat], default=None)

    def unluckiest(self, seat: int) -> Swing | None:
        """Give what chance did that hurt a seat most."""
        return min((each for each in self.swings if each.text), key=lambda swing: swing.luck[seat], default=None)

    def to_dict(self) -> dict[str, Any]:
        """Give all of it as plain data, fit for JSON."""
        return {
            "variant": self.variant,
            "seats": self.seats,
            "measure": self.measure,
            "by": self.by,
            "source": self.source,
            "error": self.error,
            "start": _rounded(self.start),
            "start_points": _rounded(self.start_points),
            "scores": None if self.scores is None else [int(score) for score in self.scores],
            "hindsight": None if self.hindsight is None else asdict(self.hindsight),
            "accounts": [_account_data(account) for account in self.accounts],
            "swings": [_swing_data(swing) for swing in self.swings],
            "decisions": [decision_data(decision) for decision in self.decisions],
        }

    @property
    def is_win(self) -> bool:
        """Whether chances of winning are told."""
        return self.measure == WIN


_DIGITS = 6


def _rounded(numbers: Numbers) -> list[float]:
    return [round(number, _DIGITS) for number in numbers]


def _account_data(account: Account) -> dict[str, Any]:
    return {
        "seat": account.seat,
        **{name: round(getattr(account, name), _DIGITS) for name in ("start", "luck", "own", "others", "final")},
        "accuracy": None if account.accuracy is None else round(account.accuracy, 1),
        "grades": account.grades,
    }


def _swing_data(swing: Swing) -> dict[str, Any]:
    lists = {name: _rounded(getattr(swing, name)) for name in ("values", "points", "luck", "own", "others")}
    return {"step": swing.step, "turn": swing.turn, "kind": swing.kind, "text": swing.text, **lists}


def decision_data(decision: Decision) -> dict[str, Any]:
    """Give a decision as plain data."""
    return {
        "step": decision.step,
        "turn": decision.turn,
        "seat": decision.seat,
        "phase": decision.phase,
        "position": decision.position,
        "chosen": decision.chosen.action.text,
        "best": decision.best.action.text,
        "loss": round(decision.loss, _DIGITS),
        "grade": decision.grade,
        "close": decision.is_close,
        "source": decision.source,
        "choices": [choice_data(choice) for choice in decision.choices],
    }


def choice_data(choice: Choice) -> dict[str, Any]:
    """Give a choice as plain data."""
    data: dict[str, Any] = {
        "action": choice.action.text,
        "value": round(choice.value, _DIGITS),
        "points": round(choice.points, 3),
        "loss": round(choice.loss, _DIGITS),
    }
    return {**data, "interval": round(choice.interval, _DIGITS)} if choice.interval else data
