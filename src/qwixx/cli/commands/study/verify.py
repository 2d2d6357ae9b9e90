"""`qwixx verify`: check the dice of a game against the server's commitment."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

import click

from qwixx.cli.terminal.files import read_text
from qwixx.text.arguments import with_noun


@click.command("verify")
@click.argument("file")
@click.option("--promise", default="", metavar="HASH", help="The hash that the table showed before the first roll.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify_command(file: str, promise: str, as_json: bool) -> None:
    """
    Check the dice of a game against the seed that the server committed to before the first roll.

    FILE is the record of a game from a server: the table shows a hash before the game, and the record has the seed. If
    you noted the hash, pass it: this proves that the seed was not changed later. The exit code is 0 if every roll, deal
    and shuffle follows from the seed, 1 if one does not, and 2 if the record cannot be checked.

    Example: qwixx verify game.qwixx --promise 5f0c...
    """
    from qwixx.fair.commitment import UnfairError, verify  # noqa: PLC0415 - `qwixx --help` need not wait for the games
    from qwixx.text.record import MAX_RECORD_CHARS  # noqa: PLC0415

    text = read_text(file, MAX_RECORD_CHARS)
    try:
        found = verify(text, promise)
    except UnfairError as error:
        click.echo(json.dumps({"fair": False, "reason": str(error)}) if as_json else str(error), err=not as_json)
        sys.exit(1)
    if as_json:
        click.echo(json.dumps({"fair": True, **asdict(found)}))
        return
    click.echo(f"The promise {found.promise} was kept: {with_noun(found.throws, 'throw')} followed from the seed.")
    if not found.over:
        click.echo("The record ends before the game is over, so the dice after its last line are not checked.")
    if not promise:
        click.echo("The promise is the record's own; compare it with what the table showed before the game.")
    for seat in found.left_out:
        click.echo(f"Seat {seat} did not open its sealed words in time: they were left out.")
    if any(found.words) and not any(found.seals):
        click.echo("The words were not sealed before the game, so the last player who added some knew the others'.")
    if any(found.words):
        click.echo("Players added: " + ", ".join(repr(words) for words in found.words if words) + ".")
