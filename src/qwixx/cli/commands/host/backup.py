"""`qwixx backup`: a copy of all tables."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from qwixx.text.arguments import with_noun


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--db", help="The server's database, if it is not the usual one: a file, or postgresql://...")
def backup_command(file: Path, db: str | None) -> None:
    """
    Copy all tables of a server into a file, also while it runs.

    The copy is read back and compared before it gets its name. It is a database file that a server can use directly,
    or that `qwixx restore` copies into another database.

    Example: qwixx backup tables-of-monday.db
    """
    from qwixx.server.base.settings import Settings  # noqa: PLC0415
    from qwixx.server.store.backup import backup  # noqa: PLC0415 - only those who serve need the web packages

    done = asyncio.run(backup(Settings.from_environment(db=db), file))
    click.echo(
        f"{with_noun(done.tables, 'table')} with {with_noun(done.lines, 'line')} written to {file}, and compared."
    )
