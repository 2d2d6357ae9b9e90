"""A variant as a value: the content of its sheet file, before it is compiled for the kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from qwixx.errors import QwixxError
from qwixx.kernel.effects import find_effect

COLORS = "rygb"
"""Color letters in the order of the dice: red, yellow, green, blue."""
COLOR_NAMES = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}


T = TypeVar("T")
Pad = tuple[int, int]
"""The lucky numbers of a sheet of Longo, the small one first (L4)."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One printed number."""

    value: int
    color: str
    boxed: bool = False
    pair: str = ""
    after: int = 0
    """A small field has no number, `value` 0; this is the number left of it (F3)."""
    frame: str = ""
    """On a sheet `on_pad`: `stairs`, or `down` or `up`, where the linked cell is (CA1, CB1)."""

    @property
    def label(self) -> str:
        """The number as text; of a small field the number left of it: `3+`."""
        return f"{self.after}+" if self.after else str(self.value)


@dataclass(frozen=True, slots=True)
class Row:
    """An ordered list of cells; those from `closes_from` on close the row."""

    key: str
    cells: tuple[Cell, ...]
    closes_from: int

    @property
    def lock_color(self) -> str:
        """The die that leaves when the row closes: the color of its last cell (C8, G3)."""
        return self.cells[-1].color


@dataclass(frozen=True, slots=True)
class BonusRow:
    """A row without a lock and a die, between two rows with the same numbers (BP1); `above` is the index of one."""

    key: str
    above: int


@dataclass(frozen=True, slots=True)
class Deck:
    """The card game's deck and how it is dealt (K1, K2, K9)."""

    sheets: tuple[str, ...]
    numbers: tuple[int, ...]
    jokers: bool
    dealt: int
    left_out: int


