"""`qwixx hint`: the choices of a position, best first, with reasons."""

from __future__ import annotations

import json

import click
from rich.console import Console

from qwixx.base.languages import current_language
from qwixx.cli.app import VARIANT
from qwixx.cli.terminal.coach_options import DEEP, DEEP_ROLLOUTS
from qwixx.cli.terminal.language import LANG
from qwixx.cli.terminal.screen import make_console, say
from qwixx.coach.hints import Hint, hint
from qwixx.coach.judges.judge import ROLLOUTS, WIN
from qwixx.game.game import Game
from qwixx.text.catalogue import t

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
    _show(make_console(), found, len(found.choices) if show_all else _SHOWN)


def _show(console: Console, found: Hint, most: int) -> None:
    for place, choice in enumerate(found.choices[:most]):
        value = f"{100 * choice.value:.1f} %" if found.measure == WIN else f"{choice.value:.2f}"
        loss = f"{100 * choice.loss:.1f} %" if found.measure == WIN else f"{choice.loss:.2f}"
        points = t("cli.hint.points", value=f"{choice.points:.1f}" if found.measure == WIN else value)
        gain = f"{value}, {points}" if found.measure == WIN else points
        lost = f", -{loss}" if choice.loss else ""
        say(console, f"{place + 1}. {choice.action.text}  {gain}{lost}", "bold" if place == 0 else "")
        say(console, f"   {found.words(place, current_language())}")
    left = len(found.choices) - most
    if left > 0:
        say(console, f"   {t('cli.hint.more', n=left, option='--all')}")
    source = t("cli.hint.rollouts" if found.source == ROLLOUTS else f"hint.source.{found.source}")
    say(console, f"{t('cli.seat', place=found.seat)} ({found.by}). {source}", "dim")
