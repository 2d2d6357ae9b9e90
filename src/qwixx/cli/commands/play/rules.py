"""`qwixx rules`: how a game is played."""

from __future__ import annotations

import json

import click

from qwixx.base.languages import ENGLISH, current_language
from qwixx.cli.app import VARIANT
from qwixx.cli.terminal.language import LANG
from qwixx.cli.terminal.screen import make_console, writes_everything
from qwixx.errors import QwixxError
from qwixx.rulebook import rules_page
from qwixx.rulebook.custom_sheets import custom_page, rules_of
from qwixx.rulebook.quick_reference import quick_card
from qwixx.rulebook.terminal import show_card, show_page
from qwixx.text.catalogue import t
from qwixx.variants import load
from qwixx.variants.model import Variant


@click.command("rules")
@click.argument("variant", type=VARIANT)
@click.option("--short", is_flag=True, help="Only the quick reference.")
@click.option("--cite", is_flag=True, help="Name the rule behind each sentence, such as C7.")
@LANG
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the page, the quick reference, each rule.")
def rules_command(variant: str, short: bool, cite: bool, as_json: bool) -> None:
    """
    Print the rules of VARIANT, a game or the file of a custom sheet.

    Example: qwixx rules bonus-a

    Example: qwixx rules longo --short --lang de

    Example: qwixx rules my-sheet.toml
    """
    chosen, lang = load(variant), current_language()
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
    """Return the rule page of a game; for a custom sheet it is generated, in English."""
    if variant.builtin:
        return rules_page(variant.id, language)
    if language != ENGLISH:
        raise QwixxError(t("cli.rules.english"))
    return custom_page(variant)
