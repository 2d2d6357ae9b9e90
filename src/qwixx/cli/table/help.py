"""The help of the command `?`: what you can type, the current phase, and its rules."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from qwixx.base.languages import ENGLISH, current_language
from qwixx.cli.table.input_parser import example_cell
from qwixx.cli.terminal.language import suggested
from qwixx.cli.terminal.screen import say
from qwixx.game.game import Game
from qwixx.rulebook import rule_book, rules_page
from qwixx.rulebook.custom_sheets import rules_of
from qwixx.rulebook.page_files import citing
from qwixx.text.catalogue import t
from qwixx.variants.model import Variant

EXAMPLE_ROLL = "34/2615"
_EXAMPLE_RULE = "C7"
_ABOUT = {
    "roll": ("C2",),
    "white": (
        *("C1", "C3", "C6", "C7", "G1", "G5", "BA2", "BB1", "BB2", "L2", "L4", "D2", "D3", "D4", "D5", "D7"),
        *("BP2", "CA2", "CB2", "DA2", "DA3", "DB2", "DB3", "XC2", "F1", "F2", "F4"),
    ),
    "color": (
        *("C1", "C4", "C5", "C6", "C7", "G2", "BA2", "BB1", "BB2", "L2", "D2", "D3", "D4", "D5", "D6", "D7"),
        *("BP2", "BP3", "CA2", "CB2", "DA2", "DA3", "DB2", "DB3"),
    ),
    "draw": ("K2", "K3"),
    "number": ("C1", "K4", "K6", "K7"),
    "play": ("C1", "K5", "K6", "K7", "K9", "K10"),
}


def explain(console: Console, game: Game) -> None:
    """Print the current phase, what you can type now, and the rules of this phase."""
    cell = example_cell(game.variant)
    say(console, t("cli.help", phase=t(f"cli.help.phase.{game.phase}")), "bold")
    say(console, f"  {_typed(game.phase, cell)}")
    commands = {
        "hint": "hint",
        "list": "list",
        f"why {cell}": "why",
        f"? {_EXAMPLE_RULE}": "rule",
        "sheet": "sheet",
        "score": "score",
    }
    commands |= {"undo": "undo", f"save {t('cli.help.file')}": "save", "quit": "quit"}
    meanings = {word: t(f"cli.help.{key}.about", cell=cell, rule=_EXAMPLE_RULE) for word, key in commands.items()}
    console.print(_listed([(t("cli.help.number"), t("cli.help.number.about")), *meanings.items()]))
    say(console, t("cli.help.rules"), "bold")
    rules = _rules(game.variant)
    console.print(_listed((rule, rules[rule]) for rule in _ABOUT.get(game.phase, ()) if rule in rules))
    name = game.variant.id if game.variant.builtin else t("cli.help.file")
    say(console, t("cli.help.all", command=suggested("rules", name)))


def _typed(phase: str, cell: str) -> str:
    """Return what a player types in a phase."""
    match phase:
        case "draw":
            return t("cli.help.typed.draw", one="take:2", two="take:1,3")
        case "play":
            return t("cli.help.typed.play", play="play:r4,r5", cross=f"play:r4,r5={cell}", cell=cell)
        case "roll":
            return t("cli.help.typed.roll", roll=EXAMPLE_ROLL)
    return t("cli.help.typed.cell", cell=cell)


def _rules(variant: Variant) -> dict[str, str]:
    """Return the rules of a game by their ids; those of a custom sheet are in English."""
    if current_language() == ENGLISH or not variant.builtin:
        return {rule["id"]: rule["sentence"] for rule in rules_of(variant)}
    return {rule: " ".join(lines) for rule, lines in citing(rules_page(variant.id, current_language())).items()}


def _listed(words: Iterable[tuple[str, str]]) -> Table:
    """Return a table of words and meanings; long meanings wrap in their column."""
    table = Table.grid(padding=(0, 1, 0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    for word, meaning in words:
        table.add_row(Text(word), Text(meaning))
    return table


def explain_rule(console: Console, wanted: str, variant: Variant) -> None:
    """Print one rule; for a custom sheet with its numbers."""
    rules, rule = _rules(variant), wanted.upper()
    if rule not in rules:
        say(console, t("cli.help.no-rule", rule=wanted[:20], example=_EXAMPLE_RULE))
        return
    title = f" {rule_book()[rule]['title']}" if current_language() == ENGLISH else ""
    say(console, f"{rule}{title}: {rules[rule]}")
