"""Prints dice, cards, sheets and choices in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from qwixx.game.view import View
from qwixx.render.text import cards_rich, middle_rich, sheet_rich
from qwixx.text.notation import Action
from qwixx.variants.model import Variant

_NARROWEST = 20


def draw_sheet(
    console: Console,
    variant: Variant,
    view: View,
    seat: int,
    legal: Iterable[Action] = (),
    names: Sequence[str] = (),
) -> None:
    """Draw the sheet of a seat; in the duel, the board."""
    width = max(console.width, _NARROWEST)
    drawn = sheet_rich(variant, view, seat, legal, names, width)
    console.print(drawn, soft_wrap=not console.is_terminal, no_wrap=False)


def draw_sheets(console: Console, variant: Variant, view: View, names: Sequence[str]) -> None:
    """Draw the sheets of all seats; in the duel, the board."""
    for seat in range(1 if variant.is_duel else view.seats):
        if not variant.is_duel:
            console.print(Text(names[seat], "bold"))
        draw_sheet(console, variant, view, seat, (), names)
        console.print()


def draw_middle(console: Console, variant: Variant, view: View) -> None:
    """Draw the middle of the table: the dice, or the display and the pile."""
    middle = middle_rich(variant, view)
    if middle.plain:
        console.print(middle, soft_wrap=not console.is_terminal)


def draw_hands(console: Console, view: View, names: Sequence[str]) -> None:
    """Draw the hands of others as everybody sees them: from behind (K11)."""
    for sheet in view.sheets:
        if sheet.hand is None and sheet.backs:
            line = Text.assemble(f"{names[sheet.seat]}: ", cards_rich(tuple(map(str, sheet.backs))))
            console.print(line, soft_wrap=not console.is_terminal)


def choices_text(legal: Sequence[Action], numbers: Sequence[int], width: int) -> Text:
    """List choices with their numbers, in as many columns as fit."""
    entries = [f"{number + 1:>3} {legal[number].text}" for number in numbers]
    column = max((len(entry) for entry in entries), default=1) + 2
    columns = max(1, width // column)
    lines = [entries[start : start + columns] for start in range(0, len(entries), columns)]
    return Text("\n".join("".join(entry.ljust(column) for entry in line).rstrip() for line in lines))
