"""The folders of the user: data that is kept, and a cache that can be rebuilt."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path, user_data_path


def data_directory() -> Path:
    """Return the folder of games and the server's tables: QWIXX_DATA, else the user's data directory."""
    return _from_environment("QWIXX_DATA") or user_data_path("qwixx")


def cache_directory() -> Path:
    """Return the folder of compiled code and solved tables: QWIXX_CACHE, else the user's cache directory."""
    return _from_environment("QWIXX_CACHE") or user_cache_path("qwixx")


def _from_environment(variable: str) -> Path | None:
    text = os.environ.get(variable)
    return Path(text).expanduser() if text else None
