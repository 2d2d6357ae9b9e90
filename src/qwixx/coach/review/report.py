"""The report of a reviewed game: the value of every decision, the effect of luck, and how both add up to the result."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct, to_builtins

from qwixx.coach.grades import BEST, Grade
from qwixx.coach.judges.judge import WIN, Measure, Numbers, Source
from qwixx.game.choice import Choice
from qwixx.text.arguments import with_noun
from qwixx.text.notation import Action

__all__ = ["Analysis", "Choice", "Decision", "ValueBreakdown", "ValueChange"]


class Decision(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    rename={"chosen_action": "chosen", "best_action": "best", "is_close": "close"},
):
    """One decision of a seat, with all its choices."""

    step: int
    """The index of the decision among the steps of the record."""
    turn: int
    seat: int
    phase: str
    position: str = ""
    """The position line of the window, before any seat had decided; the page leaves it out."""
    chosen_action: Action
    best_action: Action
    loss: float
    """The loss against the best choice."""
    grade: Grade
    is_close: bool
    """Whether the loss is smaller than the error of the values, so that it may not be a loss."""
    source: Source
    """How the values were obtained: exact, learned, rollouts or played on."""
    choices: tuple[Choice, ...]
    """Best first."""

    @property
    def chosen(self) -> Choice:
        """The choice that was made."""
        return next(choice for choice in self.choices if choice.action == self.chosen_action)

    @property
    def best(self) -> Choice:
        """The best choice."""
        return self.choices[0]

    @property
    def had_choice(self) -> bool:
        """Whether there was more than one legal action."""
        return len(self.choices) > 1


class ValueChange(Struct, frozen=True):
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


class ValueBreakdown(Struct, frozen=True):
    """How a seat's value changed from start to end: `start + luck + own + others` is `final`."""

    seat: int
    start: float
    luck: float
    own: float
    """The sum of the losses of the seat's own decisions, as a negative number."""
    others: float
    """Its gain from the decisions of the other seats, compared with their expected decisions."""
    final: float
    accuracy: float | None
    """From 0 to 100; None if there was never a choice."""
    grades: dict[Grade, int]
    """The number of decisions of each grade, among those with a choice."""


class Analysis(Struct, frozen=True):
    """The analysis of a game."""

    variant: str
    seats: int
    measure: Measure
    """`win` for win probabilities, `points` for the points of a solitaire."""
    by: str
    source: Source
    error: float
    start: Numbers
    start_points: Numbers
    scores: tuple[int, ...] | None
    """The final points; None if the game is not over."""
    accounts: tuple[ValueBreakdown, ...]
    """Luck and skill of each seat."""
    swings: tuple[ValueChange, ...]
    decisions: tuple[Decision, ...]

    def costliest(self, seat: int | None = None, most: int = 3) -> list[Decision]:
        """Return the decisions with the biggest losses, of one seat or of all, without close calls."""
        decisions = [
            each for each in self.decisions if seat in (None, each.seat) and each.grade != BEST and not each.is_close
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
        return to_data(self)

    def __repr__(self) -> str:
        made = with_noun(len(self.decisions), "decision")
        return f"<Analysis of {self.variant} with {with_noun(self.seats, 'seat')}: {made}, by {self.by}>"

    def __str__(self) -> str:
        unit = "win probability" if self.is_win else "points"
        lines = [f"{self.variant}, judged by {self.by}: {unit}"]
        for each in self.accounts:
            accuracy = "no choice" if each.accuracy is None else f"accuracy {each.accuracy:.1f}"
            parts = f"luck {each.luck:+.3f}, own {each.own:+.3f}, others {each.others:+.3f}"
            lines.append(f"  seat {each.seat}: {accuracy}; {each.start:.3f} to {each.final:.3f} ({parts})")
        for decision in self.costliest():
            lines.append(
                f"  turn {decision.turn}, seat {decision.seat}: {decision.chosen_action} loses {decision.loss:.3f}"
                f" against {decision.best_action}"
            )
        return "\n".join(lines)

    @property
    def is_win(self) -> bool:
        """Whether values are win probabilities."""
        return self.measure == WIN


_DIGITS: Final = {"accuracy": 1, "points": 3}
"""Digits of single numbers by name; all others have six."""


def to_data(struct: Struct) -> dict[str, Any]:
    """Return a struct as plain data for JSON: actions as texts, and numbers with few digits."""
    data: dict[str, Any] = _plain(to_builtins(struct))
    return data


def _plain(value: Any, name: str = "") -> Any:
    match value:
        case float():
            return round(value, _DIGITS.get(name, 6))
        case list() | tuple():
            return [_plain(each) for each in value]
        case {"id": _, "text": text}:  # an action
            return text
        case dict():
            # msgspec omits a default only if it is the same object, and every 0.0 is another one.
            return {key: _plain(each, key) for key, each in value.items() if each or key != "interval"}
    return value
