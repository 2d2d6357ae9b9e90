"""`qwixx site`: the page as a folder of files."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("site")
@click.option("-o", "--output", "folder", required=True, type=click.Path(path_type=Path), help="Folder to write.")
@click.option("--server", default="", metavar="URL", help="A qwixx server to offer to those who play with friends.")
def site_command(folder: Path, server: str) -> None:
    """
    Write the page as a folder that any host of files can serve.

    All nine games are played there against bots, alone or on one device, without a server and without a network;
    friends online need a server. A folder that this command wrote before is brought up to date.

    Example: qwixx site -o public --server https://games.example
    """
    from qwixx.server.site import write_site  # noqa: PLC0415 - the web packages are needed only here

    count = write_site(folder, server)
    click.echo(f"{count} files are in {folder}; put them on any host of files, at any path.")
