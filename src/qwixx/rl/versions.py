"""Makers of PettingZoo environments that refuse games of another version."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from qwixx.errors import QwixxError
from qwixx.rl.parallel import parallel_env
from qwixx.rl.pettingzoo import env, raw_env
from qwixx.rl.spaces import describe
from qwixx.variants.model import Variant

Maker = Callable[..., Any]


def versioned(version: int) -> tuple[Maker, Maker, Maker]:
    """Return `env`, `raw_env` and `parallel_env` for the games whose observations have this version."""
    return _only(version, env), _only(version, raw_env), _only(version, parallel_env)


def _only(version: int, make: Maker) -> Maker:
    first = "classic" if version == 0 else "cards"

    @wraps(make)
    def checked(variant: str | Path | Variant = first, seats: int = 2, **options: Any) -> Any:
        space = describe(variant, seats, options.get("sheet"))
        if space.version != version:
            raise QwixxError(f"{space.variant.id} is in qwixx_v{space.version}, not in qwixx_v{version}.")
        return make(variant, seats, **options)

    return checked
