"""What can go wrong, as types. Every error of the package is a `QwixxError` with a sentence for people."""

from __future__ import annotations

from dataclasses import dataclass, field

from qwixx.kernel import refusals

Details = dict[str, str | int]
"""What a sentence speaks of, for those who say it in their own words: `cell`, `row`, `need`, `have` and so on."""

CODES = {value: name.lower().replace("_", "-") for name, value in vars(refusals).items() if isinstance(value, int)}
"""The kernel's numbers as stable words, for programs and translations."""

MOMENTS = {
    CODES[reason]
    for reason in (refusals.GAME_IS_OVER, refusals.CHANCE_FIRST, refusals.NOT_YOUR_TURN, refusals.NO_CHANCE_NOW)
}
"""The reasons that are about the moment and not about the action."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is refused: a word for programs, the rule's id, a sentence for people, and what it speaks of."""

    code: str
    rule: str
    sentence: str
    details: Details = field(default_factory=dict, compare=False)

    @property
    def is_about_turn(self) -> bool:
        """Whether the action itself may be fine, but not now or not from this seat."""
        return self.code in MOMENTS

    def error(self) -> RefusedError:
        """Give the error that carries this refusal."""
        return NotYourTurn(self) if self.is_about_turn else IllegalAction(self)


class QwixxError(ValueError):
    """Something that was asked for cannot be done; the text says what and why."""


class NotationError(QwixxError):
    """A text that is no cell, action, roll, position or record."""


class RefusedError(QwixxError):
    """Something that is refused; `refusal` says why: its code, the rule's id, a sentence, what it speaks of."""

    def __init__(self, refusal: Refusal) -> None:
        """Say what the refusal says."""
        super().__init__(refusal.sentence)
        self.refusal = refusal

    @property
    def rule(self) -> str:
        """The id of the rule."""
        return self.refusal.rule

    @property
    def sentence(self) -> str:
        """The reason without the rule's id."""
        return self.refusal.sentence

    def __reduce__(self) -> tuple[type[RefusedError], tuple[Refusal]]:
        return type(self), (self.refusal,)  # so that it can be sent from one process to another


class IllegalAction(RefusedError):  # noqa: N818 - the name says it better without "Error"
    """An action that the rules refuse; `rule` is the id of the rule."""

    def __init__(self, refusal: Refusal) -> None:
        """Say what the refusal says, and its rule."""
        super().__init__(refusal)
        self.args = (f"{refusal.sentence} ({refusal.rule})",)


class NotYourTurn(RefusedError):  # noqa: N818 - as above
    """A seat that is not asked now, or a roll when nobody may roll."""


class UnknownVariant(QwixxError):  # noqa: N818 - as above
    """No variant or sheet file goes by this name."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One slip in a text: the line it stands on, counted from 1 (0: the whole text), and what was expected."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message


class SheetError(QwixxError):
    """A sheet file with slips in it; `problems` has all of them."""

    def __init__(self, source: str, problems: list[Problem]) -> None:
        """List all slips, one per line."""
        self.source = source
        self.problems = tuple(problems)
        super().__init__(f"{source} cannot be played:\n" + "\n".join(f"  {p}" for p in problems))


class PositionError(NotationError):
    """A position line that does not describe a possible game; `problems` has all of its slips."""

    def __init__(self, problems: list[str]) -> None:
        """List all slips in one sentence each."""
        self.problems = tuple(problems)
        super().__init__("This position cannot be: " + "; ".join(problems) + ".")


class RecordError(NotationError):
    """A game record that cannot be replayed; `line` is where it stops making sense."""

    def __init__(self, line: int, message: str) -> None:
        """Name the line, counted from 1."""
        self.line = line
        super().__init__(f"Line {line} of the record: {message}")
