"""`qwixx site`: the page as a folder of files."""

from __future__ import annotations

from pathlib import Path

import click

from qwixx.wanted import counted


@click.command("site")
@click.option("-o", "--output", "folder", required=True, type=click.Path(path_type=Path), help="Folder to write.")
@click.option("--server", default="", metavar="URL", help="A qwixx server to offer to those who play with friends.")
@click.option("--pads", is_flag=True, help="Add sheets to print: 36 PDF files, 2 MB; nobody loads them unasked.")
def site_command(folder: Path, server: str, pads: bool) -> None:
    """
    Write the page as a folder that any host of files can serve.

    All nine games are played there against bots, alone or on one device, without a server and without a network;
    friends online need a server. A folder that this command wrote before is brought up to date.

    Example: qwixx site -o public --server https://games.example --pads
    """
    from qwixx.server.site import write_site  # noqa: PLC0415 - the web packages are needed only here

    count = write_site(folder, server, pads=pads)
    click.echo(f"{counted(count, 'file')} in {folder}; put them on any host of files, at any path.")
