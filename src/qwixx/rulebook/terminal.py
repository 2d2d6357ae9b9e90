"""Prints rule pages in the terminal: Markdown, with drawings of sheets, points and played examples."""

from __future__ import annotations

from html import escape

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from qwixx.game.game import Game
from qwixx.game.view import SheetView
from qwixx.render.sheet_content import read_sum
from qwixx.render.text import bar_rich, cards_rich, middle_rich, rows_rich
from qwixx.rulebook import Fence, rules_page, segments, without_ids
from qwixx.rulebook.examples import Example, Frame, Picture, example
from qwixx.rulebook.page_files import words
from qwixx.rulebook.quick_reference import quick_card
from qwixx.variants import load
from qwixx.variants.model import Variant

_PAWNS = "#o"
"""The pawns of both players, as on sheets in the terminal."""
_COLUMN = 4


def show_page(console: Console, variant: Variant, page: str, language: str, *, cite: bool) -> None:
    """Print a rule page, with rule ids if `cite` is set."""
    for part in segments(page):
        if isinstance(part, Fence):
            _Drawing(console, variant, language).draw(part)
        elif part.strip():
            console.print(Markdown(part if cite else without_ids(part)))
            console.print()


def show_card(console: Console, variant: Variant, language: str) -> None:
    """Print the quick reference."""
    title = (
        rules_page(variant.id, language).partition("\n")[0]
        if variant.builtin
        else f"# {escape(variant.name, quote=False)}"
    )
    console.print(Markdown(title))
    for section in quick_card(variant, language):
        console.print()
        console.print(Text(section.title, "bold"))
        for line in section.lines:
            console.print(Markdown(line))
    console.print()
    _Drawing(console, variant, language).points()


class _Drawing:
    """Draws the fenced blocks of a page."""

    def __init__(self, console: Console, variant: Variant, language: str) -> None:
        self.console = console
        self.variant = variant
        self.words: dict[str, str] = words()["words"][language]

    def draw(self, fence: Fence) -> None:
        """Draw a block and a blank line."""
        if fence.kind == "sheet":
            self._lines(self._empty_sheet())
            self._lines(Text(self.words["signs"], "dim"))
        elif fence.kind == "points":
            self.points()
        else:
            self._example(example(self.variant.id, fence.name))
        self.console.print()

    def _lines(self, text: Text) -> None:
        self.console.print(text, no_wrap=True, crop=False)

    def _empty_sheet(self) -> Text:
        variant = self.variant
        view = Game(variant, variant.fewest_seats, seed=0, first=0).view(None)
        keys = [row.key for row in variant.rows]
        rows = rows_rich(variant, view, 0, keys, width=self.console.width)
        return (
            Text("\n").join([rows, bar_rich(variant, view.sheets[0], self.words["bar"], self.console.width)])
            if variant.bar
            else rows
        )

    def points(self) -> None:
        """Print the points for each number of crosses, in as many lines as necessary."""
        points = self.variant.points[: self.variant.most_counted]
        first, second = self.words["pawns" if self.variant.is_duel else "crosses"], self.words["points"]
        label = max(len(first), len(second)) + 1
        most = max(1, (self.console.width - label) // _COLUMN)
        parts = -(-len(points) // most)
        size = -(-len(points) // parts)
        for start in range(0, len(points), size):
            part = points[start : start + size]
            self._lines(Text(first.ljust(label) + "".join(f"{start + at + 1:{_COLUMN}}" for at in range(len(part)))))
            self._lines(Text(second.ljust(label) + "".join(f"{value:{_COLUMN}}" for value in part), "bold"))

    def _example(self, played: Example) -> None:
        variant = load(played.game, played.sheet or None)
        if played.dice:
            self._lines(middle_rich(variant, played.pictures[0].frames[0].view))
        for picture in played.pictures:
            for at, frame in enumerate(picture.frames):
                caption = self._caption(played, picture, at)
                if caption:
                    self._lines(Text(caption, "dim"))
                self._frame(variant, picture, frame, is_last=at == len(picture.frames) - 1)

    def _caption(self, played: Example, picture: Picture, at: int) -> str:
        name = self.words[f"seat{picture.seat}"] if len(played.pictures) > 1 else ""
        moment = self.words[("before", "after")[at]] if len(picture.frames) > 1 else ""
        return ", ".join(filter(None, (name, moment)))

    def _frame(self, variant: Variant, picture: Picture, frame: Frame, *, is_last: bool) -> None:
        view, sheet, width = frame.view, frame.view.sheets[picture.seat], self.console.width
        if "table" in picture.parts and view.number is not None:
            self._lines(
                cards_rich([str(number) for number in view.display]).append("  ").append(str(view.number), "bold")
            )
        self._lines(rows_rich(variant, view, picture.seat, picture.rows, frame.lit, width))
        if "bar" in picture.parts and variant.bar:
            self._lines(bar_rich(variant, sheet, self.words["bar"], width))
        if "hand" in picture.parts and sheet.hand:
            self._lines(Text(f"{self.words['hand']} ").append_text(cards_rich(sheet.hand)))
        if "sum" in picture.parts and is_last:
            for each in view.sheets if variant.is_duel else (sheet,):
                self._lines(self._sum(variant, each))

    def _sum(self, variant: Variant, sheet: SheetView) -> Text:
        """Return the sum of a score."""
        added = read_sum(variant, sheet)
        rows = " + ".join(str(points) for _, _, points in added.rows)
        pairs = f" + {added.extra} ({self.words['pairs']})" if added.extra else ""
        whose = f"{_PAWNS[sheet.seat]} " if variant.is_duel else ""
        return Text(f"{whose}{rows}{pairs} - {added.misses} ({self.words['misses']}) = ").append(
            str(added.total), "bold"
        )
