"""What has happened, for whoever comes to the keyboard: everybody hears what is new since their own last decision."""

from __future__ import annotations

_MOST_TOLD = 15


class News:
    """Sentences in the order in which they were said, and how many each seat has heard."""

    def __init__(self) -> None:
        """Begin with nothing to tell."""
        self._said: list[tuple[int, str]] = []
        """Each sentence with the number of the step that it tells about."""
        self._heard: dict[int, int] = {}

    def add(self, step: int, sentences: list[str]) -> None:
        """Note what a step has brought."""
        self._said += [(step, sentence) for sentence in sentences]

    def decided(self, seat: int) -> None:
        """Note that a seat knows everything up to here."""
        self._heard[seat] = len(self._said)

    def take_back(self, step: int) -> None:
        """Forget what a step and all after it have brought."""
        self._said = [(at, sentence) for at, sentence in self._said if at < step]
        self._heard = {seat: min(heard, len(self._said)) for seat, heard in self._heard.items()}

    def since(self, seat: int) -> list[str]:
        """Tell a seat what is new to it, the last things if it is much."""
        new = [sentence for _, sentence in self._said[self._heard.get(seat, 0) :]]
        left_out = len(new) - _MOST_TOLD
        return [f"... {left_out} more, and then:", *new[left_out:]] if left_out > 0 else new
