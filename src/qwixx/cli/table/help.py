"""The help of the command `?`: what you can type, the current phase, and its rules."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from qwixx.cli.terminal.screen import say
from qwixx.game.game import Game
from qwixx.rulebook import rule_book
from qwixx.rulebook.custom_sheets import rules_of
from qwixx.variants.model import Variant

_TYPED = {
    "white": "a cell such as {cell}, or pass",
    "color": "a cell such as {cell}, or pass",
    "number": "a cell such as {cell}, or pass",
    "draw": "take:2 or take:1,3 for cards of the display, counted from the left",
    "play": "play:r4,r5 to play cards, play:r4,r5=r4 to play them and cross r4",
    "roll": "the dice you rolled, such as 34/2615, or roll to let the computer roll",
}
_COMMANDS = {
    "a number": "the choice with that number in the list",
    "list": "all choices again",
    "why g2": "why you may not cross g2 now",
    "? C7": "the text of rule C7",
    "sheet": "the sheets of all players",
    "score": "the points so far",
    "undo": "take back the last decision made at this keyboard",
    "save FILE": "save a copy of the game to a file",
    "quit": "leave; the game is saved and can be continued",
}
_ABOUT = {
    "roll": ("C2",),
    "white": ("C1", "C3", "C6", "C7", "G1", "G5", "BA2", "BB1", "BB2", "L2", "L4", "D2", "D3", "D4", "D5", "D7"),
    "color": ("C1", "C4", "C5", "C6", "C7", "G2", "BA2", "BB1", "BB2", "L2", "D2", "D3", "D4", "D5", "D6", "D7"),
    "draw": ("K2", "K3"),
    "number": ("C1", "K4", "K6", "K7"),
    "play": ("C1", "K5", "K6", "K7", "K9", "K10"),
}
_PHASES = {
    "roll": "the dice are rolled",
    "white": "action 1, the white sum",
    "color": "action 2, a color sum",
    "draw": "action 1, drawing cards",
    "number": "action 2, the number for all",
    "play": "action 3, playing cards",
}


def explain(console: Console, game: Game) -> None:
    """Print the current phase, what you can type now, and the rules of this phase."""
    row = game.variant.rows[0]
    example = f"{row.key}{row.cells[len(row.cells) // 2].value}"
    say(console, f"This is {_PHASES.get(game.phase, game.phase)}. You can type", "bold")
    say(console, f"  {_TYPED.get(game.phase, 'pass').format(cell=example)}")
    console.print(_listed(_COMMANDS.items()))
    say(console, "The rules for this:", "bold")
    about = _ABOUT.get(game.phase, ())
    console.print(_listed((rule["id"], rule["sentence"]) for rule in rules_of(game.variant) if rule["id"] in about))
    say(console, f"All rules: qwixx rules {game.variant.id if game.variant.builtin else 'FILE'}")


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
    known = {rule.lower(): rule for rule in rule_book()}
    rule = known.get(wanted.lower())
    if rule is None:
        say(console, f"There is no rule {wanted[:20]!r}; rules have ids such as C7.")
    else:
        here = [each["sentence"] for each in rules_of(variant) if each["id"] == rule]
        say(console, f"{rule} {rule_book()[rule]['title']}: {' '.join(here or [rule_book()[rule]['sentence']])}")
