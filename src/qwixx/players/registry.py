"""
All players by name: those of the house, those of installed packages, and on request those in a file.

A file of the house is found by standing in its folder, a package by the entry-point group `qwixx.players`. A name that
came from elsewhere, over the network or out of a record, must never open a file: only whoever types a command or calls
the library may do that, and then says so with `files`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from types import ModuleType

from qwixx.errors import QwixxError
from qwixx.players import house, yours
from qwixx.players.base import Registered
from qwixx.players.guard import describe
from qwixx.variants.model import Variant
from qwixx.wanted import counted

GROUP = "qwixx.players"
"""The entry-point group of packages that bring players."""
_NAME = re.compile(r"[A-Za-z][\w.-]{0,39}", re.ASCII)
_FIRST = ("random", "gap", "greedy", "optimal", "master")
"""The order in which they are listed; all others follow by name."""


@cache
def _house_modules() -> tuple[ModuleType, ...]:
    """Load the files of the house."""
    return tuple(import_module(f"{house.__name__}.{each.name}") for each in iter_modules(house.__path__))


@cache
def _house() -> dict[str, Registered]:
    """Find the players of the house."""
    found: dict[str, Registered] = {}
    for module in _house_modules():
        for player in module.PLAYERS:
            assert player.name not in found, player.name
            found[player.name] = player
    return dict(sorted(found.items(), key=lambda item: (item[0] not in _FIRST, [*_FIRST, item[0]].index(item[0]))))


def house_names() -> tuple[str, ...]:
    """Give the names of the players that came with this package."""
    return tuple(_house())


def more_names() -> tuple[str, ...]:
    """Say which further names players of the house go by, such as "gap:0 to gap:14"."""
    return tuple(module.NAMED for module in _house_modules() if hasattr(module, "named"))


def _packages() -> dict[str, EntryPoint]:
    """List what installed packages bring, without loading any, as far as it goes by a name of its own."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        if not _objection(point):
            found.setdefault(point.name, point)
    return found


def _objection(point: EntryPoint) -> str:
    """Say why nobody can be called as a package wants; empty if that goes. A name of the house stays the house's."""
    if point.name in _house():
        return "a player of the house has this name"
    if not _NAME.fullmatch(point.name) or yours.is_file(point.name):
        return "a name has up to 40 letters, digits, dashes, dots and underscores, and begins with a letter"
    return ""


def _loaded(point: EntryPoint) -> Registered:
    """Load a player of a package. Raises `QwixxError` with what is wrong about it."""
    try:
        brought = point.load()
    except (Exception, SystemExit) as error:
        raise QwixxError(f"The player {point.name!r} ({point.value}) cannot be loaded: {describe(error)}.") from None
    if isinstance(brought, type):
        return yours.Yours(point.name, brought)
    return yours.Foreign(point.name, brought)


def find(name: str, *, files: bool = False) -> Registered:
    """
    Find a player by its name. Raises `QwixxError`.

    With `files` the name may also be a class in a file, such as `my_bot.py:MyBot`: this runs the file.
    """
    if name in _house():
        return _house()[name]
    if files and yours.is_file(name):
        return yours.from_file(name)
    for module in _house_modules():
        named = getattr(module, "named", None)
        found: Registered | None = None if named is None else named(name)
        if found is not None:
            return found
    packages = _packages()
    if name in packages:
        return _loaded(packages[name])
    known = [*_house(), *packages]
    near = get_close_matches(name, known, 1)
    meant = f"did you mean {near[0]!r}?" if near else f"there are {', '.join([*known, *more_names()])}."
    raise QwixxError(f"There is no player {name[:60]!r}; {meant}")


def all_players() -> Iterator[tuple[str, Registered | QwixxError]]:
    """Go through all players with their names; one that cannot be loaded is the error that says why."""
    yield from _house().items()
    for name, point in sorted(_packages().items()):
        try:
            yield name, _loaded(point)
        except QwixxError as error:
            yield name, error
    for point in entry_points(group=GROUP):
        problem = _objection(point)
        if not problem and (first := _packages()[point.name]) != point:
            problem = f"{first.value} has this name already"
        if problem:
            yield (
                f"{point.name} ({point.value})",
                QwixxError(f"The player {point.name!r} ({point.value}) is left out: {problem}."),
            )


def check_plays(player: Registered, variant: Variant, seats: int) -> None:
    """Raise `QwixxError` if a player cannot play a game."""
    if not player.plays(variant, seats):
        able = [each.name for each in _house().values() if each.plays(variant, seats)]
        others = f"; {', '.join(able)} can" if able else ""
        raise QwixxError(f"The player {player.name!r} cannot play {variant.id} with {counted(seats, 'seat')}{others}.")


def rule_of_thumb(variant: Variant) -> str:
    """Name the player to take where none is named: gap on sheets, greedy on the board and with cards."""
    seats = variant.fewest_seats
    return next(name for name in ("gap", "greedy", "random") if _house()[name].plays(variant, seats))
