"""`qwixx rules`: how a game is played."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib import resources
from typing import Any

import click
from rich.markdown import Markdown

from qwixx.cli.desk import VARIANT
from qwixx.cli.screen import make_console
from qwixx.variants import load
from qwixx.variants.model import Variant


@click.command("rules")
@click.argument("variant", type=VARIANT)
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON: the page and each rule with its id.")
def rules_command(variant: str, as_json: bool) -> None:
    """
    Explain how VARIANT is played.

    Example: qwixx rules bonus-a
    """
    rules_id = book_id(load(variant))
    page = resources.files("qwixx").joinpath("rulebook", f"{rules_id}.md").read_text("utf-8")
    if as_json:
        rules = [{"id": key, **rule} for key, rule in rule_book().items() if rules_id in rule["games"]]
        click.echo(json.dumps({"variant": rules_id, "page": page, "rules": rules}, indent=2, ensure_ascii=False))
        return
    make_console().print(Markdown(page))


@cache
def rule_book() -> dict[str, dict[str, Any]]:
    """Read all rules: id, title, sentence and the games they hold for."""
    return tomllib.loads(resources.files("qwixx").joinpath("rulebook", "rules.toml").read_text("utf-8"))


def book_id(variant: Variant) -> str:
    """Give the game whose rules page holds for a variant: its own, or for a sheet of one's own the nearest."""
    if variant.deck:
        return "cards-joker" if variant.deck.jokers else "cards"
    if variant.builtin:
        return variant.id
    if variant.is_duel:
        return "duel"
    if variant.lucky:
        return "longo"
    if variant.pairs:
        return "bonus-b"
    if variant.bar:
        return "bonus-a"
    return "gemixxt-a" if variant.is_mixed else "classic"
