"""The command line: `qwixx play`, `qwixx replay` and the rest, one file per command."""

from __future__ import annotations

import click

import qwixx
from qwixx.cli.desk import Desk

__all__ = ["main"]

COMMANDS = (
    "play",
    "serve",
    "backup",
    "restore",
    "site",
    "admin",
    "variants",
    "players",
    "learn",
    "rules",
    "sheet",
    "print",
    "replay",
    "verify",
    "analyse",
    "hint",
    "puzzles",
    "simulate",
    "ladder",
    "solve",
    "train",
    "best",
    "perft",
    "warm",
)
"""The commands in the order in which they are listed; each stands in the file of its name."""


@click.group(
    cls=Desk, names=COMMANDS, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(qwixx.__version__, prog_name="qwixx")
@click.pass_context
def main(context: click.Context) -> None:
    """
    Play and study nine games of the Qwixx family. An unofficial fan project.

    Start with: qwixx play
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
