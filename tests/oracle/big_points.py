"""Big Points: two bonus rows, each between two rows of the sheet."""

from __future__ import annotations

from typing import Any

from oracle.paper import Offer, Paper
from oracle.sheets import BONUS_ROWS, Sheet
from oracle.table import Event


class BonusRowPaper(Paper):
    """A Big Points sheet (BP1). A place of a bonus row lies beside the same place of both neighbouring rows."""

    def __init__(self, seat: int, sheet: Sheet) -> None:
        super().__init__(seat, sheet)
        self.bonus: dict[str, list[int]] = {bonus_row: [] for bonus_row in BONUS_ROWS}

    def more(self, plain: list[str], offer: Offer) -> list[str]:
        """Find bonus cells that may be crossed instead of their numbers (BP2, BP3, BP4, FR10 to FR16)."""
        found = []
        for bonus_row, neighbours in BONUS_ROWS.items():
            for place, (value, _) in enumerate(self.sheet.rows[neighbours[0]]):
                right_of_all = place > max(self.bonus[bonus_row], default=-1)
                crossed = [row for row in neighbours if place in self.crosses[row]]
                if right_of_all and any(self.offers(offer, value, row) for row in crossed):
                    found.append(f"{bonus_row}{value}")
        return found

    def offers(self, offer: Offer, value: int, row: str) -> bool:
        """Whether the dice offer this number, in action 2 for the row of the die only (FR10, FR12)."""
        if offer.action == 1:
            return value == offer.white_sum
        return row in offer.colors and value - offer.colors[row] in offer.whites

    def carry_out(self, text: str, offer: Offer) -> list[Event]:
        """Cross a number, or a bonus cell instead."""
        bonus_row = text[:2]
        if bonus_row not in BONUS_ROWS:
            return super().carry_out(text, offer)
        place = self.sheet.find(bonus_row[0] + text[2:])[1]
        self.bonus[bonus_row].append(place)
        return [("bonus-cell", self.seat, text)]

    def counted(self, row: str) -> int:
        """Count a bonus cross as one more cross of both neighbouring rows (BP5, FR17)."""
        extra = [len(self.bonus[bonus_row]) for bonus_row, neighbours in BONUS_ROWS.items() if row in neighbours]
        return self.count(row) + sum(extra)

    def snapshot(self) -> dict[str, Any]:
        """Return the marks as plain data, with the bonus rows."""
        bonus = {
            bonus_row: [self.sheet.rows[bonus_row[0]][place][0] for place in places]
            for bonus_row, places in self.bonus.items()
        }
        return super().snapshot() | {"bonus": bonus}
