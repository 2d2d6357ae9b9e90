"""One seat's sheet with its marks: which cells may be crossed, and the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from oracle.sheets import POINTS, Sheet
from oracle.table import Event


@dataclass(frozen=True)
class Offer:
    """What one seat may use in this action: the dice, and the rows closed at the start (R1)."""

    action: int  # 1 or 2
    whites: tuple[int, int]
    colors: dict[str, int]  # color dice still in play (C8)
    closed: list[str]
    active: bool

    @property
    def white_sum(self) -> int:
        """The sum of both white dice (C3)."""
        return sum(self.whites)


class Paper:
    """Crosses, locks and misses of one seat."""

    def __init__(self, seat: int, sheet: Sheet) -> None:
        self.seat = seat
        self.sheet = sheet
        self.crosses: dict[str, list[int]] = {row: [] for row in sheet.rows}  # places, left to right
        self.locks: set[str] = set()
        self.misses = 0

    def count(self, row: str) -> int:
        """Crosses of a row, the lock included (C7)."""
        return len(self.crosses[row]) + (1 if row in self.locks else 0)

    def toward_closing(self, row: str) -> int:
        """Crosses that count for the five (six, seven) that closing needs; the lock never does (C7)."""
        return len(self.crosses[row])

    def counted(self, row: str) -> int:
        """Crosses of a row that score (C12)."""
        return self.count(row)

    def next(self, row: str) -> int:
        """Place directly right of the rightmost cross, or the first of an empty row (BA2, BB2, L4)."""
        return max(self.crosses[row], default=-1) + 1

    def may(self, row: str, place: int, closed: list[str]) -> bool:
        """Whether a cell may be crossed (C1, C7, C8, C10, L2)."""
        if row in closed or row in self.locks:
            return False
        if place < self.next(row) or place >= len(self.sheet.rows[row]):
            return False
        return not self.sheet.closes(row, place) or self.toward_closing(row) >= self.sheet.need

    def cross(self, row: str, place: int) -> list[Event]:
        """Cross one cell, and the lock with it if the cell closes the row (C7)."""
        self.crosses[row].append(place)
        events: list[Event] = [("crossed", self.seat, self.sheet.name(row, place))]
        if self.sheet.closes(row, place):
            self.locks.add(row)
            events.append(("locked", self.seat, row))
        return events

    def cross_next(self, row: str, closed: list[str]) -> list[Event]:
        """Cross the next cell of a row, or lose the cross (BA2, BA5, BB2, BB3, BB5)."""
        if self.may(row, self.next(row), closed):
            return self.cross(row, self.next(row))
        return [("lost", self.seat, row)]

    def texts(self, row: str, place: int, offer: Offer) -> list[str]:
        """Every action that starts with crossing this allowed cell; plain sheets have one."""
        return [self.sheet.name(row, place)]

    def more(self, plain: list[str], offer: Offer) -> list[str]:
        """Further actions besides the plain crosses; plain sheets have none."""
        return []

    def carry_out(self, text: str, offer: Offer) -> list[Event]:
        """Carry out a whole decision on this sheet (ruling 1)."""
        return self.cross(*self.sheet.find(text))

    def strike(self, color: str) -> list[Event]:
        """Strike the cells that a closed color makes useless; only Bonus A has them (BA4)."""
        return []

    def score(self) -> int:
        """Points by crosses per row, minus 5 per miss (C12, G4, L3)."""
        counted = [min(self.counted(row), self.sheet.most) for row in self.sheet.rows]
        return sum(POINTS[crosses] for crosses in counted) - 5 * self.misses

    def snapshot(self) -> dict[str, Any]:
        """Return the marks as plain data."""
        return {
            "rows": {row: [cells[place][0] for place in self.crosses[row]] for row, cells in self.sheet.rows.items()},
            "locks": [row for row in self.sheet.rows if row in self.locks],
            "misses": self.misses,
            "used": [],
            "struck": [],
            "hand": [],
        }
