"""`qwixx best`: every choice of a position and roll with its exact worth."""

from __future__ import annotations

import json

import click
from rich.table import Table

from qwixx.cli.desk import VARIANT
from qwixx.cli.screen import make_console, say
from qwixx.cli.solving import solve_with_progress
from qwixx.errors import QwixxError
from qwixx.game import Game
from qwixx.solve import advise, check_solitaire, lucky_of
from qwixx.variants import load


@click.command("best")
@click.argument("variant", type=VARIANT)
@click.argument("position")
@click.argument("roll", required=False)
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def best_command(variant: str, position: str, roll: str | None, as_json: bool) -> None:
    """
    Judge every legal choice of a solitaire: its expected final score, and what it loses against the best.

    POSITION is a position line with one seat, or only the seat's part of it; ROLL is needed before a roll.

    Example: qwixx best classic "r=2,5,7 g=12" 34/2615
    """
    # A lone section is the sheet of a game that waits for its roll.
    line = position if "|" in position else f"{load(variant).id} active=0 phase=roll | {position.strip() or '-'}"
    game = Game.from_position(line, variant=variant)
    if roll is not None:
        game.set_roll(roll)
    if game.awaits_chance:
        raise QwixxError("Say the roll, such as 34/2615.")
    check_solitaire(game)
    _, solution = solve_with_progress(variant, lucky_of(game), None, None)
    choices = advise(game, solution)
    if as_json:
        found = [{"action": c.action, "expected": round(c.expected, 6), "loss": round(c.loss, 6)} for c in choices]
        click.echo(json.dumps({"position": game.position(), "choices": found}, indent=2))
        return
    console = make_console()
    say(console, game.position(), "bold")
    lines = Table("choice", "expected score", "loses")
    for choice in choices:
        lines.add_row(choice.action, f"{choice.expected:.4f}", f"{choice.loss:.4f}" if choice.loss else "best")
    console.print(lines)
