"""`qwixx analyse`: review a game, with the value of every decision and the effect of luck."""

from __future__ import annotations

import json
from pathlib import Path

import click

from qwixx.cli.app import VARIANT
from qwixx.cli.table.coach import review_with_progress, show_review
from qwixx.cli.table.participants import read_participants
from qwixx.cli.terminal.coach_options import DEEP, DEEP_ROLLOUTS
from qwixx.cli.terminal.files import read_text, write_text
from qwixx.cli.terminal.language import LANG
from qwixx.cli.terminal.screen import make_console
from qwixx.coach.review.chart import graph_svg
from qwixx.text.catalogue import t
from qwixx.text.record import MAX_RECORD_CHARS


@click.command("analyse")
@click.argument("file")
@click.option("--variant", type=VARIANT, metavar="GAME", help="The sheet file of the record, if it needs one.")
@click.option("--all", "show_all", is_flag=True, help="List every decision, not only the most expensive ones.")
@DEEP
@DEEP_ROLLOUTS
@click.option("--hindsight", is_flag=True, hidden=True)
@click.option("--svg", metavar="FILE", help="Draw win probability and luck to FILE, or to standard output for -.")
@LANG
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every value of every choice.")
def analyse_command(
    file: str,
    variant: str | None,
    show_all: bool,
    deep: bool,
    games: int,
    hindsight: bool,
    svg: str | None,
    as_json: bool,
) -> None:
    """
    Review the game record FILE (- for standard input): the value of every decision, and the effect of luck.

    Losses are in win probability, in solitaire in expected points. For each seat the start value, its luck, the losses
    of its own decisions and the effect of the others' decisions add up to the result.

    Example: qwixx analyse my-game.qwixx

    Example: qwixx analyse my-game.qwixx --deep --svg my-game.svg
    """
    text = read_text(file, MAX_RECORD_CHARS)
    found = review_with_progress(text, variant, games if deep else 0, hindsight=hindsight)
    participants = read_participants(text, found.seats)
    people = [each.name for each in participants or ()]
    names = people or [f"seat {seat}" for seat in range(found.seats)]  # in files and formats
    if svg is not None:
        picture = graph_svg(found, names)
        if svg == "-":
            click.echo(picture.encode("ascii", "xmlcharrefreplace").decode())
            return
        write_text(Path(svg), picture)
    if as_json:
        click.echo(json.dumps({**found.to_dict(), "names": names}, indent=2))
        return
    shown = people or [t("cli.seat", place=seat) for seat in range(found.seats)]
    show_review(make_console(), found, shown, everything=show_all, positions=not show_all)