@dataclass(frozen=True, slots=True, repr=False)
class Variant:
    """Everything that makes one game of the family differ from the others."""

    id: str
    name: str
    title: str
    flow: str
    fewest_seats: int
    most_seats: int
    provenance: str
    rows: tuple[Row, ...]
    sides: int
    closing_crosses: int
    end_rows: int
    end_misses: int
    points: tuple[int, ...]
    most_counted: int
    miss_points: int
    bar: tuple[str, ...] = ()
    pairs: dict[str, str] = field(default_factory=dict)
    """The effects of marked cells by letter: those of pairs, then those of any number of cells (`kernel.effects`)."""
    lucky: tuple[Pad, ...] = ()
    twice: bool = False
    """Whether the rightmost cross of a row may be made a second time (DA2)."""
    stairs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The framed cells of each pad (CA1)."""
    chain: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """The linked cells of each pad (CB1)."""
    exchange: tuple[Pad, ...] = ()
    """The fields of the bar that exchanges one number for another (XC1)."""
    track: tuple[int, ...] = ()
    """The points of a track's fields (F1)."""
    track_sum: int = 0
    faces: Pad | None = None
    """The two faces that offer a small field (F4)."""
    bonus_rows: tuple[BonusRow, ...] = ()
    pawns: int = 0
    deck: Deck | None = None
    printed: tuple[int, int] | None = None
    """The fewest and the most players that the printed game is for; other numbers of seats are our additions."""
    builtin: bool = True
    sheet: str = ""
    """Card games: the sheet they are played on."""
    _derived: dict[Callable[[Variant], Any], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def derived(self, make: Callable[[Variant], T]) -> T:
        """
        Return what a function makes of this variant: its layout, its vocabulary and so on.

        It is made once, and lives as long as the variant: all games of a variant share it.
        """
        found: T = self._derived.get(make)  # type: ignore[assignment]  # None is made again
        if found is None:
            found = self._derived[make] = make(self)
        return found

    def __getstate__(self) -> list[Any]:
        """Leave out everything that is derived: another process makes its own."""
        return [{} if each.name == "_derived" else getattr(self, each.name) for each in fields(self)]

    def __repr__(self) -> str:
        sheet = f" on {self.sheet}" if self.sheet not in ("", "classic") else ""
        return f"<Variant {self.id}{sheet}: {self.name}, {self.seat_counts}>"

    def __hash__(self) -> int:
        """Hash by id and sheet; the cells, which a dataclass would hash, are too many."""
        return hash((self.id, self.sheet))

    def weight(self, cell: Cell) -> int:
        """Return how many crosses of its row a cross on a cell is (DB2, F5); 1 if its letter has no known effect."""
        if cell.after:
            return 0
        try:
            return find_effect(self.pairs.get(cell.pair, ""))[0].weight
        except LookupError:
            return 1

    def most_crosses(self, row: Row) -> int:
        """Return the most crosses of a row that could score: all up to one that closes it, the lock, and beside it."""
        small = sum(1 for cell in row.cells if cell.after)
        beside = sum(len(row.cells) for each in self.bonus_rows if row in self.rows_beside(each))
        return (1 + self.twice) * sum(map(self.weight, row.cells[: row.closes_from])) + 2 + small + beside

    def rows_beside(self, bonus: BonusRow) -> tuple[Row, ...]:
        """Return the rows above and below a bonus row."""
        return self.rows[bonus.above : bonus.above + 2]

    @property
    def pads(self) -> tuple[str, ...]:
        """The names of the pads, if the seats have different ones (CA1, CB1)."""
        return (*self.stairs, *self.chain)

    @property
    def pays_for(self) -> str:
        """What gives points beside the rows: `pairs`, `stairs`, `track`, or nothing."""
        if any(find_effect(word)[0].scores for word in self.pairs.values()):
            return "pairs"
        return "stairs" if self.stairs else "track" if self.track else ""

    @property
    def extras(self) -> tuple[str, ...]:
        """The keys of what the sheet has beside rows of numbers."""
        names = ("twice", "stairs", "chain", "exchange", "track", "faces", "bonus_rows")
        return tuple(name for name in names if getattr(self, name))

    def on_pad(self, pad: str) -> Variant:
        """Return the variant with the frames of a pad on its cells, for drawings; the same if it has no pads."""
        if pad not in self.pads:
            return self
        return self.derived(_framed_pads)[pad]

    def row_number(self, key: str) -> int:
        """Return the number of a row, counted from 1 at the top: people name rows of mixed colors by it."""
        return [row.key for row in self.rows].index(key) + 1

    @property
    def seats(self) -> range:
        """The seat counts this variant can be played with."""
        return range(self.fewest_seats, self.most_seats + 1)

    @property
    def added_seats(self) -> tuple[int, ...]:
        """The seat counts that are our additions: those that the printed game does not have."""
        least, most = self.printed or (self.fewest_seats, self.most_seats)
        return tuple(count for count in self.seats if not least <= count <= most)

    @property
    def seat_counts(self) -> str:
        """The same as text: `2 to 5 seats`."""
        least, most = self.fewest_seats, self.most_seats
        return f"{least} seat{'s' if least > 1 else ''}" if least == most else f"{least} to {most} seats"

    def check_seats(self, seats: int) -> None:
        """Raise `QwixxError` if this variant is not played with this number of seats."""
        if seats not in self.seats:
            text = f"{self.id} is played with {self.seat_counts}, not {seats}."
            least, most = self.fewest_seats, self.most_seats
            if least == most:
                raise QwixxError(text, "seats.exact", game=self.id, n=most)
            raise QwixxError(text, "seats", game=self.id, least=least, most=most)

    def can_be_lucky(self, small: int, large: int) -> bool:
        """Return whether these are two different sums of two dice, the small one first (L5)."""
        return 2 <= small < large <= 2 * self.sides

    def check_lucky(self, lucky: Pad | None) -> None:
        """Raise `QwixxError` for lucky numbers that the dice cannot make, or if this variant has none (L4, L5)."""
        if lucky is None:
            return
        small, large = lucky
        if not self.lucky:
            raise QwixxError(f"{self.id} has no lucky numbers.", "no-lucky-numbers", game=self.id)
        if not self.can_be_lucky(small, large):
            raise QwixxError(
                f"Lucky numbers are two different sums from 2 to {2 * self.sides}, small first, not {small}/{large}.",
                "lucky-numbers",
                most=2 * self.sides,
            )

    def check_has_pads(self) -> None:
        """Raise `QwixxError` if all seats have the same pad (FR8)."""
        if not self.pads:
            raise QwixxError(f"In {self.id} all seats have the same pad.", "same-pad", game=self.id)

    @property
    def is_cards(self) -> bool:
        """Whether it is played with cards instead of dice."""
        return self.deck is not None

    @property
    def is_duel(self) -> bool:
        """Whether both players share one board."""
        return self.pawns > 0

    @property
    def is_mixed(self) -> bool:
        """Whether colors change within a row (G1)."""
        return any(cell.color != row.cells[0].color for row in self.rows for cell in row.cells)


def _framed_pads(variant: Variant) -> dict[str, Variant]:
    """Return the variant for each of its pads, with frames on the cells."""
    found = {}
    for pad in variant.pads:
        frames = dict.fromkeys(variant.stairs.get(pad, ()), "stairs")
        for one, other in variant.chain.get(pad, ()):
            frames |= {one: "down", other: "up"}
        rows = tuple(
            replace(row, cells=tuple(replace(c, frame=frames.get(row.key + c.label, "")) for c in row.cells))
            for row in variant.rows
        )
        found[pad] = replace(variant, rows=rows)
    return found
