"""Consoles for standard output and standard error: colors in a terminal, plain text otherwise."""

from __future__ import annotations

import sys
from importlib import import_module

from rich.console import Console
from rich.text import Text

_PLAIN_WIDTH = 100


def make_console() -> Console:
    """Return a console for standard output; in a file or pipe it is wide enough for every sheet."""
    width = None if sys.stdout.isatty() else _PLAIN_WIDTH
    return Console(file=sys.stdout, highlight=False, width=width)


def make_notes() -> Console:
    """Return a console for standard error: for progress and notes, so that output can be piped."""
    width = None if sys.stderr.isatty() else _PLAIN_WIDTH
    return Console(file=sys.stderr, highlight=False, width=width)


def wipe(console: Console) -> None:
    """Clear the screen and, if the terminal can, its scrollback, so that other people cannot read it."""
    if console.is_terminal:
        console.file.write("\x1b[H\x1b[2J\x1b[3J")  # in this order: clearing may scroll the text away first
        console.file.flush()


def keeps_what_scrolled() -> bool:
    """Whether the terminal cannot clear its scrollback, according to terminfo."""
    try:
        curses = import_module("curses")
        curses.setupterm()
        return not curses.tigetstr("E3")
    except Exception:  # there is no terminfo entry, or no curses
        return True


def writes_everything() -> bool:
    """Whether standard output can encode every character."""
    return (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")


def say(console: Console, text: str | Text, style: str = "", *, whole: bool = False) -> None:
    """
    Print a line without interpreting markup: it may contain typed text.

    A `whole` line, such as one with a path, is not wrapped; in a file or pipe no line is.
    """
    line = text if isinstance(text, Text) else Text(text)
    console.print(line, style=style or None, soft_wrap=whole or not console.is_terminal)
