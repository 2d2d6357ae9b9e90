"""
Bans: addresses that an operator has banned, and tables that are closed, each for some time.

They are in memory. Servers of a cluster share them through the database (`operate/cluster_sync`), where an address is
only a mark: its keyed hash.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

from qwixx.server.limits.declared import BANS


def _identity(name: str) -> str:
    return name


class Bans:
    """Names (addresses or table codes) that are banned, each until its time is over."""

    def __init__(self) -> None:
        """Start without bans."""
        self._until: OrderedDict[str, float] = OrderedDict()
        """By mark."""
        self._names: dict[str, str] = {}
        """By mark: the names that were banned on this server."""
        self.mark: Callable[[str], str] = _identity
        """Turns a name into the mark that is stored and shared."""
        self.unsent: dict[str, int] = {}
        """Marks that the other servers do not know yet, with the seconds of the ban; 0: the ban was removed."""

    def add(self, name: str, minutes: float) -> None:
        """Ban a name for a number of minutes, from now."""
        mark = self.mark(name)
        self._names[mark] = name
        self._set(mark, minutes * 60)
        self._note_unsent(mark, math.ceil(minutes * 60))

    def _set(self, mark: str, seconds: float) -> None:
        self._until[mark] = time.monotonic() + seconds
        self._until.move_to_end(mark)
        while len(self._until) > BANS.fixed:
            self._forget(next(iter(self._until)))

    def _note_unsent(self, mark: str, seconds: int) -> None:
        self.unsent[mark] = seconds
        while len(self.unsent) > BANS.fixed:  # without other servers nobody takes them
            del self.unsent[next(iter(self.unsent))]

    def _forget(self, mark: str) -> None:
        self._until.pop(mark, None)
        self._names.pop(mark, None)

    def remove(self, name: str) -> bool:
        """Remove a ban; return whether there was one."""
        mark, was_banned = self.mark(name), name in self
        self._forget(mark)
        if was_banned:
            self._note_unsent(mark, 0)
        return was_banned

    def merge_remote(self, marks: Mapping[str, float]) -> list[str]:
        """Take over the bans of all servers, with the seconds left; return the marks that are new here."""
        known = [mark for mark in self._until if mark not in self.unsent]
        for mark in known:
            if mark not in marks:
                self._forget(mark)
        remote = {mark: seconds for mark, seconds in marks.items() if mark not in self.unsent}
        for mark, seconds in remote.items():
            self._set(mark, seconds)
        return [mark for mark in remote if mark not in known]

    def __contains__(self, name: object) -> bool:
        return bool(self._until) and isinstance(name, str) and self._is_banned(self.mark(name))

    def _is_banned(self, mark: str) -> bool:
        until = self._until.get(mark)
        if until is not None and until <= time.monotonic():
            self._forget(mark)
            return False
        return until is not None

    def minutes_left(self) -> dict[str, int]:
        """Return all banned names with the minutes left; a ban of another server appears by its mark."""
        marks = [mark for mark in list(self._until) if self._is_banned(mark)]
        now = time.monotonic()
        return {self._names.get(mark, mark): math.ceil((self._until[mark] - now) / 60) for mark in marks}
