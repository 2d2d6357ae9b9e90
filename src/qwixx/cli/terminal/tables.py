"""Tables for wide and narrow terminals: in columns if they fit, otherwise row by row."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from qwixx.text.catalogue import t
from qwixx.text.labels import game_name
from qwixx.variants.model import Variant

_LEAST_PROSE = 20
"""Columns that a sentence needs to be read in a table."""
_INDENT = 2
_BETWEEN = 2


def show_table(
    console: Console,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    title: str = "",
    prose: Sequence[str] = (),
    numbers: bool = False,
) -> None:
    """
    Show rows below their headings. Only the columns of `prose` may wrap; `numbers` are aligned below a line.

    If the columns do not fit, each row becomes an entry: its first value, then the others with their headings.
    """
    widths = [
        _LEAST_PROSE if heading in prose else max(map(cell_len, (heading, *(row[at] for row in rows))))
        for at, heading in enumerate(headings)
    ]
    if sum(widths) + _BETWEEN * (len(widths) - 1) <= console.width:
        console.print(_table(headings, rows, title, prose, numbers))
        return
    if title:
        console.print(Text(title, "italic"))
    for row in rows:
        _show_entry(console, headings, row, prose)


def _table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], title: str, prose: Sequence[str], numbers: bool
) -> Table:
    padding = (0, _BETWEEN - 1 if numbers else _BETWEEN, 0, 0)
    table = Table(
        title=title or None, box=SIMPLE_HEAD if numbers else None, pad_edge=False, padding=padding, header_style="bold"
    )
    for at, heading in enumerate(headings):
        table.add_column(heading, no_wrap=heading not in prose, justify="right" if numbers and at else "left")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _show_entry(console: Console, headings: Sequence[str], row: Sequence[str], prose: Sequence[str]) -> None:
    """Show a row as an entry: values after their headings, as many on a line as fit."""
    console.print(Text(row[0], "bold"))
    room = console.width - _INDENT
    lines = [""]
    for heading, fact in zip(headings[1:], row[1:], strict=True):
        if heading in prose or not fact:
            continue
        item = f"{heading} {fact}"
        if lines[-1] and cell_len(lines[-1]) + 2 + cell_len(item) > room:
            lines.append("")
        lines[-1] += f"  {item}" if lines[-1] else item
    lines += [fact for heading, fact in zip(headings, row, strict=True) if heading in prose]
    for line in lines:
        if line:
            console.print(Padding(Text(line), (0, 0, 0, _INDENT)))


def show_variants(console: Console, variants: list[Variant]) -> None:
    """List games, with the seats here and the players that the printed games are for."""
    rows = []
    for variant in variants:
        seats = (variant.fewest_seats, variant.most_seats)
        about = t(f"game.{variant.id}.about")
        rows.append([variant.id, game_name(variant), _range(seats), _range(variant.printed or seats), about])
    headings = [t(f"cli.head.{name}") for name in ("id", "game", "seats", "printed", "about")]
    show_table(console, headings, rows, prose=headings[-1:])


def show_menu(console: Console, entries: Sequence[tuple[str, str, str]]) -> None:
    """List entries with numbers, a line each: a word to type, its name and what it is, as far as the columns fit."""
    rows = [(f"{number:>2}", *entry) for number, entry in enumerate(entries, 1)]
    widths = [max(cell_len(row[at]) for row in rows) + _BETWEEN for at in range(4)]
    shown = next(
        (columns for columns in ((0, 1, 2, 3), (0, 2, 3)) if sum(widths[at] for at in columns) <= console.width), (0, 2)
    )
    for row in rows:
        line = "".join(row[at] + " " * (widths[at] - cell_len(row[at])) for at in shown)
        console.print(Text(line.rstrip()), soft_wrap=not console.is_terminal)


def _range(ends: tuple[int, int]) -> str:
    least, most = ends
    return str(least) if least == most else f"{least}-{most}"
