"""Commands that are loaded when they are run: whoever asks for help, or for one of them, does not wait for all."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

_FOLDER = Path(__file__).parent


class LazyGroup(click.Group):
    """A group whose commands stand in files of their names, each as `NAME_command`."""

    def __init__(self, *args: Any, names: Sequence[str] = (), **kwargs: Any) -> None:
        """Take the names of the commands, in the order in which they are listed."""
        super().__init__(*args, **kwargs)
        self._names = tuple(names)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in their order."""
        return list(self._names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        if cmd_name not in self._names:
            return None
        command = getattr(import_module(f"{__package__}.{cmd_name}"), f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the first sentence of each, read without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_sentence(name)) for name in self._names])


def first_sentence(name: str) -> str:
    """Read the first sentence of a command's help from its source."""
    tree = ast.parse((_FOLDER / f"{name}.py").read_bytes())
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == f"{name}_command")
    return (ast.get_docstring(function) or "").partition("\n\n")[0].replace("\n", " ")
