"""Reproducible chance: games without a seed draw theirs from here instead of the system's entropy."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace

from qwixx.fair import commitment
from qwixx.game import chance


def seed_chance(name: str, put: Callable[[object, str, object], None] = setattr) -> None:
    """Seed all games, and Python's own random numbers, by a name. Tokens and codes stay secret and unique."""
    luck = random.Random(name)
    random.seed(name)
    put(chance, "secrets", SimpleNamespace(randbits=luck.getrandbits))
    put(commitment, "secrets", SimpleNamespace(token_hex=lambda size: luck.randbytes(size).hex()))
