"""Reproducible chance: games without a seed draw theirs from here instead of the system's entropy."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

from qwixx.fair import commitment
from qwixx.game import chance

SEED_FILE = "TEST_SEED_FILE"
"""The variable with the file from which a server reads the name of its seed. The name may change while it runs."""
seed_files: set[Path] = set()
"""The seed files of the running servers."""


class Luck:
    """Chance that is seeded by a name; Python's own random numbers are seeded with it."""

    def __init__(self, name: Callable[[], str]) -> None:
        """Take a function that returns the name; when the name changes, chance starts again."""
        self._find_name = name
        self._name = ""
        self._numbers = random.Random()

    def numbers(self) -> random.Random:
        """Return the source of the next number."""
        if self._name != (name := self._find_name()):
            self._name = name
            self._numbers.seed(name)
            random.seed(name)
        return self._numbers


def seed_chance(name: str | Path, put: Callable[[object, str, object], None] = setattr) -> None:
    """Seed all games by a name, or by the name in a file. Tokens and codes stay secret and unique."""
    luck = Luck(name.read_text if isinstance(name, Path) else lambda: name)
    luck.numbers()
    put(chance, "secrets", SimpleNamespace(randbits=lambda size: luck.numbers().getrandbits(size)))
    put(commitment, "secrets", SimpleNamespace(token_hex=lambda size: luck.numbers().randbytes(size).hex()))


def seed_servers(name: str) -> None:
    """Seed the running servers: the dice of a test do not depend on the tests before it."""
    for file in seed_files:
        file.write_text(name, "utf-8")
