"""`qwixx warm`: compile the rules once, so that nobody who wants to play waits for a compiler."""

from __future__ import annotations

import random

import click
from rich.console import Console

from qwixx.cli.screen import make_console
from qwixx.game import Game
from qwixx.kernel.jit import COMPILED, is_cold, mark_warm
from qwixx.variants import names

WAITING = "Compiling the rules once, about half a minute ..."


@click.command("warm")
def warm_command() -> None:
    """
    Compile the rules ahead of time; `make` does it during set-up.

    Example: qwixx warm
    """
    console = make_console()
    if not COMPILED:
        console.print("The rules run interpreted here; there is nothing to compile.")
        return
    warm_up(console)
    console.print("The rules are compiled.")


def warm_if_cold(console: Console) -> None:
    """Compile before the first game, with a line that says so."""
    if is_cold():
        warm_up(console)


def warm_up(console: Console) -> None:
    """Play a game of every variant through all that a player uses."""
    if not console.is_terminal:
        console.print(WAITING)
    with console.status(WAITING) as status:
        for name in names():
            status.update(f"{WAITING} {name}")
            _play_through(name)
    mark_warm()


def _play_through(name: str) -> None:
    chooser = random.Random(1)  # noqa: S311 - a game, not a secret
    game = Game(name, seats=2, seed=1)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
            continue
        for seat in game.deciders():
            game.view(seat)
            game.decide(seat, chooser.choice(game.legal(seat)))
    Game.from_record(game.record())
    Game.from_position(game.position())
