"""
The company at a table: who is here, who has left and since when, who votes for a bot, who is not welcome.

None of it is stored. People are known by the hashes of their tokens, so that it does not matter where they sit.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from qwixx.server.room import Room
from qwixx.server.seats import Seat

_BETWEEN_SIGNS = 0.7
"""Seconds between two signs of one person."""


class Company:
    """What a table remembers of its people while it is in memory."""

    def __init__(self, room: Room) -> None:
        """Begin with everybody away since now."""
        self._left: dict[str, float] = {}
        self._returned: dict[str, float] = {}
        self._votes: dict[str, set[str]] = {}
        self._phase = 0
        self._again: set[str] = set()
        self._reacted: dict[str, float] = {}
        self.banned: set[str] = set()
        """Addresses from which nobody comes in until the game is over, but for owners of seats."""
        self.note(room, set())

    # ---- coming and going

    def note(self, room: Room, here: set[int]) -> None:
        """Note who is here now."""
        now = time.monotonic()
        for place, seat in enumerate(room.seats):
            if place in here:
                self._left.pop(seat.key, None)
            elif seat.key:
                self._left.setdefault(seat.key, now)

    def away(self, seat: Seat) -> float:
        """Give the seconds since a person left, 0 if they are here."""
        left = self._left.get(seat.key)
        return 0.0 if left is None else time.monotonic() - left

    def returned(self, seat: Seat) -> None:
        """Note that a person has taken their seat back: they get the whole time for a move, and no vote counts yet."""
        self._votes.pop(seat.key, None)
        self._returned[seat.key] = time.monotonic()

    def waited(self, seat: Seat, since: float) -> float:
        """Give the seconds that the others have waited for a person, in a phase that began at this moment."""
        return time.monotonic() - max(since, self._returned.get(seat.key, since))

    # ---- votes, which count for one phase

    def vote(self, phase: int, seat: Seat, voters: set[str]) -> int:
        """Add votes against a person; gives how many there are."""
        self.votes_end(phase)
        self._phase = phase
        votes = self._votes.setdefault(seat.key, set())
        votes |= voters
        return len(votes)

    def votes(self, seat: Seat) -> int:
        """Count the votes against a person."""
        return len(self._votes.get(seat.key, ())) if seat.key else 0

    def votes_end(self, phase: int) -> bool:
        """Forget the votes of a phase that is over; tells whether there were any."""
        if not self._votes or phase == self._phase:
            return False
        self._votes.clear()
        return True

    # ---- signs

    def may_react(self, seat: Seat) -> bool:
        """Tell whether somebody may show a sign now; if so, it counts."""
        now = time.monotonic()
        if now - self._reacted.get(seat.key, -_BETWEEN_SIGNS) < _BETWEEN_SIGNS:
            return False
        self._reacted[seat.key] = now
        return True

    # ---- another game

    def want(self, room: Room, seats: Iterable[int]) -> None:
        """Note who says yes to another game."""
        self._again |= {room.seats[seat].key for seat in seats}

    def wanting(self, room: Room) -> list[int]:
        """List the seats whose people have said yes."""
        return [place for place, seat in enumerate(room.seats) if seat.key and seat.key in self._again]

    def no_more(self) -> None:
        """Forget who said yes: there could be no other game."""
        self._again.clear()
