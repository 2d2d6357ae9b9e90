"""`qwixx serve`: play in the browser."""

from __future__ import annotations

import sys
from typing import Any

import click

from qwixx.base.interrupts import raising_on_interrupt
from qwixx.cli.app import Seconds
from qwixx.cli.terminal import streams


@click.command("serve")
@click.option("--host", help="Address to listen on (127.0.0.1 unless set otherwise).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port; the next free one if it is taken (8321).")
@click.option("--lan", is_flag=True, help="Listen on the local network and show a QR code for phones.")
@click.option(
    "--db",
    type=click.Path(dir_okay=False),
    help="Database file instead of the one in your data directory, or postgresql://...",
)
@click.option("--open/--no-open", "open_page", default=True, help="Open the page in the browser.")
@click.option("--bot-delay", type=Seconds(0, 60), help="Seconds a bot seems to think.")
def serve_command(host: str | None, lan: bool, open_page: bool, **flags: Any) -> None:
    """
    Play in the browser, alone, with bots or with friends.

    All games are saved in one file; stopping the server loses nothing. More settings are environment variables; see
    docs/server.md.

    Example: qwixx serve --lan
    """
    # Only those who serve need the web packages, so that the other commands start fast without them.
    from qwixx.server.base.settings import Settings  # noqa: PLC0415
    from qwixx.server.run import serve  # noqa: PLC0415

    settings = Settings.from_environment(host="0.0.0.0" if lan else host, **flags)  # noqa: S104 - asked for by --lan
    with raising_on_interrupt():
        serve(settings, open_page=open_page)
    try:
        sys.stdout.flush()
    except OSError:  # no one reads the output; the server ran correctly
        streams.discard_output(sys.stdout)
