"""The sheets on which a cross can trigger more crosses: Bonus A and Bonus B."""

from __future__ import annotations

import copy
from typing import Any

from oracle.paper import Offer, Paper
from oracle.sheets import BAR, BOXED, PAIRS, POINTS, Sheet
from oracle.table import Event


class BarPaper(Paper):
    """A Bonus A sheet: boxed cells and a bar (BA1)."""

    def __init__(self, seat: int, sheet: Sheet) -> None:
        super().__init__(seat, sheet)
        self.used: set[int] = set()  # cells of the bar, counted from 1
        self.struck: set[int] = set()

    def carry_out(self, text: str, offer: Offer) -> list[Event]:
        """Cross a cell and apply its bonuses, until none is triggered (BA2, BA3, BA5)."""
        events = self.cross(*self.sheet.find(text))
        boxed_cell_crossed = text in BOXED
        while boxed_cell_crossed:
            boxed_cell_crossed = False
            free = [i for i in range(1, len(BAR) + 1) if i not in self.used and i not in self.struck]
            if free:
                bar_cell = min(free)
                self.used.add(bar_cell)
                events.append(("bonus", self.seat, bar_cell))
                made = self.cross_next(BAR[bar_cell - 1], offer.closed)
                events += made
                boxed_cell_crossed = made[0][0] == "crossed" and made[0][2] in BOXED
        return events

    def strike(self, color: str) -> list[Event]:
        """Strike the unused bar cells of a closed color (BA4)."""
        events: list[Event] = []
        for bar_cell, bar_color in enumerate(BAR, start=1):
            if bar_color == color and bar_cell not in self.used and bar_cell not in self.struck:
                self.struck.add(bar_cell)
                events.append(("struck", self.seat, bar_cell))
        return events

    def snapshot(self) -> dict[str, Any]:
        """Return the marks as plain data, with the bar."""
        return super().snapshot() | {"used": sorted(self.used), "struck": sorted(self.struck)}


class PairPaper(Paper):
    """A Bonus B sheet: ten marked cells in five pairs (BB1)."""

    def __init__(self, seat: int, sheet: Sheet) -> None:
        super().__init__(seat, sheet)
        self.tie: list[str] = []  # rows among which the last carried out decision had to choose

    def has(self, cell: str) -> bool:
        """Whether this cell is crossed."""
        row, place = self.sheet.find(cell)
        return place in self.crosses[row]

    def complete(self, kind: str) -> bool:
        """Whether both cells of a pair are crossed (BB1)."""
        return all(self.has(cell) for cell in PAIRS[kind])

    def fewest(self) -> list[str]:
        """Rows with the fewest crosses, closed rows and locks counted (BB2, ruling 8)."""
        low = min(self.count(row) for row in self.sheet.rows)
        return [row for row in self.sheet.rows if self.count(row) == low]

    def texts(self, row: str, place: int, offer: Offer) -> list[str]:
        """One action, or one per tied row if the decision meets a tie for the fewest crosses (BB2)."""
        cell = self.sheet.name(row, place)
        trial = copy.deepcopy(self)
        trial.carry_out(cell, offer)
        return [f"{cell}>{tied}" for tied in trial.tie] or [cell]

    def carry_out(self, text: str, offer: Offer) -> list[Event]:
        """Cross a cell, then apply completed pairs in the order of completion (BB4).

        Without a row named for a tie it stops at the tie: enough to detect it.
        """
        cell, _, named = text.partition(">")
        self.tie = []
        done = [kind for kind in PAIRS if self.complete(kind)]
        queue: list[str] = []

        def note(made: list[Event]) -> list[Event]:
            for kind in PAIRS:
                if kind not in done and self.complete(kind):
                    done.append(kind)
                    queue.append(kind)
            return made

        events = note(self.cross(*self.sheet.find(cell)))
        while queue:
            kind = queue.pop(0)
            events.append(("pair", self.seat, kind))
            if kind == "two-in-fewest":
                rows = self.fewest()
                if len(rows) > 1:
                    self.tie = rows
                    if not named:
                        return events
                chosen = named if len(rows) > 1 else rows[0]
                for _ in range(2):
                    events += note(self.cross_next(chosen, offer.closed))
            elif kind == "one-in-each":
                for row in self.sheet.rows:
                    events += note(self.cross_next(row, offer.closed))
        return events

    def score(self) -> int:
        """Add the points of the three pairs without a direct effect (BB1, BB6, BB7)."""
        total = super().score()
        if self.complete("double-fewest"):
            total += POINTS[self.count(self.fewest()[0])]
        if self.complete("plus-13"):
            total += 13
        if self.complete("free-misses"):
            total += 5 * self.misses
        return total
