"""The sheets that differ from seat to seat: Connected A with its stairs, Connected B with its chain."""

from __future__ import annotations

from oracle.paper import Offer, Paper
from oracle.sheets import CHAINS, POINTS, STAIRS, Sheet
from oracle.table import Event


class StairsPaper(Paper):
    """A Connected A pad: a framed cell in each column (CA1)."""

    def __init__(self, seat: int, sheet: Sheet, pad: str) -> None:
        super().__init__(seat, sheet)
        self.pad = pad

    def stairs(self) -> int:
        """Count the crossed framed cells."""
        return len([cell for cell in STAIRS[self.pad].split() if self.sheet.find(cell)[1] in self.crosses[cell[0]]])

    def score(self) -> int:
        """Add the stairs as a fifth row; a lock is no stair (CA2, FR19)."""
        return super().score() + POINTS[self.stairs()]


class ChainPaper(Paper):
    """A Connected B pad: six pairs of ringed cells (CB1)."""

    def __init__(self, seat: int, sheet: Sheet, pad: str) -> None:
        super().__init__(seat, sheet)
        self.pad = pad

    def partner(self, cell: str) -> str | None:
        """Return the other cell of a ringed cell's pair."""
        for pair in CHAINS[self.pad].split():
            first, second = pair.split("-")
            if cell == first:
                return second
            if cell == second:
                return first
        return None

    def carry_out(self, text: str, offer: Offer) -> list[Event]:
        """Cross a cell, and its partner whatever stands there (CB2, CB3, FR20, FR21, FR24)."""
        events = super().carry_out(text, offer)
        partner = self.partner(text)
        if partner is not None:
            row, place = self.sheet.find(partner)
            if place not in self.crosses[row]:
                self.crosses[row] = sorted([*self.crosses[row], place])
                events.append(("linked", self.seat, partner))
        return events
