"""The report of a reviewed game: the value of every decision, the effect of luck, and how both add up to the result."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from qwixx.coach.grades import GRADES, NOTHING, accuracy, grade, is_close
from qwixx.coach.judges.judge import WIN, Numbers
from qwixx.coach.review.hindsight import Hindsight
from qwixx.text.notation import Action


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal action: its value for its seat, and its loss against the best action."""

    action: Action
    value: float
    """The win probability, or in solitaire the expected points."""
    points: float
    """The expected final points of the seat."""
    loss: float
    interval: float = 0.0
    """Half the width of the 95 % confidence interval of the loss; 0 if nothing was sampled."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a seat, with all its choices."""

    step: int
    """The index of the decision among the steps of the record."""
    turn: int
    seat: int
    phase: str
    position: str
    """The position line of the window, before any seat had decided."""
    choices: tuple[Choice, ...]
    """Best first."""
    chosen: Choice
    measure: str
    source: str
    """How the values were obtained: exact, learned, rollouts or played on."""
    error: float
    """The error of the loss."""

    @property
    def loss(self) -> float:
        """The loss against the best choice."""
        return self.chosen.loss

    @property
    def best(self) -> Choice:
        """The best choice."""
        return self.choices[0]

    @property
    def grade(self) -> str:
        """The grade: best, good, slip, mistake or blunder."""
        return grade(self.measure, self.loss, self.error)

    @property
    def is_close(self) -> bool:
        """Whether the loss is smaller than the error of the values, so that it may not be a loss."""
        return is_close(self.measure, self.loss, self.error)

    @property
    def had_choice(self) -> bool:
        """Whether there was more than one legal action."""
        return len(self.choices) > 1


@dataclass(frozen=True, slots=True)
class ValueChange:
    """
    How one step, or all decisions of one window, changed the value of each seat.

    `luck`, `own` and `others` add up to the difference between `values` and the values before.
    """

    step: int
    """The index of its last step in the record."""
    turn: int
    kind: str
    """`roll`, `deal`, `shuffle` or `draw`, else the phase in which seats decided."""
    text: str
    """The result of chance; empty for decisions."""
    values: Numbers
    points: Numbers
    luck: Numbers
    own: Numbers
    others: Numbers


@dataclass(frozen=True, slots=True)
class ValueBreakdown:
    """How a seat's value changed from start to end: `start + luck + own + others` is `final`."""

    seat: int
    start: float
    luck: float
    own: float
    """The sum of the losses of the seat's own decisions, as a negative number."""
    others: float
    """What the decisions of the other seats gave it, compared with their expected decisions."""
    final: float
    accuracy: float | None
    """From 0 to 100; None if there was never a choice."""
    grades: dict[str, int]
    """The number of decisions of each grade, among those with a choice."""


@dataclass(frozen=True)
class Analysis:
    """The analysis of a game."""

    variant: str
    seats: int
    measure: str
    """`win` for win probabilities, `points` for the points of a solitaire."""
    by: str
    source: str
    error: float
    start: Numbers
    start_points: Numbers
    swings: tuple[ValueChange, ...]
    decisions: tuple[Decision, ...]
    scores: Numbers | None
    """The final points; None if the game is not over."""
    hindsight: Hindsight | None = None
    """Solitaire, on request: the most points possible with these dice."""

    @cached_property
    def accounts(self) -> tuple[ValueBreakdown, ...]:
        """Luck and skill of each seat."""
        return tuple(self._account(seat) for seat in range(self.seats))

    def _account(self, seat: int) -> ValueBreakdown:
        decisions = [each for each in self.decisions if each.seat == seat and each.had_choice]
        return ValueBreakdown(
            seat,
            self.start[seat],
            sum(swing.luck[seat] for swing in self.swings),
            sum(swing.own[seat] for swing in self.swings),
            sum(swing.others[seat] for swing in self.swings),
            self.swings[-1].values[seat] if self.swings else self.start[seat],
            accuracy(self.measure, [each.loss for each in decisions]),
            {name: sum(each.grade == name for each in decisions) for name in GRADES},
        )

    def costliest(self, seat: int | None = None, most: int = 3) -> list[Decision]:
        """Return the decisions with the biggest losses, of one seat or of all, without close calls."""
        decisions = [
            each
            for each in self.decisions
            if seat in (None, each.seat) and each.loss >= NOTHING[self.measure] and not each.is_close
        ]
        return sorted(decisions, key=lambda each: -each.loss)[:most]

    def luckiest(self, seat: int) -> ValueChange | None:
        """Return the result of chance that helped a seat most."""
        return max((each for each in self.swings if each.text), key=lambda swing: swing.luck[seat], default=None)

    def unluckiest(self, seat: int) -> ValueChange | None:
        """Return the result of chance that hurt a seat most."""
        return min((each for each in self.swings if each.text), key=lambda swing: swing.luck[seat], default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
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
        """Whether values are win probabilities."""
        return self.measure == WIN


_DIGITS = 6


def _rounded(numbers: Numbers) -> list[float]:
    return [round(number, _DIGITS) for number in numbers]


def _account_data(account: ValueBreakdown) -> dict[str, Any]:
    return {
        "seat": account.seat,
        **{name: round(getattr(account, name), _DIGITS) for name in ("start", "luck", "own", "others", "final")},
        "accuracy": None if account.accuracy is None else round(account.accuracy, 1),
        "grades": account.grades,
    }


def _swing_data(swing: ValueChange) -> dict[str, Any]:
    lists = {name: _rounded(getattr(swing, name)) for name in ("values", "points", "luck", "own", "others")}
    return {"step": swing.step, "turn": swing.turn, "kind": swing.kind, "text": swing.text, **lists}


def decision_data(decision: Decision) -> dict[str, Any]:
    """Return a decision as plain data."""
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
    """Return a choice as plain data."""
    data: dict[str, Any] = {
        "action": choice.action.text,
        "value": round(choice.value, _DIGITS),
        "points": round(choice.points, 3),
        "loss": round(choice.loss, _DIGITS),
    }
    return {**data, "interval": round(choice.interval, _DIGITS)} if choice.interval else data
