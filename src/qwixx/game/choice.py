"""A choice: one legal action and its value. The solver, hints, reviews, puzzles and the page use the same struct."""

from __future__ import annotations

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
