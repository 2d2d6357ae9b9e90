"""
Players of your own: a class in a file, or in an installed package.

A class can be a `Player`, built with the variant, the seats and a seed; or any class with `choose(view, legal)`, built
with nothing.
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
from qwixx.notation import Action
from qwixx.players.base import Answer, Pads, Player, Registered
from qwixx.players.guard import LateError, describe, seconds_to_decide, within
from qwixx.variants.model import Variant
from qwixx.view import View


class Yours(Registered):
    """A player of your own, by the class it is written as."""

    def __init__(self, name: str, written: type) -> None:
        """Register a class under a name. Raises `QwixxError` if it is no class that can choose."""
        if not isinstance(written, type) or isabstract(written) or not _can_choose(written):
            raise QwixxError(f"The player {name!r} is no class with a method choose(view, legal).")
        self.name = name
        words = (written.__doc__ or "").strip().split("\n")[0]
        self.habit = str(getattr(written, "habit", words)).strip().rstrip(".")
        self._written = written

    def plays(self, variant: Variant, seats: int) -> bool:
        """Whether it says that it can; one that says nothing plays everything."""
        says = getattr(self._written, "plays", None)
        return seats in variant.seats and (says is None or _asked(self.name, says, variant, seats))

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Build one for a game."""
        if issubclass(self._written, Player):
            return self._written(variant, seats, seed)
        return _Wrapped(variant, seats, self._written())


class _Wrapped(Player):
    """A player whose class knows nothing of this package."""

    def __init__(self, variant: Variant, seats: int, mind: Any) -> None:
        super().__init__(variant, seats)
        self._mind = mind

    def choose(self, view: View, legal: Sequence[Action]) -> Answer:
        """Let it choose."""
        answer: Answer = self._mind.choose(view, legal)
        return answer


class Foreign(Registered):
    """A player that a package registered itself; nothing is taken for granted but `plays` and `sit`."""

    def __init__(self, name: str, known: Any) -> None:
        """Take it in under the name of its entry point. Raises `QwixxError` if it cannot sit down."""
        if not callable(getattr(known, "sit", None)) or not callable(getattr(known, "plays", None)):
            raise QwixxError(f"The player {name!r} is neither a class that can choose nor has it plays() and sit().")
        self.name = name
        self.habit = str(getattr(known, "habit", ""))
        self.remembers = bool(getattr(known, "remembers", True))
        self._known = known

    def plays(self, variant: Variant, seats: int) -> bool:
        """Ask it."""
        return seats in variant.seats and _asked(self.name, self._known.plays, variant, seats)

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: Pads | None = None) -> Player:
        """Let it sit down."""
        player: Player = self._known.sit(variant, seats, seed=seed, pads=pads)
        return player


def _asked(name: str, plays: Callable[[Variant, int], object], variant: Variant, seats: int) -> bool:
    """Ask a player from elsewhere what it plays. Raises `QwixxError` if it does not say."""
    seconds = seconds_to_decide()
    try:
        return bool(within(seconds, plays, variant, seats))
    except LateError:
        raise QwixxError(f"The player {name!r} did not say within {seconds:g} seconds what it plays.") from None
    except (Exception, SystemExit) as error:
        raise QwixxError(f"The player {name!r} was asked what it plays and raised {describe(error)}.") from None


def _can_choose(written: type) -> bool:
    own = getattr(written, "choose", None)
    asked = getattr(written, "answer", None)
    if issubclass(written, Player):
        return own is not Player.choose or asked is not Player.answer
    return callable(own)


# ---- files


def is_file(name: str) -> bool:
    """Whether a name means a class in a file, such as `my_bot.py:MyBot`."""
    return ".py:" in name or name.endswith(".py")


def from_file(name: str) -> Registered:
    """Load the player that a name such as `my_bot.py:MyBot` means. Raises `QwixxError`."""
    path, colon, written = name.rpartition(":")
    if not colon or not written.isidentifier():
        raise QwixxError(f"Name the class in {name!r} as well, such as my_bot.py:MyBot.")
    module = _load(Path(path))
    found = getattr(module, written, None)
    if found is None:
        classes = [word for word, thing in vars(module).items() if isinstance(thing, type)]
        near = get_close_matches(written, classes, 1)
        meant = f"; did you mean {near[0]!r}?" if near else "."
        raise QwixxError(f"There is no class {written!r} in {path!r}{meant}")
    return Yours(name, found)


class _Neighbours:
    """Finds modules beside the files of players, where nobody else has them: for imports while a player decides."""

    def __init__(self) -> None:
        self._folders: list[str] = []

    def add(self, folder: str) -> None:
        """Look in this folder, too."""
        if folder not in self._folders:
            self._folders.append(folder)
        if self not in sys.meta_path:
            sys.meta_path.append(self)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module that is imported by its name alone."""
        return PathFinder.find_spec(name, self._folders, target) if path is None else None


_neighbors: Final = _Neighbours()
SECONDS_TO_LOAD: Final = 60.0
"""What a file may take until it is loaded; large libraries take their time."""
_loaded: dict[tuple[str, int], ModuleType] = {}


def _load(path: Path) -> ModuleType:
    """Run a file, once for each of its versions."""
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
        raise QwixxError(f"{str(path)!r} is no Python file.")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    folder = str(resolved.parent)
    sys.path.insert(0, folder)  # as `python my_bot.py` would, so that it finds its neighbors
    try:
        within(SECONDS_TO_LOAD, spec.loader.exec_module, module)
    except LateError:
        del sys.modules[spec.name]
        raise QwixxError(f"{str(path)!r} cannot be loaded: it takes longer than {SECONDS_TO_LOAD:g} seconds.") from None
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise QwixxError(f"{str(path)!r} cannot be loaded: it raised {describe(error)}.") from None
    finally:
        with suppress(ValueError):  # the file may have changed the path itself
            sys.path.remove(folder)
    _neighbors.add(folder)
    _loaded[key] = module
    return module
