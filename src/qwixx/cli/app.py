"""Where commands are looked up and where everything that goes wrong becomes one sentence."""

from __future__ import annotations

import math
import shutil
import sys
from difflib import get_close_matches
from typing import Any, NoReturn

import click

from qwixx import interrupts
from qwixx.cli import streams
from qwixx.cli.lazy import LazyGroup
from qwixx.errors import QwixxError, UnknownVariant

FAILED = 1
BAD_INPUT = 2
_WIDEST_HELP = 80
_HELP_MARGIN = 2


class Desk(LazyGroup):
    """
    A group of commands that answers bad input with a sentence and exit code 2, never with a traceback.

    Where an answer cannot be written the exit code is 1, after Ctrl-C it is 130.
    """

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Run a command and leave with its exit code."""
        streams.prepare()
        with interrupts.leaving_at_once():
            sys.exit(self._run(*args, **kwargs))

    def _run(self, *args: Any, **kwargs: Any) -> int:
        kwargs["standalone_mode"] = False
        kwargs.setdefault("terminal_width", _help_width())
        try:
            code = super().main(*args, **kwargs)
            sys.stdout.flush()
        except click.ClickException as error:
            return _complain(error.format_message(), BAD_INPUT)
        except QwixxError as error:
            return _complain(str(error), BAD_INPUT)
        except (click.Abort, KeyboardInterrupt):
            return _complain("", interrupts.INTERRUPTED)
        except SystemExit as left:
            return _checked(left.code if isinstance(left.code, int) else FAILED)
        except OSError as error:
            return _io_failed(error)
        return code if isinstance(code, int) else 0

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command by its name, or say which one may have been meant."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            known = self.list_commands(ctx)
            raise click.UsageError(f"There is no command {name!r}; {_meant(name, known, 'commands')}")
        return super().resolve_command(ctx, args)


class VariantName(click.ParamType[str]):
    """The id of a game, or the file of a sheet of one's own."""

    name = "variant"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Accept an id in any case, or a .toml file; suggest the nearest id."""
        from qwixx.variants import names  # noqa: PLC0415 - `qwixx --help` need not wait for the games

        text = str(value)
        if text.lower() in names():
            return text.lower()
        if text.endswith(".toml"):
            return text
        raise UnknownVariant(f"There is no game {text[:40]!r}; {_meant(text, names(), 'games')}")


VARIANT = VariantName()


def _meant(word: str, known: tuple[str, ...] | list[str], kind: str) -> str:
    near = get_close_matches(word.lower(), known, 1)
    return f"did you mean {near[0]!r}?" if near else f"the {kind} are {', '.join(known)}."


class Seconds(click.FloatRange):
    """A number of seconds within bounds; what is no number at all is out of them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it. Raises what click raises for a number out of bounds."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return seconds


def _help_width() -> int:
    """Give the width of help texts: that of the terminal, also where click would not go below fifty columns."""
    return min(shutil.get_terminal_size((_WIDEST_HELP, 24)).columns, _WIDEST_HELP) - _HELP_MARGIN


def _complain(message: str, code: int) -> int:
    """Say what went wrong, if that can still be said."""
    from qwixx.cli.screen import make_notes, say  # noqa: PLC0415 - `qwixx --help` need not wait for the screen

    try:
        notes = make_notes()
        sentence, colon, command = message.rpartition(": qwixx ") if notes.is_terminal else (message, "", "")
        say(notes, f"Error: {sentence}{colon[:1]}" if message else "Interrupted.")
        if command:
            say(notes, f"qwixx {command}", whole=True)  # so that it can be copied
        sys.stderr.flush()
    except (OSError, ValueError):
        streams.give_up(sys.stderr)
    return code


def _io_failed(error: OSError) -> int:
    """Say that an answer could not be written; nothing if its reader has just seen enough."""
    streams.give_up(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return FAILED
    reason = error.strerror or str(error)
    if error.filename is None:  # files are opened by name, and their writers say themselves what failed
        return _complain(f"The answer cannot be written: {reason}.", FAILED)
    return _complain(f"{str(error.filename)!r} cannot be used: {reason}.", FAILED)


def _checked(code: int) -> int:
    """Give an exit code of a command, once all it has written is out."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return _io_failed(error)
    return code
