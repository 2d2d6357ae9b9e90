"""`qwixx warm`: compile ahead of time, so that later commands do not wait for the compiler."""

from __future__ import annotations

import click

from qwixx.cli.terminal.compile_progress import warm_if_cold
from qwixx.cli.terminal.screen import make_console, say
from qwixx.errors import QwixxError
from qwixx.jit.decorators import COMPILES
from qwixx.jit.library import PATH
from qwixx.precompile import PARTS, Part, why_interpreted, why_not_cached

_said: list[str] = []
_BY_NAME = {part.words: part for part in PARTS}


@click.command("warm")
@click.argument("parts", nargs=-1, type=click.Choice(list(_BY_NAME)), metavar="[PART]...")
@click.option(
    "--library", is_flag=True, help="Also write the code into the installed package, which then runs without numba."
)
def warm_command(parts: tuple[str, ...], library: bool) -> None:
    """
    Compile ahead of time: rules, players, coach, simulator, solver, environments, training, or only the PARTs named.

    This is optional: games start immediately without it, and long tasks compile their code when they need it. It is
    useful on a new machine, or when building an image.

    Example: qwixx warm

    Example: qwixx warm rules solver

    Example: qwixx warm --library && pip uninstall numba llvmlite
    """
    console = make_console()
    if why_interpreted():
        say(console, f"{why_interpreted()} There is nothing to compile.")
        return
    if why_not_cached():
        raise QwixxError(why_not_cached())
    chosen = [_BY_NAME[name] for name in parts] or list(PARTS)
    for part in chosen:
        warm_if_cold(console, part)
    console.print(f"Compiled: {', '.join(part.words for part in chosen)}.")
    if library:
        _write_library(chosen)
        console.print("The package has a library of it, and needs no numba now.")


def _write_library(parts: list[Part]) -> None:
    """Load the code of some parts, and write it into the package."""
    if not COMPILES:
        raise QwixxError("Only the compiler can write a library, and there is none here.")
    from qwixx.jit.build_library import write_library  # noqa: PLC0415 - loads the compiler

    for part in parts:
        part.use()
    try:
        write_library(PATH)
    except (OSError, RuntimeError) as error:  # no linker, a full disk
        raise QwixxError(f"The library could not be written: {error}") from None
