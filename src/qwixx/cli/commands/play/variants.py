"""`qwixx variants`: list the games."""

from __future__ import annotations

import json
from typing import Any

import click

from qwixx.cli.terminal.language import LANG
from qwixx.cli.terminal.screen import make_console
from qwixx.cli.terminal.tables import show_variants
from qwixx.variants import load, names
from qwixx.variants.model import Variant


@click.command("variants")
@LANG
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
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
    """Return the facts of a game as plain data."""
    return {
        "id": variant.id,
        "name": variant.name,
        "title": variant.title,
        "seats": list(variant.seats),
        "printed_for": list(variant.printed or (variant.fewest_seats, variant.most_seats)),
        "kind": "duel" if variant.is_duel else "cards" if variant.is_cards else "dice",
        "die_sides": None if variant.is_cards else variant.sides,
        "sheets": list(variant.deck.sheets) if variant.deck else [variant.id],
    }
