"""`qwixx restore`: tables from a copy."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from qwixx.wanted import counted


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--db", help="The server's database, if it is not the usual one: a file, or postgresql://...")
def restore_command(file: Path, db: str | None) -> None:
    """
    Bring all tables of a copy into a database that has none.

    The database is the one that `qwixx serve` uses, or the one that --db names: a file, or postgresql://... . What it
    has afterwards is compared with the copy before it counts.

    Example: qwixx restore tables-of-monday.db --db postgresql://qwixx@localhost/qwixx
    """
    from qwixx.server.copies import restore  # noqa: PLC0415 - only those who serve need the web packages
    from qwixx.server.settings import Settings  # noqa: PLC0415

    done = asyncio.run(restore(Settings.from_environment(db=db), file))
    click.echo(
        f"{counted(done.tables, 'table')} with {counted(done.lines, 'line')} restored from {file}, and compared."
    )
