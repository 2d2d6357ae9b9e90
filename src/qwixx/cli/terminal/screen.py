"""The terminal: colors where it has them, plain text where it has not."""

from __future__ import annotations

import sys
from importlib import import_module

from rich.console import Console
from rich.text import Text

_PLAIN_WIDTH = 100


def make_console() -> Console:
    """Open the terminal; output into a file or pipe is wide enough for every sheet."""
    width = None if sys.stdout.isatty() else _PLAIN_WIDTH
    return Console(file=sys.stdout, highlight=False, width=width)


def make_notes() -> Console:
    """Open standard error: for progress and the like, so that answers can be piped."""
    width = None if sys.stderr.isatty() else _PLAIN_WIDTH
    return Console(file=sys.stderr, highlight=False, width=width)


def wipe(console: Console) -> None:
    """Clean the screen, and as far as the terminal can what has scrolled away, so that nobody reads it any more."""
    if console.is_terminal:
        console.file.write("\x1b[H\x1b[2J\x1b[3J")  # in this order: what is cleaned away may scroll away first
        console.file.flush()


def keeps_what_scrolled() -> bool:
    """Whether the terminal cannot forget what has scrolled away, as far as its description tells."""
    try:
        curses = import_module("curses")
        curses.setupterm()
        return not curses.tigetstr("E3")
    except Exception:  # there is no description, or nobody to read it
        return True


def writes_everything() -> bool:
    """Whether standard output can write every letter as it is."""
    return (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")


def say(console: Console, text: str | Text, style: str = "", *, whole: bool = False) -> None:
    """
    Print a line as it is: what people typed is never read as markup.

    A `whole` line, one with a path say, is not broken; into a file or pipe no line is.
    """
    line = text if isinstance(text, Text) else Text(text)
    console.print(line, style=style or None, soft_wrap=whole or not console.is_terminal)
