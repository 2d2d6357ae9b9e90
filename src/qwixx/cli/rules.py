"""`qwixx rules`: how a game is played."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.markdown import Markdown

from qwixx.cli.desk import VARIANT
from qwixx.cli.own_rules import own_page, own_rules
from qwixx.cli.rulebook import rule_book, rules_page
from qwixx.cli.screen import make_console, writes_everything
from qwixx.variants import load
from qwixx.variants.model import Variant


@click.command("rules")
@click.argument("variant", type=VARIANT)
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON: the page and each rule with its id.")
def rules_command(variant: str, as_json: bool) -> None:
    """
    Explain how VARIANT is played; for a sheet of your own, the rules that hold on it.

    Example: qwixx rules bonus-a

    Example: qwixx rules my-sheet.toml
    """
    chosen = load(variant)
    page = rules_page(chosen.id) if chosen.builtin else own_page(chosen)
    if as_json:
        answer = {"variant": chosen.id, "page": page, "rules": rules_of(chosen)}
        click.echo(json.dumps(answer, indent=2, ensure_ascii=not writes_everything()))
        return
    make_console().print(Markdown(page))


def rules_of(variant: Variant) -> list[dict[str, Any]]:
    """List the rules of a game: those of the book, or for a sheet of one's own those that hold on it, as they do."""
    if variant.builtin:
        return [{"id": key, **rule} for key, rule in rule_book().items() if variant.id in rule["games"]]
    said = [each for rules in own_rules(variant).values() for each in rules]
    return [{"id": each.rule, "title": rule_book()[each.rule]["title"], "sentence": each.sentence} for each in said]
