"""
Custom players: a class in a file, or a player of an installed package.

A class is a `Player`, built with the variant, the seats and a seed; or any class with `choose(view, legal)`, built
without arguments.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isabstract
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from qwixx.errors import QwixxError
from qwixx.game.view import View
from qwixx.players.player import Answer, Pads, Player, Registered
from qwixx.players.supervise import PlayerTimeoutError, call_with_timeout, describe, seconds_to_decide
from qwixx.text.notation import Action
from qwixx.variants.model import Variant


class CustomPlayer(Registered):
    """A player that is a class of the user."""

    def __init__(self, name: str, cls: type) -> None:
        """Register a class under a name. Raises `QwixxError` if it is not a class with `choose`."""
        if not isinstance(cls, type) or isabstract(cls) or not _can_choose(cls):
            raise QwixxError(f"The player {name!r} is not a class with a method choose(view, legal).")
        self.name = name
        words = (cls.__doc__ or "").strip().split("\n")[0]
        self.habit = str(getattr(cls, "habit", words)).strip().rstrip(".")
        self._cls = cls

    def plays(self, variant: Variant, seats: int) -> bool:
        """Return whether its class can play this game; a class without `plays` plays every game."""
        says = getattr(self._cls, "plays", None)
        return seats in variant.seats and (says is None or _call_plays(self.name, says, variant, seats))

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Return an instance for one seat of one game."""
        if issubclass(self._cls, Player):
            return self._cls(variant, seats, seed)
        return ChooseAdapter(variant, seats, self._cls())


class ChooseAdapter(Player):
    """Adapter for an object that only has `choose(view, legal)`."""

    def __init__(self, variant: Variant, seats: int, bot: Any) -> None:
        """Ask this object."""
        super().__init__(variant, seats)
        self._bot = bot

    def choose(self, view: View, legal: Sequence[Action]) -> Answer:
        """Return the choice of the object."""
        answer: Answer = self._bot.choose(view, legal)
        return answer


class PackagePlayer(Registered):
    """A player object of an installed package; only `plays` and `sit` are required."""

    def __init__(self, name: str, known: Any) -> None:
        """Register it under the name of its entry point. Raises `QwixxError` if it has no `plays` or `sit`."""
        if not callable(getattr(known, "sit", None)) or not callable(getattr(known, "plays", None)):
            raise QwixxError(f"The player {name!r} is neither a class that can choose nor has it plays() and sit().")
        self.name = name
        self.habit = str(getattr(known, "habit", ""))
        self.remembers = bool(getattr(known, "remembers", True))
        self._known = known

    def plays(self, variant: Variant, seats: int) -> bool:
        """Return whether it says that it can play this game."""
        return seats in variant.seats and _call_plays(self.name, self._known.plays, variant, seats)

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Return its `Player` for one seat of one game."""
        player: Player = self._known.sit(variant, seats, seed=seed, pads=pads)
        return player


def _call_plays(name: str, plays: Callable[[Variant, int], object], variant: Variant, seats: int) -> bool:
    """Call `plays` of third-party code, with a timeout. Raises `QwixxError` if it fails or takes too long."""
    seconds = seconds_to_decide()
    try:
        return bool(call_with_timeout(seconds, plays, variant, seats))
    except PlayerTimeoutError:
        raise QwixxError(f"The player {name!r} did not say within {seconds:g} seconds what it plays.") from None
    except (Exception, SystemExit) as error:
        raise QwixxError(f"The player {name!r} was asked what it plays and raised {describe(error)}.") from None


def _can_choose(cls: type) -> bool:
    own = getattr(cls, "choose", None)
    asked = getattr(cls, "answer", None)
    if issubclass(cls, Player):
        return own is not Player.choose or asked is not Player.answer
    return callable(own)


# ---- files


def is_file(name: str) -> bool:
    """Return whether a name means a class in a file, such as `my_bot.py:MyBot`."""
    return ".py:" in name or name.endswith(".py")


def from_file(name: str) -> Registered:
    """Load the player that a name such as `my_bot.py:MyBot` means. Raises `QwixxError`."""
    path, colon, cls = name.rpartition(":")
    if not colon or not cls.isidentifier():
        raise QwixxError(f"Name the class in {name!r} as well, such as my_bot.py:MyBot.")
    module = _load(Path(path))
    found = getattr(module, cls, None)
    if found is None:
        classes = [word for word, thing in vars(module).items() if isinstance(thing, type)]
        near = get_close_matches(cls, classes, 1)
        meant = f"; did you mean {near[0]!r}?" if near else "."
        raise QwixxError(f"There is no class {cls!r} in {path!r}{meant}")
    return CustomPlayer(name, found)


class _SiblingImporter:
    """Finds modules in the folders of player files, after all other importers: for imports while a player decides."""

    def __init__(self) -> None:
        self._folders: list[str] = []

    def add(self, folder: str) -> None:
        """Search this folder too."""
        if folder not in self._folders:
            self._folders.append(folder)
        if self not in sys.meta_path:
            sys.meta_path.append(self)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a top-level module."""
        return PathFinder.find_spec(name, self._folders, target) if path is None else None


_siblings: Final = _SiblingImporter()
SECONDS_TO_LOAD: Final = 60.0
"""The time limit for loading a file; importing large libraries takes long."""
_loaded: dict[tuple[str, int], ModuleType] = {}


def _load(path: Path) -> ModuleType:
    """Return the module of a file; each version of the file is executed once."""
    try:
        resolved = path.expanduser().resolve()
        key = str(resolved), resolved.stat().st_mtime_ns
    except OSError as error:
        raise QwixxError(f"{str(path)!r} cannot be read: {error.strerror or error}.") from None
    if key in _loaded:
        return _loaded[key]
    stamp = hashlib.sha256(key[0].encode()).hexdigest()[:12]
    spec = spec_from_file_location(f"qwixx_player_{resolved.stem}_{stamp}", resolved)
    if spec is None or spec.loader is None:
        raise QwixxError(f"{str(path)!r} is not a Python file.")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    folder = str(resolved.parent)
    sys.path.insert(0, folder)  # as `python my_bot.py` does, so that it can import modules beside it
    try:
        call_with_timeout(SECONDS_TO_LOAD, spec.loader.exec_module, module)
    except PlayerTimeoutError:
        del sys.modules[spec.name]
        raise QwixxError(f"{str(path)!r} cannot be loaded: it takes longer than {SECONDS_TO_LOAD:g} seconds.") from None
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise QwixxError(f"{str(path)!r} cannot be loaded: it raised {describe(error)}.") from None
    finally:
        with suppress(ValueError):  # the file may have changed the path itself
            sys.path.remove(folder)
    _siblings.add(folder)
    _loaded[key] = module
    return module
