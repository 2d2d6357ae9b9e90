"""Prints dice, cards, sheets and choices in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from qwixx.cli.table.input_parser import numbered
from qwixx.cli.terminal.pages import lines_of
from qwixx.game.game import Game
from qwixx.game.view import View
from qwixx.render.text import brief_sheet_rich, cards_rich, middle_rich, sheet_rich
from qwixx.text.catalogue import t
from qwixx.text.notation import Action
from qwixx.variants.model import Variant

_NARROWEST = 20
_MOST_LISTED = 24
"""Choices that are listed without being asked for."""
_LEAST_CHOICES = 4
"""Lines of choices for which something else is left out."""


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


def hands_of_others(view: View, names: Sequence[str]) -> list[Text]:
    """Return the hands of others as everybody sees them: from behind (K11)."""
    return [
        Text.assemble(f"{names[sheet.seat]}: ", cards_rich(tuple(map(str, sheet.backs))))
        for sheet in view.sheets
        if sheet.hand is None and sheet.backs
    ]


def decision_parts(
    console: Console,
    game: Game,
    seat: int,
    names: Sequence[str],
    below: Sequence[Text],
    room: int | None,
) -> list[Text]:
    """
    Return what a person needs to decide: the sheet, the middle of the table, the lines `below` it, and the choices.

    On a screen with less `room`, the sheet has no sum of points, then the hands of others are left out, and only the
    choices that fit are listed. The commands `sheet`, `score` and `list` show everything.
    """
    variant, view, legal, width = game.variant, game.view(seat), game.legal(seat), max(console.width, _NARROWEST)
    middle = [each for each in (middle_rich(variant, view),) if each.plain]
    for is_brief, others in ((False, hands_of_others(view, names)), (True, hands_of_others(view, names)), (True, [])):
        whole = sheet_rich(variant, view, seat, legal, names, width)
        sheet = brief_sheet_rich(variant, view, seat, legal, width) if is_brief else whole
        parts = [sheet, *middle, *others, *below]
        if room is None:
            return [*parts, *some_choices(legal, console.width)]
        free = room - lines_of(console, *parts)
        choices = some_choices(legal, console.width)
        if lines_of(console, *choices) <= free or free >= _LEAST_CHOICES:
            break
    return [*parts, *some_choices(legal, console.width, max(free, 2))]


def some_choices(legal: Sequence[Action], width: int, most_lines: int | None = None) -> list[Text]:
    """List choices; if there are very many, only those with most crosses, and how many there are besides."""
    legal = numbered(legal)
    fit = _MOST_LISTED
    if most_lines is not None and choices_text(legal, range(len(legal)), width).plain.count("\n") >= most_lines:
        fit = min(fit, _columns(legal, range(len(legal)), width)[0] * (most_lines - 1))
    if len(legal) <= fit:
        return [choices_text(legal, range(len(legal)), width)]
    numbers = sorted(sorted(range(len(legal)), key=lambda number: -_crosses(legal[number]))[:fit])
    return [choices_text(legal, numbers, width), Text(f"    {t('cli.more', n=len(legal) - fit)}", "dim")]


def choices_text(legal: Sequence[Action], numbers: Sequence[int], width: int) -> Text:
    """List choices with their numbers, in as many columns as fit."""
    legal = numbered(legal)
    columns, column = _columns(legal, numbers, width)
    entries = [_entry(legal, number) for number in numbers]
    lines = [entries[start : start + columns] for start in range(0, len(entries), columns)]
    return Text("\n".join("".join(entry.ljust(column) for entry in line).rstrip() for line in lines))


def _entry(legal: Sequence[Action], number: int) -> str:
    return f"{number + 1:>3} {legal[number].text}"


def _columns(legal: Sequence[Action], numbers: Sequence[int], width: int) -> tuple[int, int]:
    """Return how many columns fit, and how wide one is."""
    column = max((len(_entry(legal, number)) for number in numbers), default=1) + 2
    return max(1, width // column), column


def _crosses(action: Action) -> int:
    """Count the cells that a play crosses."""
    cells = action.text.partition("=")[2]
    return cells.count(",") + 1 if cells else 0
