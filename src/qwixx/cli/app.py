"""The command group: finds commands, and turns every error into one sentence and an exit code."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

import click

from qwixx.base import interrupts
from qwixx.base.languages import preferred_language, speak
from qwixx.cli.lazy_commands import LazyGroup
from qwixx.cli.terminal import streams
from qwixx.errors import QwixxError, UnknownVariant

FAILED = 1
BAD_INPUT = 2
_WIDEST_HELP = 80
_HELP_MARGIN = 2


class CommandGroup(LazyGroup):
    """
    A group of commands that reports bad input with a sentence and exit code 2, never with a traceback.

    If output cannot be written the exit code is 1, after Ctrl-C it is 130.
    """

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Run a command and exit with its exit code."""
        streams.prepare()
        with interrupts.exiting_on_interrupt():
            sys.exit(self._run(*args, **kwargs))

    def _run(self, *args: Any, **kwargs: Any) -> int:
        speak(preferred_language())  # until the command is known
        kwargs["standalone_mode"] = False
        kwargs.setdefault("terminal_width", _help_width())
        try:
            code = super().main(*args, **kwargs)
            sys.stdout.flush()
        except click.ClickException as error:
            from qwixx.cli.terminal.language import usage_text  # noqa: PLC0415 - only errors need texts

            return _complain(usage_text(error), BAD_INPUT)
        except QwixxError as error:
            from qwixx.text.labels import error_text  # noqa: PLC0415 - as above

            return _complain(error_text(error), BAD_INPUT)
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
        """Find a command by its name, and its language; for an unknown name, suggest the nearest one."""
        name = args[0]
        command = self.get_command(ctx, name)
        if command is not None:
            from qwixx.cli.terminal.language import language_of  # noqa: PLC0415 - `qwixx --help` needs no texts

            speak(language_of(command, args[1:]))
        elif not name.startswith("-"):
            raise click.UsageError(_unknown("command", name, self.list_commands(ctx)))
        return super().resolve_command(ctx, args)


class VariantName(click.ParamType[str]):
    """The id of a game, or the file of a custom sheet."""

    name = "variant"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Accept an id in any case, or a .toml file; suggest the nearest id."""
        from qwixx.variants import names  # noqa: PLC0415 - `qwixx --help` need not wait for the games

        text = str(value)
        if text.lower() in names():
            return text.lower()
        if text.endswith(".toml"):
            return text
        raise UnknownVariant(_unknown("game", text[:40], names()))


VARIANT = VariantName()


def _unknown(kind: str, word: str, known: Sequence[str]) -> str:
    """Return that there is no such command or game, with the nearest one or all of them."""
    from qwixx.text.catalogue import t  # noqa: PLC0415 - only errors need texts

    near = get_close_matches(word.lower(), known, 1)
    if near:
        return t(f"cli.error.{kind}.near", name=word, near=near[0])
    return t(f"cli.error.{kind}", name=word, names=", ".join(known))


class Seconds(click.FloatRange):
    """A number of seconds within bounds; NaN is out of bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it. Raises what click raises for a number out of bounds."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return seconds


def _help_width() -> int:
    """Return the width of help texts: that of the terminal, even below click's minimum of fifty columns."""
    return min(shutil.get_terminal_size((_WIDEST_HELP, 24)).columns, _WIDEST_HELP) - _HELP_MARGIN


def _complain(message: str, code: int) -> int:
    """Print an error to stderr, if stderr still works, and return the exit code."""
    from qwixx.cli.terminal.screen import make_notes, say  # noqa: PLC0415 - `qwixx --help` need not wait for the screen
    from qwixx.text.catalogue import t  # noqa: PLC0415 - as above

    try:
        notes = make_notes()
        sentence, colon, command = message.rpartition(": qwixx ") if notes.is_terminal else (message, "", "")
        say(notes, t("cli.error", text=f"{sentence}{colon[:1]}") if message else t("cli.interrupted"))
        if command:
            say(notes, f"qwixx {command}", whole=True)  # so that it can be copied
        sys.stderr.flush()
    except (OSError, ValueError):
        streams.discard_output(sys.stderr)
    return code


def _io_failed(error: OSError) -> int:
    """Report that output could not be written; a closed pipe is not an error to report."""
    streams.discard_output(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return FAILED
    from qwixx.cli.terminal.files import reason_of  # noqa: PLC0415 - only errors need texts
    from qwixx.text.catalogue import t  # noqa: PLC0415 - as above

    if error.filename is None:  # an error with a file name is about another file than standard output
        return _complain(t("cli.error.output", reason=reason_of(error)), FAILED)
    return _complain(t("cli.error.use", file=repr(str(error.filename)), reason=reason_of(error)), FAILED)


def _checked(code: int) -> int:
    """Flush the output of a command and return its exit code."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return _io_failed(error)
    return code
