"""The dice games in which each player has a sheet."""

from __future__ import annotations

from typing import Any

from oracle.big_points import BonusRowPaper
from oracle.bonus import BarPaper, PairPaper
from oracle.connected import ChainPaper, StairsPaper
from oracle.dice import DiceTable
from oracle.double import DoubleCellPaper, SecondBoxPaper
from oracle.exchange import ExchangePaper
from oracle.fifteen import SmallFieldPaper, TrackPaper
from oracle.paper import Offer, Paper
from oracle.sheets import COLORS, SHEETS, Sheet
from oracle.table import Event

PAPERS = {
    "bonus-a": BarPaper,
    "bonus-b": PairPaper,
    "big-points": BonusRowPaper,
    "double-a": SecondBoxPaper,
    "double-b": DoubleCellPaper,
    "x-change": ExchangePaper,
    "lucky-15": TrackPaper,
    "connect-15": SmallFieldPaper,
}
PADDED = {"connected-a": StairsPaper, "connected-b": ChainPaper}


def _paper(variant: str, seat: int, sheet: Sheet, pads: str) -> Paper:
    """Return an empty sheet; with pads each seat has its own (CA1, CB1, FR8)."""
    if variant in PADDED:
        return PADDED[variant](seat, sheet, pads[seat])
    return PAPERS.get(variant, Paper)(seat, sheet)


class SheetTable(DiceTable):
    """Classic, gemixxt A and B, Bonus A and B, Longo, and the eight games of the second part of the rule book."""

    def __init__(self, variant: str, seats: int, first: int, lucky: list[tuple[int, int]], pads: str) -> None:
        super().__init__(seats, first, SHEETS[variant])
        self.pads = pads if variant in PADDED else ""
        self.papers = [_paper(variant, seat, self.sheet, self.pads) for seat in range(seats)]
        self.lucky = lucky if variant == "longo" else [(0, 0)] * seats
        if len(self.lucky) != seats:
            raise ValueError("one lucky pair per seat (L4)")

    def open_cells(self, seat: int, spots: list[tuple[str, int]]) -> list[tuple[str, int]]:
        """Cells this seat may cross, given the rows closed at the start of the phase (C1, C7, C8, ruling 1)."""
        return [(row, place) for row, place in spots if self.papers[seat].may(row, place, self.closed)]

    def white_cells(self, seat: int, total: int) -> list[tuple[str, int]]:
        """Return the cells of the white sum, or the offer of a lucky number instead (C3, L4)."""
        cells = super().white_cells(seat, total)
        if total in self.lucky[seat]:
            paper = self.papers[seat]
            open_rows = [row for row in self.sheet.rows if row not in self.closed]
            low = min(paper.count(row) for row in open_rows)
            offered = [(row, paper.next(row)) for row in open_rows if paper.count(row) == low]
            cells += self.open_cells(seat, offered)
        return cells

    def texts(self, seat: int, cells: list[tuple[str, int]]) -> list[str]:
        """Actions that start with these cells; Bonus B may name a row (BB2)."""
        return [text for row, place in cells for text in self.papers[seat].texts(row, place, self.offer(seat))]

    def offer(self, seat: int) -> Offer:
        """Return what the dice and the open rows offer a seat in this action."""
        assert self.roll is not None
        colors = {color: int(die) for color, die in zip(COLORS, self.roll[3:], strict=True) if die != "-"}
        action = 1 if self.phase == "white" else 2
        return Offer(action, (int(self.roll[0]), int(self.roll[1])), colors, self.closed, seat == self.active)

    def actions(self, seat: int) -> list[str]:
        """Add the actions that only some sheets have."""
        *plain, last = super().actions(seat)
        return [*plain, *self.papers[seat].more(plain, self.offer(seat)), last]

    def carry_out(self, seat: int, text: str) -> list[Event]:
        """Carry out a decision on the seat's own sheet to its end (ruling 1)."""
        return self.papers[seat].carry_out(text, self.offer(seat))

    def shut(self, row: str) -> bool:
        """Whether any seat has this row's lock; several may, it is one row (C8, C9)."""
        return any(row in paper.locks for paper in self.papers)

    def strike(self, color: str) -> list[Event]:
        """Strike the bar cells of a closed color on all sheets (BA4)."""
        return [event for paper in self.papers for event in paper.strike(color)]

    def miss(self, seat: int) -> None:
        """Cross a miss (C6)."""
        self.papers[seat].misses += 1

    def check(self) -> str | None:
        """Two rows closed by any seats, or a fourth miss of a seat (C11, BB6)."""
        if len(self.closed) >= 2:
            return "rows"
        if any(paper.misses >= 4 for paper in self.papers):
            return "misses"
        return None

    def scores(self) -> list[int]:
        """Points of every sheet (C12)."""
        return [paper.score() for paper in self.papers]

    def snapshot(self) -> dict[str, Any]:
        """Add the sheets."""
        return super().snapshot() | {"seats": [paper.snapshot() for paper in self.papers]}
