"""
The presence of players at a table: who left and when, votes for a bot, rematch votes, bans of the host.

Nothing of it is stored. People are identified by the hashes of their tokens, so that their seats may change.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from qwixx.server.limits.declared import TABLE_BANS
from qwixx.server.room.room import Room
from qwixx.server.room.seats import Seat

_SIGN_SECONDS = 0.7
"""Seconds between two signs of one person at least."""


class Presence:
    """The data of a loaded table about its players."""

    def __init__(self, room: Room) -> None:
        """Start with all players absent since now."""
        self._left: dict[str, float] = {}
        self._returned: dict[str, float] = {}
        self._votes: dict[str, set[str]] = {}
        self._phase = 0
        self._rematch_keys: set[str] = set()
        self._reacted: dict[str, float] = {}
        self.banned: dict[str, None] = {}
        """Addresses that may not connect until the game is over, except for owners of seats."""
        self.banned_keys: dict[str, None] = {}
        """Hashes of the tokens of banned people, who may have another address now."""
        self.update(room, set())

    def is_banned(self, address: str, keys: Iterable[str]) -> bool:
        """Return whether the host has banned this address, or a person with one of these keys."""
        return address in self.banned or any(key in self.banned_keys for key in keys)

    def ban(self, addresses: Iterable[str], keys: Iterable[str]) -> None:
        """Ban addresses, and people by their keys."""
        for banned, names in ((self.banned, addresses), (self.banned_keys, keys)):
            banned.update(dict.fromkeys(names))
            while len(banned) > TABLE_BANS.fixed:
                del banned[next(iter(banned))]

    # ---- connected or away

    def update(self, room: Room, here: set[int]) -> None:
        """Note which seats are connected now."""
        now, keys = time.monotonic(), {seat.key for seat in room.seats}
        for noted in (self._left, self._returned, self._votes, self._reacted):
            for key in noted.keys() - keys:  # people may sit down and leave without end
                del noted[key]
        self._rematch_keys &= keys
        for place, seat in enumerate(room.seats):
            if place in here:
                self._left.pop(seat.key, None)
            elif seat.key:
                self._left.setdefault(seat.key, now)

    def seconds_away(self, seat: Seat) -> float:
        """Return the seconds since a person disconnected, 0 if they are connected."""
        left = self._left.get(seat.key)
        return 0.0 if left is None else time.monotonic() - left

    def returned(self, seat: Seat) -> None:
        """Note that a person has taken their seat back: votes are cleared, and the time for a move starts again."""
        self._votes.pop(seat.key, None)
        self._returned[seat.key] = time.monotonic()

    def seconds_waited(self, seat: Seat, since: float) -> float:
        """Return the seconds that the others have waited for a person, in a phase that began at `since`."""
        return time.monotonic() - max(since, self._returned.get(seat.key, since))

    # ---- votes for a bot, valid for one phase

    def vote(self, phase: int, seat: Seat, voters: set[str]) -> int:
        """Add votes against a person; return their number."""
        self.expire_votes(phase)
        self._phase = phase
        votes = self._votes.setdefault(seat.key, set())
        votes |= voters
        return len(votes)

    def votes(self, seat: Seat) -> int:
        """Count the votes against a person."""
        return len(self._votes.get(seat.key, ())) if seat.key else 0

    def expire_votes(self, phase: int) -> bool:
        """Clear the votes of a phase that is over; return whether there were any."""
        if not self._votes or phase == self._phase:
            return False
        self._votes.clear()
        return True

    # ---- signs

    def may_react(self, seat: Seat) -> bool:
        """Return whether a person may show a sign now; if so, count it."""
        now = time.monotonic()
        if now - self._reacted.get(seat.key, -_SIGN_SECONDS) < _SIGN_SECONDS:
            return False
        self._reacted[seat.key] = now
        return True

    # ---- rematch

    def set_rematch(self, room: Room, seats: Iterable[int]) -> None:
        """Note that the players of these seats want a rematch."""
        self._rematch_keys |= {room.seats[seat].key for seat in seats}

    def rematch_seats(self, room: Room) -> list[int]:
        """List the seats whose players want a rematch."""
        return [place for place, seat in enumerate(room.seats) if seat.key and seat.key in self._rematch_keys]

    def clear_rematch(self) -> None:
        """Clear the rematch votes: the table could not be opened."""
        self._rematch_keys.clear()
