"""`qwixx warm`: compile once, so that nobody who wants to play waits for a compiler."""

from __future__ import annotations

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID

from qwixx.cli.screen import make_console, say
from qwixx.errors import QwixxError
from qwixx.warm import PARTS, RULES, Part, compile_now, why_forgotten, why_interpreted

_said: list[str] = []
_BY_NAME = {part.words: part for part in PARTS}


@click.command("warm")
@click.argument("parts", nargs=-1, type=click.Choice(list(_BY_NAME)), metavar="[PART]...")
def warm_command(parts: tuple[str, ...]) -> None:
    """
    Compile ahead of time: rules, players, simulator, solver, environments, training, or only the PARTs named.

    Nobody has to: games begin at once without it, and what takes long compiles by itself. It is for those who want that
    behind them, on a new machine or while building an image.

    Example: qwixx warm

    Example: qwixx warm rules solver
    """
    console = make_console()
    if why_interpreted():
        say(console, f"{why_interpreted()} There is nothing to compile.")
        return
    if why_forgotten():
        raise QwixxError(why_forgotten())
    chosen = [_BY_NAME[name] for name in parts] or list(PARTS)
    for part in chosen:
        warm_if_cold(console, part)
    console.print(f"Compiled: {', '.join(part.words for part in chosen)}.")


def warm_if_cold(console: Console, part: Part = RULES) -> None:
    """Compile before a lot of work, with a line that says so and a bar; or say why it is going to take so long."""
    if why_interpreted():
        if not _said:  # once, for whoever needs several parts
            _said.append(why_interpreted())
            say(console, _said[0])
        return
    compile_now()
    if part.is_cold:
        _warm_up(console, part)


def _warm_up(console: Console, part: Part) -> None:
    """Compile one part, and tell on the way how far it is."""
    line = f"Compiling the {part.words} once, a minute or two ..."
    if why_forgotten():
        say(console, why_forgotten())
    say(console, line)
    with Progress(BarColumn(), console=console, transient=True, disable=not console.is_terminal) as bar:
        part.warm(_Bar(bar, bar.add_task("")))


class _Bar:
    """Shows how far the compiler is."""

    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar = bar
        self._task = task

    def begin(self, total: int) -> None:
        """Something has to be compiled."""
        self._bar.update(self._task, total=total)

    def advance(self, done: int, total: int) -> None:
        """So many functions are done."""
        self._bar.update(self._task, completed=done)

    def end(self) -> None:
        """Leave the screen: it is all done."""
