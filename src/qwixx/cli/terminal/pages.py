"""Output that fits the screen: long output waits for Enter, and news are shortened to the room above a question."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.text import Text

from qwixx.cli.terminal.keyboard import Keyboard
from qwixx.cli.terminal.screen import say
from qwixx.text.catalogue import t

_LEAST_LINE = 4
"""Columns of the line after a heading."""
_PROMPT_LINES = 2
"""Lines of the longest prompt that follows the last page."""


def is_screen(console: Console, keyboard: Keyboard) -> bool:
    """Whether a person reads a screen of a known height and answers at its keyboard."""
    return console.is_terminal and keyboard.is_terminal


def lines_of(console: Console, *parts: RenderableType) -> int:
    """Return how many lines of the screen some parts take."""
    return sum(len(console.render_lines(part, pad=False)) for part in parts)


@contextmanager
def pages(console: Console, keyboard: Keyboard, above: int = 0) -> Iterator[None]:
    """
    Show what is printed here screen by screen, and wait for Enter after each; `q` leaves out the rest.

    `above` are lines that the first screen has already.
    """
    if not is_screen(console, keyboard):
        yield
        return
    with console.capture() as captured:
        yield
    shown = above
    for line in captured.get().splitlines():
        text = Text.from_ansi(line)
        height = max(1, -(-cell_len(text.plain.rstrip()) // console.width))
        if shown and shown + height + max(_PROMPT_LINES, keyboard.lines_of(_enter())) > console.height:
            if keyboard.ask(_enter()).lower() in ("q", "quit"):
                return
            shown = 0
        console.print(text, soft_wrap=True)
        shown += height


def _enter() -> str:
    return f"{t('cli.replay.enter')} "


def heading(console: Console, text: str) -> RenderableType:
    """Return a heading with a line after it, or without if the line would cut it."""
    if len(text) + _LEAST_LINE > console.width:
        return Text(text, "bold")
    return Rule(Text(text), align="left", style="dim")


class News:
    """What happened since a person was asked last: held back on a screen, and printed at once in a file or pipe."""

    def __init__(self, console: Console, keyboard: Keyboard) -> None:
        """Start without news."""
        self._console = console
        self._keyboard = keyboard
        self._held: list[tuple[RenderableType, bool]] = []
        """Each with whether it must not be left out."""

    def say(self, text: str, style: str = "", *, must_show: bool = False) -> None:
        """Add a sentence."""
        if is_screen(self._console, self._keyboard):
            self._held.append((Text(text, style), must_show))
        else:
            say(self._console, text, style)

    def head(self, text: str) -> None:
        """Add a heading below an empty line."""
        if is_screen(self._console, self._keyboard):
            self._held += [(Text(), False), (heading(self._console, text), False)]
        else:
            self._console.print()
            self._console.print(heading(self._console, text))

    def show(self, room: int | None = None) -> None:
        """
        Print what was held back. If there are fewer lines of `room`, print only the last sentences.

        Sentences that must not be left out then get a screen of their own.
        """
        held, self._held = self._held, []
        parts = [part for part, _ in held]
        if room is None or lines_of(self._console, *parts) <= room:
            self._print(parts)
            return
        first = [part for part, must_show in held if must_show]
        if first:
            self._print(first)
            self._keyboard.ask(_enter())
        rest = [part for part, must_show in held if not must_show]
        kept = list(rest)
        while kept and lines_of(self._console, *kept) + (len(kept) < len(rest)) > room:
            kept.pop(0)
        while len(kept) < len(rest) and kept and not str(kept[0]):  # an empty line is no news
            kept.pop(0)
        left_out = sum(bool(str(part)) for part in rest) - sum(bool(str(part)) for part in kept)
        if left_out and room > 0:
            say(self._console, t("cli.earlier", n=left_out), "dim")
        self._print(kept)

    def drop(self) -> None:
        """Forget what was held back: another person reads it in their own words."""
        self._held.clear()

    def _print(self, parts: list[RenderableType]) -> None:
        for part in parts:
            self._console.print(part)
