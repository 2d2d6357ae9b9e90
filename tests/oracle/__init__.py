"""The naive oracle: every game of the family written a second time, straight from the rule book.

Lists, sets and dicts, slow and obvious. Nothing here imports the package under test; random play and perft compare the
two at every decision. Rule ids in docstrings are those of the rule book.
"""

from __future__ import annotations

import copy
from typing import Any

from oracle.cards import CardTable
from oracle.duel import DuelTable
from oracle.sheet_games import SheetTable
from oracle.sheets import DICE_GAMES, PADS
from oracle.table import Event, Table

__all__ = ["Event", "Oracle"]


class Oracle:
    """One game in progress; `sheet` matters to the card games only, `lucky` to Longo, `pads` to Connected A and B."""

    def __init__(
        self,
        variant: str,
        seats: int,
        first: int = 0,
        sheet: str = "classic",
        lucky: list[tuple[int, int]] | None = None,
        pads: str = "ABCDE",
    ) -> None:
        self.variant = variant
        self.table: Table
        if variant in DICE_GAMES:
            if not 1 <= seats <= 5:
                raise ValueError(f"{variant} takes 1 to 5 seats")
            pairs = PADS[:seats] if lucky is None else lucky
            self.table = SheetTable(variant, seats, first, pairs, pads)
        elif variant in ("cards", "cards-joker"):
            if not 2 <= seats <= 5:
                raise ValueError(f"{variant} takes 2 to 5 seats")
            self.table = CardTable(seats, first, sheet, jokers=variant == "cards-joker")
        elif variant == "duel":
            if seats != 2:
                raise ValueError("the duel takes 2 seats (D1)")
            self.table = DuelTable(first)
        else:
            raise ValueError(f"no such variant: {variant}")

    @property
    def phase(self) -> str:
        """The current phase."""
        return self.table.phase

    @property
    def active(self) -> int:
        """The seat whose turn it is."""
        return self.table.active

    @property
    def ending(self) -> str | None:
        """The reason why the game is over, if it is."""
        return self.table.ending

    def deciders(self) -> set[int]:
        """Seats that owe a decision now (ruling 1)."""
        return self.table.deciders()

    def legal(self, seat: int) -> list[str]:
        """All legal decisions of this seat in this phase, as text."""
        return self.table.legal(seat)

    def chance(self, text: str) -> list[Event]:
        """Apply a random event: a roll, a deal or a shuffle."""
        return self.table.chance(text)

    def decide(self, seat: int, text: str) -> list[Event]:
        """Store a decision; the last decider resolves the phase (ruling 1)."""
        return self.table.decide(seat, text)

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state as plain data."""
        return self.table.snapshot()

    def scores(self) -> list[int]:
        """Points of every seat if the game ended now (C12, L3, D9)."""
        return self.table.scores()

    def winners(self) -> list[int]:
        """Seats with the highest total; equal totals share the win (C12, ruling 4)."""
        if self.phase != "over":
            raise ValueError("nobody has won yet")
        scores = self.scores()
        return [seat for seat, score in enumerate(scores) if score == max(scores)]

    def clone(self) -> Oracle:
        """Return an independent copy of the game."""
        return copy.deepcopy(self)
