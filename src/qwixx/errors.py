"""What can go wrong, as types. Every error of the package is a `QwixxError` with a sentence for people."""

from __future__ import annotations

from dataclasses import dataclass


class QwixxError(ValueError):
    """Something that was asked for cannot be done; the text says what and why."""


class NotationError(QwixxError):
    """A text that is no cell, action, roll, position or record."""


class IllegalAction(QwixxError):  # noqa: N818 - the name says it better without "Error"
    """An action that the rules refuse; `rule` is the id of the rule."""

    def __init__(self, rule: str, sentence: str) -> None:
        """Keep the rule's id beside the sentence."""
        super().__init__(f"{sentence} ({rule})")
        self.rule = rule
        self.sentence = sentence


class NotYourTurn(QwixxError):  # noqa: N818 - as above
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
