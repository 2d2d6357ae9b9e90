"""The events that each person has not seen yet: those since their own last decision."""

from __future__ import annotations

from qwixx.text.catalogue import t

_MOST_TOLD = 15


class UnseenEvents:
    """Sentences in their order, and how many of them each seat has seen."""

    def __init__(self) -> None:
        """Start without events."""
        self._said: list[tuple[int, str]] = []
        """Each sentence with the number of its step."""
        self._heard: dict[int, int] = {}

    def add(self, step: int, sentences: list[str]) -> None:
        """Add the sentences of a step."""
        self._said += [(step, sentence) for sentence in sentences]

    def decided(self, seat: int) -> None:
        """Mark everything so far as seen by a seat."""
        self._heard[seat] = len(self._said)

    def take_back(self, step: int) -> None:
        """Remove the sentences of a step and of all later steps."""
        self._said = [(at, sentence) for at, sentence in self._said if at < step]
        self._heard = {seat: min(heard, len(self._said)) for seat, heard in self._heard.items()}

    def since(self, seat: int) -> list[str]:
        """Return the sentences that are new for a seat; if there are many, only the last ones."""
        new = [sentence for _, sentence in self._said[self._heard.get(seat, 0) :]]
        left_out = len(new) - _MOST_TOLD
        return [t("cli.earlier", n=left_out), *new[left_out:]] if left_out > 0 else new
