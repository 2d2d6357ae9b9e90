"""Loads a command's module only when the command runs, so that `qwixx --help` and each command start fast."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

_COMMANDS = Path(__file__).parent / "commands"


class LazyGroup(click.Group):
    """A group with lazy loading; each command is the function `NAME_command` in a file NAME.py."""

    def __init__(self, *args: Any, folders: Mapping[str, str], **kwargs: Any) -> None:
        """`folders` maps each command to its folder in `cli/commands`, in the order of the help."""
        super().__init__(*args, **kwargs)
        self._folders = folders

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of the help."""
        return list(self._folders)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        if cmd_name not in self._folders:
            return None
        command = getattr(
            import_module(f"{__package__}.commands.{self._folders[cmd_name]}.{cmd_name}"), f"{cmd_name}_command"
        )
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the first sentence of each, read without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_sentence(folder, name)) for name, folder in self._folders.items()])


def first_sentence(folder: str, name: str) -> str:
    """Read the first sentence of a command's help from its source."""
    tree = ast.parse((_COMMANDS / folder / f"{name}.py").read_bytes())
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == f"{name}_command")
    return (ast.get_docstring(function) or "").partition("\n\n")[0].replace("\n", " ")
