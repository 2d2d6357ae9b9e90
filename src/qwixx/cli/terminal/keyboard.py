"""The keyboard: lines people type, at a terminal or from a pipe."""

from __future__ import annotations

import contextlib
import io
import sys
import textwrap

from rich.console import Console

from qwixx.interrupts import gently

_LONGEST_LINE = 10_000
_ROOM_TO_TYPE = 10


class EndOfInputError(Exception):
    """Nobody will type anything any more."""


def _broken(prompt: str, width: int) -> list[str]:
    """Break a prompt between words, so that there is room behind it to type."""
    if len(prompt) + _ROOM_TO_TYPE <= width:
        return [prompt]
    lines = textwrap.wrap(prompt, max(width - _ROOM_TO_TYPE, _ROOM_TO_TYPE), break_long_words=False) or [""]
    return [*lines[:-1], f"{lines[-1]} "]


class Keyboard:
    """Asks for a line at a time."""

    def __init__(self, console: Console) -> None:
        """Get ready: history and arrow keys at a terminal, and no fuss about bytes that are no text."""
        self._console = console
        self._is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        if self._is_terminal:
            with contextlib.suppress(ImportError):  # where it is missing, typing still works
                import readline  # noqa: F401, PLC0415
        elif isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != "replace":
            sys.stdin.reconfigure(errors="replace")

    def forget(self) -> None:
        """Forget what was typed, so that the arrow keys do not show it to the next person."""
        if self._is_terminal and "readline" in sys.modules:
            sys.modules["readline"].clear_history()

    def ask(self, prompt: str) -> str:
        """Ask for a line. Raises `EndOfInputError` when there are no more, and `KeyboardInterrupt`."""
        with gently():  # so that the terminal is put back as it was
            return self._ask(prompt)

    def _ask(self, prompt: str) -> str:
        *above, prompt = _broken(prompt, self._console.width) if self._console.is_terminal else [prompt]
        for line in above:
            self._console.print(line, markup=False)
        if self._is_terminal:
            try:
                return input(prompt).strip()
            except EOFError:
                raise EndOfInputError from None
            except UnicodeDecodeError:  # letters that the terminal does not know
                return "\ufffd"
        self._console.print(prompt, end="", markup=False)
        line = sys.stdin.readline(_LONGEST_LINE)
        self._console.print()
        if not line:
            raise EndOfInputError
        return line.strip()
