"""A choice: one legal action and its value. The solver, hints, reviews, puzzles and the page use the same struct."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from qwixx.text.notation import Action


class Choice(Struct, frozen=True, omit_defaults=True):
    """One legal action: its value for its seat, and its loss against the best action."""

    action: Action
    value: float
    """In the unit of its judge: the win probability, or in solitaire the expected points."""
    points: float
    """The expected final points of the seat; 0 if the judge does not estimate them."""
    loss: float
    interval: float = 0.0
    """Half the width of the 95 % confidence interval of the loss; 0 if nothing was sampled."""

    @property
    def expected(self) -> float:
        """The value, by its name in programs that use `solver.advise`."""
        return self.value

    def __str__(self) -> str:
        return choice_text(self)


def choice_text(choice: Choice, width: int = 0) -> str:
    """Write a choice in one line: its action, its value and its loss."""
    sure = f" ± {choice.interval:.3f}" if choice.interval else ""
    loses = f"loses {choice.loss:.3f}{sure}" if choice.loss else "best"
    return f"{choice.action.text:{width}}  {choice.value:8.3f}  {loses}"


def choices_text(heading: str, choices: Sequence[Choice], remarks: Sequence[str] = ()) -> str:
    """Write choices in lines under a heading, with a remark after some of them."""
    width = max(len(choice.action.text) for choice in choices)
    lines = [choice_text(choice, width) for choice in choices]
    texts = [f"{line}  {remark}".rstrip() for line, remark in zip(lines, remarks, strict=True)] if remarks else lines
    return "\n  ".join([heading, *texts])
