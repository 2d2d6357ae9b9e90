"""`qwixx variants`: which games there are."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.table import Table

from qwixx.cli.screen import make_console
from qwixx.variants import load, names
from qwixx.variants.model import Variant


@click.command("variants")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def variants_command(as_json: bool) -> None:
    """
    List the nine games.

    Example: qwixx variants --json
    """
    variants = [load(name) for name in names()]
    if as_json:
        click.echo(json.dumps([facts(variant) for variant in variants], indent=2))
        return
    make_console().print(variants_table(variants))


def facts(variant: Variant) -> dict[str, Any]:
    """Give the facts of a game as plain data."""
    return {
        "id": variant.id,
        "name": variant.name,
        "title": variant.title,
        "seats": list(variant.seats),
        "kind": "duel" if variant.is_duel else "cards" if variant.is_cards else "dice",
        "die_sides": None if variant.is_cards else variant.sides,
        "sheets": list(variant.deck.sheets) if variant.deck else [variant.id],
    }


def variants_table(variants: list[Variant], *, numbered: bool = False) -> Table:
    """Draw a table of games."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in (["no."] if numbered else []) + ["id", "game", "seats", "in one sentence"]:
        table.add_column(heading, no_wrap=heading != "in one sentence")
    for number, variant in enumerate(variants, 1):
        least, most = variant.fewest_seats, variant.most_seats
        seats = str(least) if least == most else f"{least}-{most}"
        table.add_row(*([str(number)] if numbered else []), variant.id, variant.name, seats, variant.title)
    return table
