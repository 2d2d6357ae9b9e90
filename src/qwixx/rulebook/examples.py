"""
The examples of the rule pages: a position, decisions, and their results, checked with the engine.

An example is written on the English page of its game; pages in other languages refer to it by its name:

    ```example one-roll
    classic turn=4 phase=white roll=35/2641 | g=12,10 | - | -
    show 0 g
    may 0 g8 r8
    not 0 g11
    1 y8
    2 pass
    0 g8
    ```

After the position line, `show` names a seat and the visible parts of its sheet: rows, `bar`, `misses`, `hand`, `sum`,
and `table` for the cards on the table; without parts, everything is shown. `may` and `not` list legal and illegal
actions of a seat at this point; legal actions before the first decision are marked in the picture. `score` states the
score of a seat, `over` that the game has ended, and a seat with an action is a decision. Anything else
than written here is an error, so that no example can be wrong.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from msgspec import Struct

from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.game.view import SheetView, View
from qwixx.rulebook.page_files import Fence, rules_page, segments
from qwixx.variants.model import Variant

PARTS = ("table", "bar", "misses", "hand", "sum")
"""Parts of a picture besides the rows."""


class Frame(Struct, frozen=True, rename="camel"):
    """A sheet at one moment: the view of its seat, cells to highlight, and new marks."""

    view: View
    lit: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


class Picture(Struct, frozen=True, rename="camel"):
    """The pictures of one seat: before and after, or a single moment."""

    seat: int
    rows: tuple[str, ...]
    parts: tuple[str, ...]
    frames: tuple[Frame, ...]


class Example(Struct, frozen=True, rename="camel"):
    """An example as it is drawn: the dice and the sheets."""

    game: str
    sheet: str
    """Card games: the sheet they are played on."""
    dice: str | None
    pictures: tuple[Picture, ...]


def fences(game: str) -> dict[str, Fence]:
    """Return the examples of a game's English page by name."""
    return {
        each.name: each for each in segments(rules_page(game)) if isinstance(each, Fence) and each.kind == "example"
    }


@cache
def example(game: str, name: str, sheet_file: Path | None = None) -> Example:
    """Play an example of a game; a game that is not in the package needs its sheet file."""
    return _ExampleRun(fences(game)[name], sheet_file).result()


class _ExampleRun:
    """Plays one example, line by line."""

    def __init__(self, fence: Fence, sheet_file: Path | None = None) -> None:
        """Take a block of a page."""
        self.name = fence.name
        first, *self.lines = fence.text.splitlines()
        self.game = Game.from_position(first, variant=sheet_file)
        self.shown: list[tuple[int, list[str]]] = []
        self.lit: dict[int, tuple[str, ...]] = {}
        self.decided = False

    def result(self) -> Example:
        """Play all lines, and return the views before and after."""
        dice = self.game.dice
        before: dict[int, View] = {}
        for line in self.lines:
            word, *rest = line.split()
            if word.isdecimal() and not self.decided:
                before, self.decided = self._views(), True
            self._do(word, rest)
        after = self._views()
        moments = [before, after] if self.decided else [after]
        variant = self.game.variant
        pictures = (self._picture(seat, wanted, [views[seat] for views in moments]) for seat, wanted in self._all())
        return Example(variant.id, variant.sheet, dice, tuple(pictures))

    def _all(self) -> list[tuple[int, list[str]]]:
        return self.shown or [(0, [])]

    def _views(self) -> dict[int, View]:
        return {seat: self.game.view(seat) for seat, _ in self._all()}

    def _do(self, word: str, rest: list[str]) -> None:
        if word == "show":
            self.shown.append((int(rest[0]), rest[1:]))
        elif word == "may":
            seat = int(rest[0])
            for action in rest[1:]:
                self._hold(self.game.why_not(seat, action) is None, f"{action} is not possible")
            if not self.decided:
                self.lit[seat] = tuple(action for action in rest[1:] if not action.startswith("play:"))
        elif word == "not":
            for action in rest[1:]:
                self._hold(self.game.why_not(int(rest[0]), action) is not None, f"{action} is possible")
        elif word == "score":
            scores = dict(enumerate(self.game.scores()))
            self._hold(scores[int(rest[0])] == int(rest[1]), f"the scores are {scores}")
        elif word == "over":
            self._hold(self.game.is_over, "the game is not over")
        else:
            self.game.decide(int(word), rest[0])

    def _hold(self, is_so: bool, otherwise: str) -> None:
        if not is_so:
            raise QwixxError(f"The example {self.name!r} of {self.game.variant.id} is wrong: {otherwise}.")

    def _picture(self, seat: int, wanted: list[str], views: list[View]) -> Picture:
        variant = self.game.variant
        keys = tuple(row.key for row in variant.rows)
        rows = tuple(key for key in keys if key in wanted) or keys
        parts = tuple(part for part in PARTS if part in wanted) if wanted else PARTS
        first, *later = views
        frames = [Frame(first, self.lit.get(seat, ()))]
        frames += [Frame(view, (), _new_marks(variant, first, view, seat)) for view in later]
        return Picture(seat, rows, parts, tuple(frames))


def _new_marks(variant: Variant, old: View, new: View, seat: int) -> tuple[str, ...]:
    """Return the new marks on a sheet, or on the shared board: cells, locks, a miss, fields of a track."""
    seats = range(new.seats) if variant.is_duel else (seat,)
    marks: list[str] = []
    for each in seats:
        marks += sorted(_marks(variant, new.sheets[each]) - _marks(variant, old.sheets[each]))
    return tuple(dict.fromkeys(mark.partition("=")[0] for mark in marks))


def _marks(variant: Variant, sheet: SheetView) -> set[str]:
    """Return the marks of a sheet; pawns with the height of their stack, so that one more is a new mark."""
    cells = {
        f"{row.key}{value}={height}"
        for row in sheet.rows
        for value, height in zip(row.crosses, row.heights, strict=True)
    }
    locks = {f"lock-{row.key}" for row in sheet.rows if row.locked}
    small = {f"{row.key}{value}+" for row in sheet.rows for value in row.small}
    bonus = {
        f"{beside.key}{value}"
        for beside, values in zip(variant.bonus_rows, sheet.bonus_rows, strict=True)
        for value in values
    }
    track = {f"track={number}" for number in range(sheet.track)}
    return cells | locks | small | bonus | track | {f"miss={number}" for number in range(sheet.misses)}
