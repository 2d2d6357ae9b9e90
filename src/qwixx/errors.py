"""The error types. Every error of the package is a `QwixxError` with a sentence for users."""

from __future__ import annotations

from dataclasses import dataclass, field

from qwixx.kernel.state import refusals

Details = dict[str, str | int]
"""The values in a sentence, for translations: `cell`, `row`, `need`, `have` and so on."""

CODES = {value: name.lower().replace("_", "-") for name, value in vars(refusals).items() if isinstance(value, int)}
"""The kernel's codes as stable words, for programs and translations."""

MOMENTS = {
    CODES[reason]
    for reason in (refusals.GAME_IS_OVER, refusals.CHANCE_FIRST, refusals.NOT_YOUR_TURN, refusals.NO_CHANCE_NOW)
}
"""The reasons that are about the moment and not about the action."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is refused: a code for programs, the rule's id, a sentence for users, and the values in it."""

    code: str
    rule: str
    sentence: str
    details: Details = field(default_factory=dict, compare=False)

    @property
    def is_about_turn(self) -> bool:
        """Whether the action itself may be fine, but not now or not from this seat."""
        return self.code in MOMENTS

    def error(self) -> RefusedError:
        """Return this refusal as an error."""
        return NotYourTurn(self) if self.is_about_turn else IllegalAction(self)


class QwixxError(ValueError):
    """
    The base of all errors: a request that cannot be fulfilled; the text says what and why.

    `code` and `details` are for translations; an error that is not for players has neither.
    """

    def __init__(self, text: str, code: str = "", **details: str | int) -> None:
        """Keep the text, and for a translation the code and the values in the text."""
        super().__init__(text)
        self.code = code
        self.details: Details = details


class NotationError(QwixxError):
    """A text that is not a valid cell, action, roll, position or record."""


class RefusedError(QwixxError):
    """A refused action or roll; `refusal` has the code, the rule's id, a sentence and its values."""

    def __init__(self, refusal: Refusal) -> None:
        """Use the sentence of the refusal as the text."""
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
        return type(self), (self.refusal,)  # for pickling between processes


class IllegalAction(RefusedError):  # noqa: N818 - the name says it better without "Error"
    """An action that the rules refuse; `rule` is the id of the rule."""

    def __init__(self, refusal: Refusal) -> None:
        """Use the sentence of the refusal and its rule as the text."""
        super().__init__(refusal)
        self.args = (f"{refusal.sentence} ({refusal.rule})",)


class NotYourTurn(RefusedError):  # noqa: N818 - as above
    """A decision of a seat that is not asked now, or a roll when no roll is due."""


class UnknownVariant(QwixxError):  # noqa: N818 - as above
    """There is no variant or sheet file of this name."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a text: its line, counted from 1 (0: the whole text), and what was expected."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message


class SheetError(QwixxError):
    """A sheet file with mistakes; `problems` has all of them."""

    def __init__(self, source: str, problems: list[Problem]) -> None:
        """Write all problems to the text, one per line."""
        self.source = source
        self.problems = tuple(problems)
        super().__init__(f"{source} cannot be played:\n" + "\n".join(f"  {p}" for p in problems))


class PositionError(NotationError):
    """A position line that does not describe a possible game; `problems` has all mistakes."""

    def __init__(self, problems: list[str]) -> None:
        """Write all problems to the text."""
        self.problems = tuple(problems)
        super().__init__("This position cannot be: " + "; ".join(problems) + ".")


class RecordError(NotationError):
    """A game record that cannot be replayed; `line` is the first wrong line."""

    def __init__(self, line: int, message: str) -> None:
        """Write the line, counted from 1, and the message to the text."""
        self.line = line
        super().__init__(f"Line {line} of the record: {message}")
