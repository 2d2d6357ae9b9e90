"""`qwixx restore`: tables from a copy."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from qwixx.cli.commands.host.check import report_damage
from qwixx.text.arguments import with_noun


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--db", help="The server's database, if it is not the usual one: a file, or postgresql://...")
@click.option("--check/--no-check", default=True, help="Play every restored game again, as `qwixx check` does.")
def restore_command(file: Path, db: str | None, check: bool) -> None:
    """
    Restore all tables of a backup into an empty database.

    The database is the one that `qwixx serve` uses, or the one given by --db: a file, or postgresql://... . The result
    is compared with the backup before it is committed. Then every game is played again; if a table is damaged, the
    exit code is 1.

    Example: qwixx restore tables-of-monday.db --db postgresql://qwixx@localhost/qwixx
    """
    from qwixx.server.base.settings import Settings  # noqa: PLC0415
    from qwixx.server.store.backup import restore  # noqa: PLC0415 - only those who serve need the web packages

    settings = Settings.from_environment(db=db)
    done = asyncio.run(restore(settings, file))
    click.echo(
        f"{with_noun(done.tables, 'table')} with {with_noun(done.lines, 'line')} restored from {file}, and compared."
    )
    if check and not report_damage(settings):
        raise click.exceptions.Exit(1)
