"""`qwixx check`: play every stored game again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from qwixx.cli.terminal.progress_bar import progress_bar
from qwixx.cli.terminal.screen import make_notes
from qwixx.text.arguments import with_noun

if TYPE_CHECKING:
    from qwixx.server.base.settings import Settings


@click.command("check")
@click.argument("database", required=False)
def check_command(database: str | None) -> None:
    """
    Play every game of a server's DATABASE again and compare it.

    DATABASE is a file or postgresql://... ; without it, the one of `qwixx serve`. It is only read, also while servers
    run. Each room has to be readable, each line possible by the rules, each roll the one of its seed, and each stage
    and daily score that of its game. There is a sentence for each damaged table; then the exit code is 1.

    Example: qwixx check tables-of-monday.db
    """
    from qwixx.server.base.settings import Settings  # noqa: PLC0415 - only those who serve need the web packages

    if not report_damage(Settings.from_environment(db=database)):
        raise click.exceptions.Exit(1)


def report_damage(settings: Settings) -> bool:
    """Check a database, print the result, and return whether all tables are well."""
    from qwixx.server.operate.check import check  # noqa: PLC0415

    with progress_bar("Checking tables", make_notes()) as progress:
        found = asyncio.run(check(settings, progress))
    for sentence in found.sentences():
        click.echo(sentence)
    all_of_it = f"{with_noun(found.tables, 'table')} with {with_noun(found.lines, 'line')} checked"
    click.echo(f"{all_of_it}: {'all well' if found.is_well else f'{len(found.sentences())} damaged'}.")
    return found.is_well
