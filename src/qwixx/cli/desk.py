"""Where commands are looked up and where everything that goes wrong becomes one sentence."""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from typing import Any, NoReturn

import click

from qwixx.cli.lazy import LazyGroup
from qwixx.errors import QwixxError, UnknownVariant

BAD_INPUT = 2
INTERRUPTED = 130


class Desk(LazyGroup):
    """A group of commands that answers bad input with a sentence and exit code 2, never with a traceback."""

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Run a command and leave with its exit code."""
        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs)
            sys.stdout.flush()
        except click.ClickException as error:
            _complain(error.format_message())
        except QwixxError as error:
            _complain(str(error))
        except (click.Abort, KeyboardInterrupt):
            click.echo("Interrupted.", err=True)
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            # Whoever read our answer has seen enough; Python would complain once more when it closes stdout.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        sys.exit(code if isinstance(code, int) else 0)

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


def _complain(message: str) -> NoReturn:
    click.echo(f"Error: {message}", err=True)
    sys.exit(BAD_INPUT)
