"""`qwixx warm`: compile once, so that nobody who wants to play waits for a compiler."""

from __future__ import annotations

import click
from rich.console import Console

from qwixx.cli.screen import make_console
from qwixx.kernel.jit import COMPILED
from qwixx.warm import PARTS, RULES, Part

_BY_NAME = {part.words: part for part in PARTS}


@click.command("warm")
@click.argument("parts", nargs=-1, type=click.Choice(list(_BY_NAME)), metavar="[PART]...")
def warm_command(parts: tuple[str, ...]) -> None:
    """
    Compile ahead of time: rules, players, simulator, solver and environments, or only the PARTs that are named.

    `make` compiles rules and players during set-up; everything else is compiled when it is first used.

    Example: qwixx warm

    Example: qwixx warm rules solver
    """
    console = make_console()
    if not COMPILED:
        console.print("Everything runs interpreted here; there is nothing to compile.")
        return
    chosen = [_BY_NAME[name] for name in parts] or list(PARTS)
    for part in chosen:
        warm_if_cold(console, part)
    console.print(f"Compiled: {', '.join(part.words for part in chosen)}.")


def warm_if_cold(console: Console, part: Part = RULES) -> None:
    """Compile before the first use, with a line that says so."""
    if part.is_cold:
        _warm_up(console, part)


def _warm_up(console: Console, part: Part) -> None:
    """Compile one part, and tell on the way what is compiled."""
    waiting = f"Compiling the {part.words} once, about half a minute ..."
    if not console.is_terminal:
        console.print(waiting)
    with console.status(waiting) as status:
        for step in part.warm():
            status.update(f"{waiting} {step}")
