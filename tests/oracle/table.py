"""Common parts of all games: a phase, an active seat, decisions that are stored and then resolved together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

Event = tuple[Any, ...]


class Table(ABC):
    """A game in progress; each kind of game implements the abstract methods."""

    def __init__(self, seats: int, first: int, phase: str) -> None:
        if not 0 <= first < seats:
            raise ValueError(f"no seat {first}")
        self.seats = seats
        self.active = first
        self.phase = phase
        self.turn = 1
        self.crossed = False  # the active seat has made a cross earlier in this turn
        self.choices: list[str | None] = [None] * seats
        self.ending: str | None = None

    @abstractmethod
    def asked(self) -> list[int]:
        """Seats that decide in this phase."""

    @abstractmethod
    def actions(self, seat: int) -> list[str]:
        """Legal actions of a seat that decides in this phase."""

    @abstractmethod
    def chance(self, text: str) -> list[Event]:
        """Apply a random event."""

    @abstractmethod
    def resolve(self, chosen: list[str]) -> list[Event]:
        """Apply all decisions of the phase; a seat that was not asked has `pass`."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Points of every seat."""

    @abstractmethod
    def check(self) -> str | None:
        """Return the reason why the game ends now, if it does."""

    def deciders(self) -> set[int]:
        """Seats that have not decided yet (ruling 1)."""
        return {seat for seat in self.asked() if self.choices[seat] is None}

    def legal(self, seat: int) -> list[str]:
        """All actions of a seat, decided already or not (ruling 1)."""
        return self.actions(seat) if seat in self.asked() else []

    def decide(self, seat: int, text: str) -> list[Event]:
        """Store a decision, and resolve the phase if it was the last one missing (ruling 1)."""
        if text not in self.legal(seat):
            raise ValueError(f"seat {seat} may not decide {text} in phase {self.phase}")
        self.choices[seat] = text
        events: list[Event] = [("decided", seat)]
        if not self.deciders():
            chosen = [choice or "pass" for choice in self.choices]
            self.choices = [None] * self.seats
            events += self.resolve(chosen)
        return events

    def begin(self, phase: str) -> list[Event]:
        """Start another phase of the same turn."""
        self.phase = phase
        return [("phase", phase)]

    def pass_on(self, phase: str) -> list[Event]:
        """End the turn: the next seat clockwise becomes active (C13)."""
        self.active = (self.active + 1) % self.seats
        self.turn += 1
        self.crossed = False
        return [("turn", self.active), *self.begin(phase)]

    def finish(self, ending: str) -> list[Event]:
        """End the game immediately (C11, K8, D8)."""
        self.phase = "over"
        self.ending = ending
        self.crossed = False
        return [("over", ending)]

    def snapshot(self) -> dict[str, Any]:
        """Return the facts of the table; each kind of game adds its own."""
        return {
            "phase": self.phase,
            "active": self.active,
            "turn": self.turn,
            "roll": None,
            "crossed": self.crossed,
            "choices": list(self.choices),
            "closed": [],
            "seats": [],
            "display": [None] * 4,
            "pile": [],
            "discards": [],
        }
