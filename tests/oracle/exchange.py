"""X-Change: a bar whose fields turn the white sum into another number."""

from __future__ import annotations

from typing import Any

from oracle.paper import Offer, Paper
from oracle.sheets import FIELDS, Sheet
from oracle.table import Event


class ExchangePaper(Paper):
    """An X-Change sheet (XC1). Fields are counted from 1, left to right."""

    def __init__(self, seat: int, sheet: Sheet) -> None:
        super().__init__(seat, sheet)
        self.used: list[int] = []

    def exchanges(self, white_sum: int) -> dict[int, int]:
        """Find the numbers that the white sum can become, each with its field (XC2, FR31, FR32, FR33)."""
        found = {}
        for field, (one, other) in enumerate(FIELDS, start=1):
            if field > max(self.used, default=0):
                if one == white_sum:
                    found[other] = field
                if other == white_sum:
                    found[one] = field
        return found

    def more(self, plain: list[str], offer: Offer) -> list[str]:
        """Cells of the exchanged numbers, in action 1 only (XC2, XC3)."""
        if offer.action == 2:
            return []
        return [
            self.sheet.name(row, place)
            for value in self.exchanges(offer.white_sum)
            for row, place in self.sheet.spots(value, None)
            if self.may(row, place, offer.closed)
        ]

    def carry_out(self, text: str, offer: Offer) -> list[Event]:
        """Cross a cell; a number other than the white sum uses its field (XC2)."""
        value = int(text[1:])
        events: list[Event] = []
        if offer.action == 1 and value != offer.white_sum:
            field = self.exchanges(offer.white_sum)[value]
            self.used.append(field)
            events.append(("exchanged", self.seat, field))
        return events + super().carry_out(text, offer)

    def snapshot(self) -> dict[str, Any]:
        """Return the marks as plain data, with the used fields of the bar."""
        return super().snapshot() | {"exchanged": list(self.used)}
