"""The command line: `qwixx play`, `qwixx replay` and the rest, one file per command."""

from __future__ import annotations

import click

import qwixx
from qwixx.cli.best import best_command
from qwixx.cli.desk import Desk
from qwixx.cli.ladder import ladder_command
from qwixx.cli.perft import perft_command
from qwixx.cli.play import play_command
from qwixx.cli.players import players_command
from qwixx.cli.replay import replay_command
from qwixx.cli.rules import rules_command
from qwixx.cli.serve import serve_command
from qwixx.cli.sheet import sheet_command
from qwixx.cli.simulate import simulate_command
from qwixx.cli.solve import solve_command
from qwixx.cli.train import train_command
from qwixx.cli.variants import variants_command
from qwixx.cli.warm import warm_command

__all__ = ["main"]


@click.group(cls=Desk, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(qwixx.__version__, prog_name="qwixx")
@click.pass_context
def main(context: click.Context) -> None:
    """
    Play and study nine games of the Qwixx family. An unofficial fan project.

    Start with: qwixx play
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _command in (
    play_command,
    serve_command,
    variants_command,
    players_command,
    rules_command,
    sheet_command,
    replay_command,
    simulate_command,
    ladder_command,
    solve_command,
    train_command,
    best_command,
    perft_command,
    warm_command,
):
    main.add_command(_command)
