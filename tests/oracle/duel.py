"""The duel: two seats, one board, pawns that can be captured or stacked."""

from __future__ import annotations

from typing import Any

from oracle.dice import DiceTable
from oracle.sheets import CLASSIC, POINTS
from oracle.table import Event


class DuelTable(DiceTable):
    """The shared board (D1)."""

    def __init__(self, first: int) -> None:
        super().__init__(2, first, CLASSIC)
        # pawns[seat][row][place] is the number of pawns there, at least one
        self.pawns: list[dict[str, dict[int, int]]] = [{row: {} for row in self.sheet.rows} for _ in range(2)]
        self.locks: list[set[str]] = [set(), set()]
        self.misses = [0, 0]
        self.first: tuple[str, int] | None = None  # the cell of this turn's action 1

    def asked(self) -> list[int]:
        """Only the active player acts (D1)."""
        return [self.active] if self.phase in ("white", "color") else []

    def standing(self, seat: int, row: str) -> int:
        """Own pawns on the cells of a row, stacks counted in full (D7)."""
        return sum(self.pawns[seat][row].values())

    def supply(self, seat: int) -> int:
        """Pawns not on the board: 22 less those on cells, locks and miss boxes (D1, D8)."""
        on_cells = sum(self.standing(seat, row) for row in self.sheet.rows)
        return 22 - on_cells - len(self.locks[seat]) - self.misses[seat]

    def may(self, seat: int, row: str, place: int) -> bool:
        """Whether a pawn may be placed here: on a free cell, as a capture or on a stack (D2, D3, D4, D5, D7)."""
        own, other = self.pawns[seat][row], self.pawns[1 - seat][row]
        if row in self.closed or self.first == (row, place):
            return False
        rightmost = max([*own, *other], default=-1)
        if place in own:
            return place == rightmost
        if place < max(own, default=-1):
            return False
        if place in other:
            return place == rightmost and other[place] == 1
        return not self.sheet.closes(row, place) or self.standing(seat, row) >= self.sheet.need

    def open_cells(self, seat: int, spots: list[tuple[str, int]]) -> list[tuple[str, int]]:
        """Cells on which this seat may place a pawn (D2-D5)."""
        return [(row, place) for row, place in spots if self.may(seat, row, place)]

    def carry_out(self, seat: int, text: str) -> list[Event]:
        """Place a pawn on a cell, and one on the lock if that closes the row and one is left (D2-D4, D7)."""
        row, place = self.sheet.find(text)
        own, other = self.pawns[seat][row], self.pawns[1 - seat][row]
        word = "placed"
        if place in other:
            del other[place]
            word = "captured"
        if place in own:
            word = "stacked"
        own[place] = own.get(place, 0) + 1
        events: list[Event] = [(word, seat, text)]
        if self.sheet.closes(row, place) and self.supply(seat) > 0:
            self.locks[seat].add(row)
            events.append(("locked", seat, row))
        self.first = (row, place)
        return events

    def pass_on(self, phase: str) -> list[Event]:
        """End the turn; the next one may use every cell again (C13, D5)."""
        self.first = None
        return super().pass_on(phase)

    def shut(self, row: str) -> bool:
        """Whether there is a pawn on the last cell of this row, which closes it (D7)."""
        last = len(self.sheet.rows[row]) - 1
        return any(last in self.pawns[seat][row] for seat in range(2))

    def miss(self, seat: int) -> None:
        """Place a pawn on a miss box (D6)."""
        self.misses[seat] += 1

    def check(self) -> str | None:
        """Two rows closed, four misses in all, or a player's last pawn placed (D8)."""
        if len(self.closed) >= 2:
            return "rows"
        if sum(self.misses) >= 4:
            return "misses"
        if any(self.supply(seat) == 0 for seat in range(2)):
            return "pawns"
        return None

    def scores(self) -> list[int]:
        """Points by own pawns per row, lock included, at most twelve counted, minus 5 per own miss (D9)."""
        return [
            sum(
                POINTS[min(12, self.standing(seat, row) + (1 if row in self.locks[seat] else 0))]
                for row in self.sheet.rows
            )
            - 5 * self.misses[seat]
            for seat in range(2)
        ]

    def snapshot(self) -> dict[str, Any]:
        """Add the pawns of both."""
        seats = []
        for seat in range(2):
            pawns = {
                row: [(cells[place][0], height) for place, height in sorted(self.pawns[seat][row].items())]
                for row, cells in self.sheet.rows.items()
            }
            seats.append(
                {
                    "rows": {row: [value for value, _ in stacks] for row, stacks in pawns.items()},
                    "locks": [row for row in self.sheet.rows if row in self.locks[seat]],
                    "misses": self.misses[seat],
                    "used": [],
                    "struck": [],
                    "hand": [],
                    "pawns": pawns,
                }
            )
        return super().snapshot() | {"seats": seats}
