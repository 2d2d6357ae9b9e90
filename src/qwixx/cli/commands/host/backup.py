"""`qwixx backup`: a copy of all tables."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from qwixx.wanted import counted


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--db", help="The server's database, if it is not the usual one: a file, or postgresql://...")
def backup_command(file: Path, db: str | None) -> None:
    """
    Copy all tables of a server into a file, also while it runs.

    The copy is read again and compared before it gets its name. It is a database file that a server can use as it
    is, or that `qwixx restore` brings into another database.

    Example: qwixx backup tables-of-monday.db
    """
    from qwixx.server.copies import backup  # noqa: PLC0415 - only those who serve need the web packages
    from qwixx.server.settings import Settings  # noqa: PLC0415

    done = asyncio.run(backup(Settings.from_environment(db=db), file))
    click.echo(f"{counted(done.tables, 'table')} with {counted(done.lines, 'line')} written to {file}, and compared.")
