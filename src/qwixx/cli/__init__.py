"""
The command line: `qwixx play`, `qwixx replay` and the rest, one file per command in `commands`.

`table` has the game at one keyboard, `terminal` input and output. Commands only read options, call the library and
print.
"""

from __future__ import annotations

import sys

import click

import qwixx
from qwixx.cli.app import CommandGroup

__all__ = ["main"]

COMMANDS = {
    "play": "play",
    "serve": "host",
    "backup": "host",
    "restore": "host",
    "check": "host",
    "site": "host",
    "admin": "host",
    "variants": "play",
    "players": "play",
    "learn": "play",
    "rules": "play",
    "sheet": "play",
    "print": "play",
    "replay": "play",
    "verify": "study",
    "analyse": "study",
    "hint": "study",
    "puzzles": "study",
    "simulate": "study",
    "ladder": "study",
    "solve": "study",
    "train": "study",
    "data": "study",
    "best": "study",
    "perft": "study",
    "mcp": "study",
    "warm": "study",
}
"""The commands in the order in which they are listed, each with its folder in `cli/commands`."""


@click.group(
    cls=CommandGroup,
    folders=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(qwixx.__version__, prog_name="qwixx")
@click.pass_context
def main(context: click.Context) -> None:
    """
    Play and study nine games of the Qwixx family. An unofficial fan project.

    Start with: qwixx play
    """
    if context.invoked_subcommand is not None:
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(context.get_help())
        return
    # At a terminal a menu is easier than a list of commands that is longer than the screen.
    from qwixx.cli.table.menu import choose_command  # noqa: PLC0415 - a named command needs no menu
    from qwixx.cli.terminal.screen import make_console  # noqa: PLC0415 - as above

    words = choose_command(make_console())
    if words is not None:
        main.main(words)
