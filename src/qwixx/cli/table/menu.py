"""The menus: which game, and what to do when `qwixx` is started without a command."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from qwixx.cli.terminal.keyboard import EndOfInputError, Keyboard
from qwixx.cli.terminal.screen import say
from qwixx.cli.terminal.tables import show_menu
from qwixx.text.catalogue import t
from qwixx.variants import names

_LEAVE = ("quit", "exit", "q")
START = {
    "play": ("play",),
    "resume": ("play", "--resume"),
    "learn": ("learn",),
    "puzzles": ("puzzles",),
    "rules": ("rules",),
    "help": ("--help",),
}
"""The entries of the first menu, each with its command; the text of an entry is `cli.start.ENTRY`."""
NEEDS_GAME = ("play", "learn", "puzzles", "rules")
"""Entries that ask for a game next."""


def choose(console: Console, question: str, words: Sequence[str]) -> str | None:
    """Ask for one of some words, by its number or itself; None if the person leaves."""
    keyboard = Keyboard(console)
    while True:
        try:
            line = keyboard.ask(f"{question} ").lower()
        except EndOfInputError:
            return None
        if line in _LEAVE:
            return None
        if line in words:
            return line
        if line.isdecimal() and line.isascii() and len(line) < 3 and 1 <= int(line) <= len(words):
            return words[int(line) - 1]
        say(console, t("cli.menu.again", most=len(words), example=words[0]))


def choose_game(console: Console) -> str | None:
    """Let a person choose a game; None if they leave."""
    show_menu(console, [(name, t(f"game.{name}"), t(f"game.{name}.twist")) for name in names()])
    return choose(console, t("cli.menu"), names())


def choose_command(console: Console) -> list[str] | None:
    """Let a person choose what to do; return the words of the command, or None if they leave."""
    say(console, t("cli.start"), "bold")
    show_menu(console, [(entry, t(f"cli.start.{entry}"), "") for entry in START])
    entry = choose(console, t("cli.start.ask"), list(START))
    if entry is None:
        return None
    if entry not in NEEDS_GAME:
        return list(START[entry])
    game = choose_game(console)
    return None if game is None else [*START[entry], game]
