"""Compiles a part of the package before a command that needs it, with a progress bar."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID

from qwixx.cli.terminal.screen import say
from qwixx.precompile import RULES, Part, compile_now, why_interpreted, why_not_cached

_said: list[str] = []


def compile_what_runs(console: Console) -> bool:
    """Compile each function before its first call, and nothing else; or print why code runs interpreted."""
    if why_interpreted():
        if not _said:  # once, for commands that need several parts
            _said.append(why_interpreted())
            say(console, _said[0])
        return False
    compile_now()
    return True


def warm_if_cold(console: Console, part: Part = RULES) -> None:
    """Compile all of a part that is not cached, with a line and a progress bar."""
    if compile_what_runs(console) and part.is_uncached:
        _warm_up(console, part)


def _warm_up(console: Console, part: Part) -> None:
    """Compile one part with a progress bar."""
    line = f"Compiling the {part.words} once, a minute or two ..."
    if why_not_cached():
        say(console, why_not_cached())
    say(console, line)
    with Progress(BarColumn(), console=console, transient=True, disable=not console.is_terminal) as bar:
        part.warm(_Bar(bar, bar.add_task("")))


class _Bar:
    """Shows the progress of the compiler."""

    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar = bar
        self._task = task

    def begin(self, total: int) -> None:
        """Start with the number of functions to compile."""
        self._bar.update(self._task, total=total)

    def advance(self, done: int, total: int) -> None:
        """Update the number of compiled functions."""
        self._bar.update(self._task, completed=done)

    def end(self) -> None:
        """Do nothing: the bar is transient."""
