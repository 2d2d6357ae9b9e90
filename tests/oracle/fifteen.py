"""Qwixx 15: Lucky 15 with its track, Connect 15 with its small fields."""

from __future__ import annotations

from typing import Any

from oracle.paper import Offer, Paper
from oracle.sheets import SMALL, TRACK, Sheet
from oracle.table import Event


class TrackPaper(Paper):
    """A Lucky 15 sheet: a track of four fields (F1)."""

    def __init__(self, seat: int, sheet: Sheet) -> None:
        super().__init__(seat, sheet)
        self.fields = 0

    def more(self, plain: list[str], offer: Offer) -> list[str]:
        """Offer the next field, if both whites and a color die make 15 (F2, FR36, FR38, FR39)."""
        makes_15 = any(offer.white_sum + die == 15 for die in offer.colors.values())
        if offer.active and offer.action == 1 and makes_15 and self.fields < len(TRACK):
            return ["track"]
        return []

    def carry_out(self, text: str, offer: Offer) -> list[Event]:
        """Cross a number, or the next field of the track."""
        if text == "track":
            self.fields += 1
            return [("track", self.seat, self.fields)]
        return super().carry_out(text, offer)

    def score(self) -> int:
        """Add the points of the best field (F1)."""
        return super().score() + ([0, *TRACK][self.fields])

    def snapshot(self) -> dict[str, Any]:
        """Return the marks as plain data, with the crossed fields."""
        return super().snapshot() | {"track": self.fields}


class SmallFieldPaper(Paper):
    """A Connect 15 sheet: three small fields in each row (F3). A small field is named by the number left of it."""

    def __init__(self, seat: int, sheet: Sheet) -> None:
        super().__init__(seat, sheet)
        self.small: dict[str, list[int]] = {row: [] for row in sheet.rows}  # places of the numbers left of them

    def may(self, row: str, place: int, closed: list[str]) -> bool:
        """Whether a number may be crossed: it also has to lie right of all small fields (F3, FR46)."""
        right_of_small = place > max(self.small[row], default=-1)
        return right_of_small and super().may(row, place, closed)

    def may_small(self, row: str, place: int, closed: list[str]) -> bool:
        """Whether the small field after this place may be crossed (F3, FR42, FR46, FR48)."""
        right_of_numbers = place >= max(self.crosses[row], default=-1)
        right_of_small = place > max(self.small[row], default=-1)
        return row not in closed and row not in self.locks and right_of_numbers and right_of_small

    def rows_of_1_and_5(self, offer: Offer) -> list[str]:
        """Rows that the pairs of a 1 and a 5 allow (F4, FR43)."""
        dice = [("white", offer.whites[0]), ("white", offer.whites[1]), *offer.colors.items()]
        rows: set[str] = set()
        for first, one in dice:
            for second, five in dice:
                if one == 1 and five == 5:
                    if first == second == "white":
                        rows.update(self.sheet.rows)
                    rows.update({first, second} - {"white"})
        return sorted(rows)

    def more(self, plain: list[str], offer: Offer) -> list[str]:
        """Small fields, alone or beside the white sum (F4, FR41, FR44, FR45, FR47)."""
        if offer.action == 2:
            return []
        small = [
            f"{self.sheet.name(row, place)}+"
            for row in self.rows_of_1_and_5(offer)
            for place in (self.sheet.find(f"{row}{value}")[1] for value in SMALL[row])
            if self.may_small(row, place, offer.closed)
        ]
        return small + [f"{cell},{field}" for cell in plain for field in small]

    def carry_out(self, text: str, offer: Offer) -> list[Event]:
        """Cross a number, a small field or both; in one row from left to right (FR44)."""
        events: list[Event] = []
        parts = text.split(",")
        if len({part[0] for part in parts}) == 1:
            parts.sort(key=self.from_left_to_right)
        for part in parts:
            if part.endswith("+"):
                row, place = self.sheet.find(part.removesuffix("+"))
                self.small[row].append(place)
                events.append(("small", self.seat, part))
            else:
                events += super().carry_out(part, offer)
        return events

    def from_left_to_right(self, part: str) -> float:
        """Where a cell or small field lies."""
        place = self.sheet.find(part.removesuffix("+"))[1]
        return place + 0.5 if part.endswith("+") else place

    def counted(self, row: str) -> int:
        """Small fields score as crosses (F5)."""
        return self.count(row) + len(self.small[row])

    def snapshot(self) -> dict[str, Any]:
        """Return the marks as plain data, with the small fields by the numbers left of them."""
        small = {row: [self.sheet.rows[row][place][0] for place in places] for row, places in self.small.items()}
        return super().snapshot() | {"small": small}
