"""
What an operator keeps out for a while: addresses, and closed tables.

In memory, and with several servers also where they share what they know (`postgres/sharing`): addresses as marks only.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

_MOST = 10_000
"""More are not remembered; the oldest is forgotten first."""


def _as_it_is(name: str) -> str:
    return name


class Bars:
    """Names that are kept out, each until its time is over."""

    def __init__(self) -> None:
        """Begin with none."""
        self._until: OrderedDict[str, float] = OrderedDict()
        """By mark."""
        self._names: dict[str, str] = {}
        """By mark: the names that were told here."""
        self.mark: Callable[[str], str] = _as_it_is
        """What stands for a name, here and for others."""
        self.unsent: dict[str, int] = {}
        """Marks that others should hear of, with the seconds that they last; 0 for those that were lifted."""

    def add(self, name: str, minutes: float) -> None:
        """Keep a name out from now on, for so many minutes."""
        mark = self.mark(name)
        self._names[mark] = name
        self._keep(mark, minutes * 60)
        self.unsent[mark] = math.ceil(minutes * 60)

    def _keep(self, mark: str, seconds: float) -> None:
        self._until[mark] = time.monotonic() + seconds
        self._until.move_to_end(mark)
        while len(self._until) > _MOST:
            self._forget(next(iter(self._until)))

    def _forget(self, mark: str) -> None:
        self._until.pop(mark, None)
        self._names.pop(mark, None)

    def lift(self, name: str) -> bool:
        """Let a name in again; tells whether it was kept out."""
        mark, was_out = self.mark(name), name in self
        self._forget(mark)
        if was_out:
            self.unsent[mark] = 0
        return was_out

    def hear(self, marks: Mapping[str, float]) -> list[str]:
        """Take over what all servers keep out, with the seconds left; gives the marks that are new here."""
        known = [mark for mark in self._until if mark not in self.unsent]
        for mark in known:
            if mark not in marks:
                self._forget(mark)
        heard = {mark: seconds for mark, seconds in marks.items() if mark not in self.unsent}
        for mark, seconds in heard.items():
            self._keep(mark, seconds)
        return [mark for mark in heard if mark not in known]

    def __contains__(self, name: object) -> bool:
        return bool(self._until) and isinstance(name, str) and self._holds(self.mark(name))

    def _holds(self, mark: str) -> bool:
        until = self._until.get(mark)
        if until is not None and until <= time.monotonic():
            self._forget(mark)
            return False
        return until is not None

    def left(self) -> dict[str, int]:
        """Give all names that are kept out, with the minutes left; by their marks those of which only others know."""
        marks = [mark for mark in list(self._until) if self._holds(mark)]
        now = time.monotonic()
        return {self._names.get(mark, mark): math.ceil((self._until[mark] - now) / 60) for mark in marks}
