"""Results as values: the outcome of a finished game, and the preview of a decision."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: its reason, the scores and the winners; equal totals share the win (C12)."""

    ending: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """The immediate effects of a decision, if all other seats pass."""

    closes: tuple[str, ...]
    """The keys of the rows that its seat would close (C7)."""
    ends: bool
    """Whether the game would be over (C11)."""
    misses: bool
    """Whether its seat would take a miss (C6)."""
    points: int
    """The change of its seat's score."""
