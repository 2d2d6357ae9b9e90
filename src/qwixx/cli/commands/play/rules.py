"""`qwixx rules`: how a game is played."""

from __future__ import annotations

import json
from typing import Any

import click

from qwixx.cli.desk import VARIANT
from qwixx.cli.own_rules import own_page, own_rules
from qwixx.cli.rule_pages import show_card, show_page
from qwixx.cli.screen import make_console, writes_everything
from qwixx.errors import QwixxError
from qwixx.languages import LANGUAGES
from qwixx.rulebook import rule_book, rules_page
from qwixx.rulebook.quick import quick_card
from qwixx.variants import load
from qwixx.variants.model import Variant


@click.command("rules")
@click.argument("variant", type=VARIANT)
@click.option("--short", is_flag=True, help="Only the quick reference: all that one looks up at the table.")
@click.option("--cite", is_flag=True, help="Name the rule behind each sentence, such as C7.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="The language; en if not given.")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON: the page, the quick reference, each rule.")
def rules_command(variant: str, short: bool, cite: bool, lang: str, as_json: bool) -> None:
    """
    Explain how VARIANT is played; for a sheet of your own, the rules that hold on it.

    Example: qwixx rules bonus-a

    Example: qwixx rules longo --short --lang de

    Example: qwixx rules my-sheet.toml
    """
    chosen = load(variant)
    if short and not as_json:
        show_card(make_console(), chosen, lang)
        return
    page = page_of(chosen, lang)
    if as_json:
        card = [{"title": section.title, "lines": section.lines} for section in quick_card(chosen, lang)]
        answer = {"variant": chosen.id, "language": lang, "page": page, "short": card, "rules": rules_of(chosen)}
        click.echo(json.dumps(answer, indent=2, ensure_ascii=not writes_everything()))
        return
    show_page(make_console(), chosen, page, lang, cite=cite)


def page_of(variant: Variant, language: str) -> str:
    """Give the page of a game; for a sheet of one's own it is written on the spot, in English."""
    if variant.builtin:
        return rules_page(variant.id, language)
    if language != "en":
        raise QwixxError("The page of a sheet of your own is in English; --short knows other languages.")
    return own_page(variant)


def rules_of(variant: Variant) -> list[dict[str, Any]]:
    """List the rules of a game: those of the book, or for a sheet of one's own those that hold on it, as they do."""
    book = rule_book()
    if variant.builtin:
        keys = ("title", "sentence", "games")
        return [
            {"id": id_, **{key: rule[key] for key in keys}} for id_, rule in book.items() if variant.id in rule["games"]
        ]
    said = [each for rules in own_rules(variant).values() for each in rules]
    return [{"id": each.rule, "title": book[each.rule]["title"], "sentence": each.sentence} for each in said]
