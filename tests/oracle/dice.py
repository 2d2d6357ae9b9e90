"""The flow of a dice game: roll, action 1, action 2, next seat. Subclasses add sheets or a board."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from oracle.sheets import COLORS, Sheet
from oracle.table import Event, Table


class DiceTable(Table):
    """Dice, closed rows and the order of a turn (C2-C13, D5-D8)."""

    def __init__(self, seats: int, first: int, sheet: Sheet) -> None:
        super().__init__(seats, first, "roll")
        self.sheet = sheet
        self.closed: list[str] = []  # rows closed for all
        self.roll: str | None = None

    def white_cells(self, seat: int, total: int) -> list[tuple[str, int]]:
        """Cells this seat may take with the white sum (C3)."""
        return self.open_cells(seat, self.sheet.spots(total, None))

    @abstractmethod
    def open_cells(self, seat: int, spots: list[tuple[str, int]]) -> list[tuple[str, int]]:
        """Those of the cells that this seat may take."""

    def texts(self, seat: int, cells: list[tuple[str, int]]) -> list[str]:
        """Actions that start with these cells."""
        return [self.sheet.name(row, place) for row, place in cells]

    @abstractmethod
    def carry_out(self, seat: int, text: str) -> list[Event]:
        """Carry out a seat's whole decision."""

    @abstractmethod
    def shut(self, row: str) -> bool:
        """Whether a seat has closed this row."""

    def strike(self, color: str) -> list[Event]:
        """Apply the other effects of a closed color."""
        return []

    @abstractmethod
    def miss(self, seat: int) -> None:
        """Add a miss."""

    def gone(self) -> list[str]:
        """Colors of the dice that were removed from the game (C8, G3)."""
        return [self.sheet.die(row) for row in self.closed]

    def dice_text(self, text: str) -> str:
        """Return the text of a roll with `-` for removed dice (C8)."""
        dice = zip(COLORS, text[3:], strict=True)
        return text[:3] + "".join("-" if color in self.gone() else die for color, die in dice)

    def chance(self, text: str) -> list[Event]:
        """Roll the white dice and every color die still in play (C2)."""
        if self.phase != "roll":
            raise ValueError("nothing to roll now")
        faces = "12345678"[: self.sheet.sides]
        if len(text) != 7 or text[2] != "/" or text[0] not in faces or text[1] not in faces:
            raise ValueError(f"not a roll: {text}")
        for color, die in zip(COLORS, text[3:], strict=True):
            if (die != "-") if color in self.gone() else (die not in faces):
                raise ValueError(f"not a roll now: {text}")
        self.roll = text
        return [("rolled", text), *self.begin("white")]

    def asked(self) -> list[int]:
        """All seats in action 1, the active seat in action 2 (C3, C4)."""
        if self.phase == "white":
            return list(range(self.seats))
        return [self.active] if self.phase == "color" else []

    def actions(self, seat: int) -> list[str]:
        """Cells that the dice allow, and pass (C3, C4, C8)."""
        assert self.roll is not None
        whites = [int(self.roll[0]), int(self.roll[1])]
        cells: list[tuple[str, int]] = []
        if self.phase == "white":
            cells = self.white_cells(seat, sum(whites))
        else:
            for white in whites:
                for color, die in zip(COLORS, self.roll[3:], strict=True):
                    if die != "-":
                        cells += self.open_cells(seat, self.sheet.spots(white + int(die), color))
        return [*sorted(set(self.texts(seat, cells))), "pass"]

    def close_rows(self) -> list[Event]:
        """Close rows for all seats and remove their dice (C8, C9, G3, BA4)."""
        events: list[Event] = []
        newly = [row for row in self.sheet.rows if self.shut(row) and row not in self.closed]
        for row in newly:
            self.closed.append(row)
            color = self.sheet.die(row)
            events += [("closed", row), ("die-left", color)]
            events += self.strike(color)
        assert self.roll is not None
        self.roll = self.dice_text(self.roll)
        return events

    def resolve(self, chosen: list[str]) -> list[Event]:
        """Carry out all decisions, close rows, add a miss, test the end (C6, C8, C11, rulings 1 and 2)."""
        events: list[Event] = []
        for seat, text in enumerate(chosen):
            if text != "pass":
                events += self.carry_out(seat, text)
        events += self.close_rows()
        crossed = self.crossed or chosen[self.active] != "pass"
        if self.phase == "color" and not crossed:
            self.miss(self.active)
            events.append(("missed", self.active))
        ending = self.check()
        if ending is not None:
            return events + self.finish(ending)
        if self.phase == "white" and chosen[self.active] != "track":  # F2: instead of both actions
            self.crossed = crossed
            return events + self.begin("color")
        self.roll = None
        return events + self.pass_on("roll")

    def snapshot(self) -> dict[str, Any]:
        """Add the dice and the closed rows."""
        closed = [row for row in self.sheet.rows if row in self.closed]
        return super().snapshot() | {"roll": self.roll, "closed": closed}
