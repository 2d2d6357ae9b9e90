"""
The registry of players: built-in players, those of installed packages, and on request those in a file.

Every module in the folder `built_in` is loaded; packages use the entry-point group `qwixx.players`. A name from the
network or from a record must never open a file. Only callers that trust the name, such as a command or a user of the
library, may allow that with `files`.
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
from qwixx.players import built_in, custom
from qwixx.players.player import Registered
from qwixx.players.supervise import describe
from qwixx.text.arguments import require_text, with_noun
from qwixx.variants.model import Variant

GROUP = "qwixx.players"
"""The entry-point group of packages with players."""
_NAME = re.compile(r"[A-Za-z][\w.-]{0,39}", re.ASCII)
_FIRST = ("random", "gap", "greedy", "optimal", "master")
"""The first names of the list; all others follow by name."""


@cache
def _built_in_modules() -> tuple[ModuleType, ...]:
    """Return the modules of the built-in players."""
    return tuple(import_module(f"{built_in.__name__}.{each.name}") for each in iter_modules(built_in.__path__))


@cache
def _built_in() -> dict[str, Registered]:
    """Return the built-in players by name."""
    found: dict[str, Registered] = {}
    for module in _built_in_modules():
        for player in module.PLAYERS:
            assert player.name not in found, player.name
            found[player.name] = player
    return dict(sorted(found.items(), key=lambda item: (item[0] not in _FIRST, [*_FIRST, item[0]].index(item[0]))))


def built_in_names() -> tuple[str, ...]:
    """Return the names of the built-in players."""
    return tuple(_built_in())


def parameterized_names() -> tuple[str, ...]:
    """Return descriptions of built-in names with a parameter, such as "gap:0 to gap:14"."""
    return tuple(module.NAMED for module in _built_in_modules() if hasattr(module, "named"))


def _packages() -> dict[str, EntryPoint]:
    """Return the entry points of installed packages with a valid name, without loading them."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        if not _objection(point):
            found.setdefault(point.name, point)
    return found


def _objection(point: EntryPoint) -> str:
    """Return why the name of an entry point is refused; empty if it is valid. Built-in names cannot be replaced."""
    if point.name in _built_in():
        return "a built-in player has this name"
    if not _NAME.fullmatch(point.name) or custom.is_file(point.name):
        return "a name has up to 40 letters, digits, dashes, dots and underscores, and begins with a letter"
    return ""


def _loaded(point: EntryPoint) -> Registered:
    """Load a player of a package. Raises `QwixxError`, which explains the problem."""
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:
        raise QwixxError(f"The player {point.name!r} ({point.value}) cannot be loaded: {describe(error)}.") from None
    if isinstance(loaded, type):
        return custom.CustomPlayer(point.name, loaded)
    return custom.PackagePlayer(point.name, loaded)


def find(name: str, *, files: bool = False) -> Registered:
    """
    Find a player by its name. Raises `QwixxError`.

    With `files` the name may also be a class in a file, such as `my_bot.py:MyBot`: this runs the file.
    """
    require_text(name, "The name of a player is a text such as 'gap'")
    if name in _built_in():
        return _built_in()[name]
    if custom.is_file(name) and not files:
        raise QwixxError(f"{name[:60]!r} is a class in a file; find(..., files=True) runs that file.")
    if files and custom.is_file(name):
        return custom.from_file(name)
    for module in _built_in_modules():
        named = getattr(module, "named", None)
        found: Registered | None = None if named is None else named(name)
        if found is not None:
            return found
    packages = _packages()
    if name in packages:
        return _loaded(packages[name])
    known = [*_built_in(), *packages]
    names = ", ".join([*known, *parameterized_names()])
    near = get_close_matches(name, known, 1)
    meant = f"did you mean {near[0]!r}?" if near else f"there are {names}."
    text = f"There is no player {name[:60]!r}; {meant}"
    if near:
        raise QwixxError(text, "no-bot.near", name=name[:60], near=near[0])
    raise QwixxError(text, "no-bot", name=name[:60], names=names)


def all_players() -> Iterator[tuple[str, Registered | QwixxError]]:
    """Yield all players with their names; for one that cannot be loaded, the error."""
    yield from _built_in().items()
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
        able = [each.name for each in _built_in().values() if each.plays(variant, seats)]
        others = f"; {', '.join(able)} can" if able else ""
        raise QwixxError(
            f"The player {player.name!r} cannot play {variant.id} with {with_noun(seats, 'seat')}{others}.",
            "cannot-play",
            name=player.name,
            game=variant.id,
            n=seats,
        )


def default_heuristic(variant: Variant) -> str:
    """Return the name of the default player: gap on sheets, greedy on the board and with cards."""
    seats = variant.fewest_seats
    return next(name for name in ("gap", "greedy", "random") if _built_in()[name].plays(variant, seats))
