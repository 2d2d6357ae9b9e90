"""`qwixx hint`: the choices of a position, best first, with reasons."""

from __future__ import annotations

import json

import click
from rich.console import Console

from qwixx.base.languages import LANGUAGES
from qwixx.cli.app import VARIANT
from qwixx.cli.terminal.coach_options import DEEP, DEEP_ROLLOUTS
from qwixx.cli.terminal.screen import make_console, say
from qwixx.coach.hints import Hint, hint
from qwixx.coach.judges.judge import WIN
from qwixx.game.game import Game

_SHOWN = 5


@click.command("hint")
@click.argument("position")
@click.argument("roll", required=False)
@click.option("--variant", type=VARIANT, metavar="GAME", help="The file of a custom sheet.")
@click.option("--seat", type=int, metavar="K", help="The deciding seat, counted from 0; needed if several decide.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="The language of reasons.")
@click.option("--all", "show_all", is_flag=True, help=f"Show all choices, not only the best {_SHOWN}.")
@DEEP
@DEEP_ROLLOUTS
@click.option("--json", "as_json", is_flag=True, help="Print JSON, all choices.")
def hint_command(
    position: str,
    roll: str | None,
    variant: str | None,
    seat: int | None,
    lang: str,
    show_all: bool,
    deep: bool,
    games: int,
    as_json: bool,
) -> None:
    """
    Rank the choices of a POSITION line, with values and reasons.

    The dice are in the line (roll=34/2615), or a ROLL follows it. The hint uses only what the seat may see.

    Example: qwixx hint "classic active=0 phase=white roll=34/2615 | r=2,5 | y=3" --seat 0

    Example: qwixx hint "classic active=0 phase=roll | r=2,5 | y=3" 34/2615 --seat 1 --lang de
    """
    game = Game.from_position(position, variant=variant)
    if roll is not None:
        game.set_roll(roll)
    found = hint(game, seat, deep=games if deep else 0)
    if as_json:
        click.echo(json.dumps(found.to_dict(lang), indent=2, ensure_ascii=False))
        return
    _show(make_console(), found, lang, len(found.choices) if show_all else _SHOWN)


def _show(console: Console, found: Hint, language: str, most: int) -> None:
    for place, each in enumerate(found.choices[:most]):
        choice = each.choice
        value = f"{100 * choice.value:.1f} %" if found.measure == WIN else f"{choice.value:.2f}"
        loss = f"{100 * choice.loss:.1f} %" if found.measure == WIN else f"{choice.loss:.2f}"
        points = f", {choice.points:.1f} points" if found.measure == WIN else " points"
        lost = f", -{loss}" if choice.loss else ""
        say(console, f"{place + 1}. {choice.action.text}  {value}{points}{lost}", "bold" if place == 0 else "")
        say(console, f"   {found.words(place, language)}")
    left = len(found.choices) - most
    if left > 0:
        say(console, f"   ... and {left} more (--all).")
    say(console, f"Seat {found.seat}, judged by {found.by!r} ({found.source}).", "dim")
