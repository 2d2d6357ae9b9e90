"""The sheets on which a cell can take two crosses: Double A and Double B."""

from __future__ import annotations

from typing import Any

from oracle.paper import Paper
from oracle.sheets import DOUBLE_CELLS, Sheet
from oracle.table import Event


class SecondBoxPaper(Paper):
    """A Double A sheet: every number but the last of a row has a second box (DA1)."""

    def __init__(self, seat: int, sheet: Sheet) -> None:
        super().__init__(seat, sheet)
        self.second: dict[str, list[int]] = {row: [] for row in sheet.rows}  # places with both boxes crossed

    def may(self, row: str, place: int, closed: list[str]) -> bool:
        """Whether a number may be crossed, for the first or for the second time (DA2, FR25, FR26, FR27)."""
        if place in self.crosses[row]:
            is_rightmost = place == max(self.crosses[row])
            has_second_box = place < len(self.sheet.rows[row]) - 1
            return row not in closed and is_rightmost and has_second_box and place not in self.second[row]
        return super().may(row, place, closed)

    def cross(self, row: str, place: int) -> list[Event]:
        """Cross the first box of a number, or its second."""
        if place in self.crosses[row]:
            self.second[row].append(place)
            return [("second", self.seat, self.sheet.name(row, place))]
        return super().cross(row, place)

    def toward_closing(self, row: str) -> int:
        """Second crosses count for the seven (DA3)."""
        return len(self.crosses[row]) + len(self.second[row])

    def counted(self, row: str) -> int:
        """Second crosses score (DA4)."""
        return self.count(row) + len(self.second[row])

    def snapshot(self) -> dict[str, Any]:
        """Return the marks as plain data, with the numbers whose second box is crossed."""
        second = {row: [self.sheet.rows[row][place][0] for place in places] for row, places in self.second.items()}
        return super().snapshot() | {"second": second}


class DoubleCellPaper(Paper):
    """A Double B sheet: four double cells in each row, which take two crosses at once (DB1, DB2)."""

    def doubles(self, row: str) -> int:
        """Crossed double cells of a row."""
        return len([place for place in self.crosses[row] if self.sheet.name(row, place) in DOUBLE_CELLS])

    def toward_closing(self, row: str) -> int:
        """Both crosses of a double cell count for the seven (DB3, FR30)."""
        return len(self.crosses[row]) + self.doubles(row)

    def counted(self, row: str) -> int:
        """Both crosses of a double cell score (DB3)."""
        return self.count(row) + self.doubles(row)
