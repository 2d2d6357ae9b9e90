"""`qwixx site`: the page as a folder of files."""

from __future__ import annotations

from pathlib import Path

import click

from qwixx.text.arguments import with_noun


@click.command("site")
@click.option("-o", "--output", "folder", required=True, type=click.Path(path_type=Path), help="Folder to write.")
@click.option("--server", default="", metavar="URL", help="A qwixx server to offer to those who play with friends.")
@click.option("--pads", is_flag=True, help="Add sheets to print: 36 PDF files, 2 MB; loaded only on demand.")
def site_command(folder: Path, server: str, pads: bool) -> None:
    """
    Write the page as a folder that any static file host can serve.

    All nine games can be played there against bots, alone or on one device, without a server and offline. Games with
    friends online need a server. A folder that this command wrote before is updated.

    Example: qwixx site -o public --server https://games.example --pads
    """
    from qwixx.server.http.static_site import write_site  # noqa: PLC0415 - the web packages are needed only here

    count = write_site(folder, server, pads=pads)
    click.echo(f"{with_noun(count, 'file')} in {folder}; upload them to any static file host, at any path.")
