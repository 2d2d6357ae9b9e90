"""The keyboard: reads lines from a terminal or a pipe."""

from __future__ import annotations

import contextlib
import io
import sys
import textwrap

from rich.console import Console

from qwixx.base.interrupts import raising_on_interrupt

_LONGEST_LINE = 10_000
_ROOM_TO_TYPE = 10


class EndOfInputError(Exception):
    """The input has ended."""


def _broken(prompt: str, width: int) -> list[str]:
    """Wrap a prompt between words, so that there is space after it to type."""
    if len(prompt) + _ROOM_TO_TYPE <= width:
        return [prompt]
    lines = textwrap.wrap(prompt, max(width - _ROOM_TO_TYPE, _ROOM_TO_TYPE), break_long_words=False) or [""]
    return [*lines[:-1], f"{lines[-1]} "]


class Keyboard:
    """Asks for a line at a time."""

    def __init__(self, console: Console) -> None:
        """Enable history and arrow keys at a terminal; in a pipe, replace bytes that are not text."""
        self._console = console
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        """Whether a person types at a terminal."""
        if self.is_terminal:
            with contextlib.suppress(ImportError):  # without it, typing still works
                import readline  # noqa: F401, PLC0415
        elif isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != "replace":
            sys.stdin.reconfigure(errors="replace")

    def clear_history(self) -> None:
        """Clear the input history, so that the arrow keys do not show it to the next person."""
        if self.is_terminal and "readline" in sys.modules:
            sys.modules["readline"].clear_history()

    def lines_of(self, prompt: str) -> int:
        """Return how many lines a prompt takes on the screen."""
        return len(_broken(prompt, self._console.width))

    def ask(self, prompt: str) -> str:
        """Read a line. Raises `EndOfInputError` at the end of the input, and `KeyboardInterrupt`."""
        with raising_on_interrupt():  # so that the terminal is restored
            return self._ask(prompt)

    def _ask(self, prompt: str) -> str:
        *above, prompt = _broken(prompt, self._console.width) if self._console.is_terminal else [prompt]
        for line in above:
            self._console.print(line, markup=False)
        if self.is_terminal:
            try:
                return input(prompt).strip()
            except EOFError:
                raise EndOfInputError from None
            except UnicodeDecodeError:  # bytes that are not in the terminal's encoding
                return "\ufffd"
        self._console.print(prompt, end="", markup=False)
        line = sys.stdin.readline(_LONGEST_LINE)
        self._console.print()
        if not line:
            raise EndOfInputError
        return line.strip()
