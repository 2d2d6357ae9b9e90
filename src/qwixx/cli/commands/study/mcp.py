"""`qwixx mcp`: a server for assistants, over standard input and output."""

from __future__ import annotations

import sys

import click

from qwixx.cli.terminal.screen import make_notes, say
from qwixx.errors import QwixxError


@click.command("mcp")
def mcp_command() -> None:
    """
    Let an assistant play, over the Model Context Protocol.

    The assistant's program starts this command and talks to it over standard input and output. It starts games, sees
    the position and the legal actions, decides, asks the coach, and in solitaire gets the exact regret of its
    decisions. No game is saved, and nothing is sent over a network. docs/assistants.md has the configuration.

    Example: qwixx mcp
    """
    try:
        from qwixx.mcp.stdio_server import run  # noqa: PLC0415 - its SDK is optional
    except ModuleNotFoundError as error:
        raise QwixxError(
            f"Assistants need the package {error.name}, which is not installed: pip install 'qwixx[mcp]'"
        ) from None
    if sys.stdin.isatty():
        say(make_notes(), "This command waits for the program of an assistant. Ctrl-C ends it.")
    run(sys.stdin.buffer)
