"""The content of a sheet: a view and its variant combined, cell by cell, for all drawings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from qwixx.game.view import SheetView, View
from qwixx.text.notation import Action
from qwixx.variants.model import Cell, Row, Variant

_PHASES = {
    "roll": "before the roll",
    "white": "white sum",
    "color": "color sum",
    "deal": "before the deal",
    "draw": "draw",
    "shuffle": "before the shuffle",
    "number": "number for all",
    "play": "play",
    "over": "over",
}


class CellInk(NamedTuple):
    """A printed cell and its state."""

    name: str
    printed: Cell
    crossed: bool
    lost: bool
    """It can never be crossed on this sheet: it is left of a cross, or its row is closed."""
    legal: bool
    owner: int | None = None
    """Duel: the owner of the pawns here, if there are any; `crossed` is then true."""
    height: int = 0
    """How many crosses (DA2, DB2), in the duel pawns."""


class RowInk(NamedTuple):
    """A row with its cells, its lock and its points."""

    key: str
    color: str | None
    """None if colors change within the row."""
    cells: tuple[CellInk, ...]
    lock_color: str
    lock_by: tuple[int, ...]
    """Seats with a cross, or a pawn, on this lock."""
    closed: bool
    closes_from: int


class BonusInk(NamedTuple):
    """A row without a lock, below the row with the index `above` (BP1)."""

    key: str
    above: int
    cells: tuple[CellInk, ...]


class Sum(NamedTuple):
    """The terms of a score: points of the rows, cost of the misses, extra points, and the total."""

    rows: tuple[tuple[str, str | None, int], ...]
    """Key, color letter (if it has one color) and points of each row."""
    misses: int
    extra: int
    total: int


def read_rows(variant: Variant, view: View, seat: int, legal: Iterable[str | Action] = ()) -> tuple[RowInk, ...]:
    """Return the rows of a seat's sheet; in the duel those of the board, with the pawns of both players."""
    lit = legal_cells(legal)
    variant = variant.on_pad(view.sheets[seat].pad)
    return tuple(_read_row(variant, view, seat, index, row, lit) for index, row in enumerate(variant.rows))


def read_bonus_rows(
    variant: Variant, view: View, seat: int, legal: Iterable[str | Action] = ()
) -> tuple[BonusInk, ...]:
    """Return the bonus rows of a seat's sheet (BP1)."""
    lit = legal_cells(legal)
    found = []
    for bonus, crosses in zip(variant.bonus_rows, view.sheets[seat].bonus_rows, strict=True):
        cells = []
        printed = variant.rows[bonus.above].cells
        last = max((at for at, cell in enumerate(printed) if cell.value in crosses), default=-1)
        for at, cell in enumerate(printed):
            name, is_crossed = bonus.key + cell.label, cell.value in crosses
            lost = at < last and not is_crossed
            cells.append(CellInk(name, cell, is_crossed, lost=lost, legal=name in lit, height=int(is_crossed)))
        found.append(BonusInk(bonus.key, bonus.above, tuple(cells)))
    return tuple(found)


def _read_row(variant: Variant, view: View, seat: int, index: int, row: Row, lit: set[str]) -> RowInk:
    seen = view.sheets if variant.is_duel else (view.sheets[seat],)
    lock_by = tuple(sheet.seat for sheet in seen if sheet.rows[index].locked)
    closed = row.key in view.closed or bool(lock_by)
    standing = {
        str(value): (sheet.seat, height)
        for sheet in seen
        for value, height in zip(sheet.rows[index].crosses, sheet.rows[index].heights, strict=True)
    }
    standing |= {f"{after}+": (seat, 1) for after in view.sheets[seat].rows[index].small}
    rightmost = max((at for at, cell in enumerate(row.cells) if cell.label in standing), default=-1)
    cells = []
    for at, cell in enumerate(row.cells):
        owner, height = standing.get(cell.label, (None, 0))
        skipped = at < rightmost and not variant.is_duel  # on a shared board each player counts their own pawns
        cells.append(
            CellInk(
                name=row.key + cell.label,
                printed=cell,
                crossed=height > 0,
                lost=height == 0 and (skipped or closed),
                legal=row.key + cell.label in lit,
                owner=owner if variant.is_duel else None,
                height=height,
            )
        )
    return RowInk(row.key, row_color(row), tuple(cells), row.lock_color, lock_by, closed, row.closes_from)


