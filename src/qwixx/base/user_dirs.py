"""Where files of the user live: data that is kept for good, and a cache that can be made again."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path, user_data_path


def data_directory() -> Path:
    """Where games and the server's tables are kept: the folder QWIXX_DATA names, else the user's data directory."""
    return _named("QWIXX_DATA") or user_data_path("qwixx")


def cache_directory() -> Path:
    """Where compiled code and solved tables are kept: the folder QWIXX_CACHE names, else the user's cache directory."""
    return _named("QWIXX_CACHE") or user_cache_path("qwixx")


def _named(variable: str) -> Path | None:
    text = os.environ.get(variable)
    return Path(text).expanduser() if text else None
