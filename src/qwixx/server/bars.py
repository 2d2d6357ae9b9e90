"""What an operator keeps out for a while: addresses, and closed tables. In memory only, so no address is stored."""

from __future__ import annotations

import math
import time
from collections import OrderedDict

_MOST = 10_000
"""More are not remembered; the oldest is forgotten first."""


class Bars:
    """Names that are kept out, each until its time is over."""

    def __init__(self) -> None:
        """Begin with none."""
        self._until: OrderedDict[str, float] = OrderedDict()

    def add(self, name: str, minutes: float) -> None:
        """Keep a name out from now on, for so many minutes."""
        self._until[name] = time.monotonic() + minutes * 60
        self._until.move_to_end(name)
        while len(self._until) > _MOST:
            self._until.popitem(last=False)

    def lift(self, name: str) -> bool:
        """Let a name in again; tells whether it was kept out."""
        return name in self and self._until.pop(name, None) is not None

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str) or name not in self._until:
            return False
        until = self._until[name]
        if until <= time.monotonic():
            del self._until[name]
            return False
        return True

    def left(self) -> dict[str, int]:
        """Give all names that are kept out, with the minutes left."""
        names = [name for name in list(self._until) if name in self]
        return {name: math.ceil((self._until[name] - time.monotonic()) / 60) for name in names}
