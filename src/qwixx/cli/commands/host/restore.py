"""`qwixx restore`: tables from a copy."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from qwixx.text.arguments import with_noun


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--db", help="The server's database, if it is not the usual one: a file, or postgresql://...")
def restore_command(file: Path, db: str | None) -> None:
    """
    Restore all tables of a backup into an empty database.

    The database is the one that `qwixx serve` uses, or the one given by --db: a file, or postgresql://... . The result
    is compared with the backup before it is committed.

    Example: qwixx restore tables-of-monday.db --db postgresql://qwixx@localhost/qwixx
    """
    from qwixx.server.base.settings import Settings  # noqa: PLC0415
    from qwixx.server.store.backup import restore  # noqa: PLC0415 - only those who serve need the web packages

    done = asyncio.run(restore(Settings.from_environment(db=db), file))
    click.echo(
        f"{with_noun(done.tables, 'table')} with {with_noun(done.lines, 'line')} restored from {file}, and compared."
    )
