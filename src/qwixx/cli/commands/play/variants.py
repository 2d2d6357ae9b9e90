"""`qwixx variants`: which games there are."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console

from qwixx.cli.listing import show_table
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
    show_variants(make_console(), variants)


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


def show_variants(console: Console, variants: list[Variant], *, numbered: bool = False) -> None:
    """List games, on demand with a number to choose them by."""
    rows = []
    for number, variant in enumerate(variants, 1):
        least, most = variant.fewest_seats, variant.most_seats
        seats = str(least) if least == most else f"{least}-{most}"
        rows.append([*([str(number)] if numbered else []), variant.id, variant.name, seats, variant.title])
    headings = [*(["no."] if numbered else []), "id", "game", "seats", "in one sentence"]
    show_table(console, headings, rows, prose=["in one sentence"])
