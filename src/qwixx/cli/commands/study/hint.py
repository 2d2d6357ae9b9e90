"""`qwixx hint`: the choices of a position, best first, with reasons."""

from __future__ import annotations

import json

import click

from qwixx.base.languages import current_language
from qwixx.cli.app import VARIANT
from qwixx.cli.table.coach import show_hint
from qwixx.cli.terminal.coach_options import DEEP, DEEP_ROLLOUTS
from qwixx.cli.terminal.language import LANG
from qwixx.cli.terminal.screen import make_console
from qwixx.coach.hints import hint
from qwixx.game.game import Game

_SHOWN = 5


@click.command("hint")
@click.argument("position")
@click.argument("roll", required=False)
@click.option("--variant", type=VARIANT, metavar="GAME", help="The file of a custom sheet.")
@click.option("--seat", type=int, metavar="K", help="The deciding seat, counted from 0; needed if several decide.")
@LANG
@click.option("--all", "show_all", is_flag=True, help=f"Show all choices, not only the best {_SHOWN}.")
@DEEP
@DEEP_ROLLOUTS
@click.option("--json", "as_json", is_flag=True, help="Print JSON, all choices.")
def hint_command(
    position: str,
    roll: str | None,
    variant: str | None,
    seat: int | None,
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
        click.echo(json.dumps(found.to_dict(current_language()), indent=2, ensure_ascii=False))
        return
    show_hint(make_console(), found, len(found.choices) if show_all else _SHOWN, "--all")