def row_color(row: Row) -> str | None:
    """Return the color of a row, None if colors change within it."""
    colors = {cell.color for cell in row.cells}
    return colors.pop() if len(colors) == 1 else None


def legal_cells(legal: Iterable[str | Action]) -> set[str]:
    """Name the cells that any of these actions crosses: `r7`, `y11>r`, `play:r4,r5=r4`."""
    cells: set[str] = set()
    for text in map(str, legal):
        named = text.partition("=")[2] if text.startswith("play:") else text.partition(">")[0]
        cells.update(named.split(","))
    return cells


def read_sum(variant: Variant, sheet: SheetView) -> Sum:
    """Split a score into the boxes at the foot of a sheet."""
    rows = tuple(
        (row.key, row_color(printed), row.points) for row, printed in zip(sheet.rows, variant.rows, strict=True)
    )
    misses = sheet.misses * variant.miss_points
    return Sum(rows, misses, sheet.score - sum(points for _, _, points in rows) + misses, sheet.score)


def bar_marks(variant: Variant, sheet: SheetView) -> tuple[tuple[str, str, str], ...]:
    """Return each cell of the bar: its row's key, its color letter, and `used`, `struck` or `open`."""
    colors = {row.key: row.lock_color for row in variant.rows}
    marks = []
    for place, key in enumerate(variant.bar, 1):
        mark = "used" if place in sheet.used else "struck" if place in sheet.struck else "open"
        marks.append((key, colors[key], mark))
    return tuple(marks)


def exchange_marks(variant: Variant, sheet: SheetView) -> tuple[tuple[str, str], ...]:
    """Return each field of the bar that exchanges numbers: its text, and `used`, `struck` (skipped) or `open` (XC2)."""
    last = max(sheet.exchanged, default=0)
    return tuple(
        (f"{one}/{other}", "used" if place in sheet.exchanged else "struck" if place < last else "open")
        for place, (one, other) in enumerate(variant.exchange, 1)
    )


def track_marks(variant: Variant, sheet: SheetView) -> tuple[tuple[str, str], ...]:
    """Return each field of the track: its points, and `used` or `open` (F1)."""
    return tuple((str(points), "used" if at < sheet.track else "open") for at, points in enumerate(variant.track))


class Marked(NamedTuple):
    """The cells with the same letter: their effect, how many they are, and how many of them are crossed."""

    letter: str
    word: str
    cells: int
    crossed: int


def read_marked(variant: Variant, rows: Sequence[RowInk]) -> list[Marked]:
    """Return the marked cells, letter by letter."""
    found = []
    for letter, word in variant.pairs.items():
        cells = [cell.crossed for row in rows for cell in row.cells if cell.printed.pair == letter]
        found.append(Marked(letter, word, len(cells), sum(cells)))
    return found


def pair_words(kind: str) -> str:
    """Return the kind of a pair in words: `two in fewest`, `+13`."""
    return kind.replace("plus-", "+").replace("-", " ")


def seat_name(seat: int, names: Sequence[str]) -> str:
    """Return the name of a seat: that of its player, if there is one."""
    return names[seat] if seat < len(names) and names[seat] else f"seat {seat}"


def status(view: View, names: Sequence[str] = ()) -> str:
    """Return the state of the game in one line."""
    if view.ending:
        return f"turn {view.turn}, over: {view.ending}"
    return f"turn {view.turn}, {seat_name(view.active, names)} is active, {_PHASES[view.phase]}"


def dice_faces(view: View) -> tuple[tuple[str, str], ...]:
    """Return the dice on the table as letter and face, whites first; `-` for a die that has left."""
    faces = (view.dice or "").replace("/", "")
    return tuple(zip("wwrygb", faces, strict=True)) if faces else ()
