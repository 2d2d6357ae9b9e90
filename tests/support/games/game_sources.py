"""Where a game comes from: the package, or a sheet file for a game that the package does not have yet."""

from __future__ import annotations

from pathlib import Path

import qwixx
from support.paths import TESTS

SHEETS = TESTS.parent / "examples" / "sheets"
"""Sheets of official games that are not registered yet; each file is named after its game."""


def playable() -> tuple[str, ...]:
    """Return the ids of all games that the package can play, those of the package first."""
    return (*qwixx.games(), *sorted(path.stem for path in SHEETS.glob("*.toml") if path.stem not in qwixx.games()))


def sheet_file(game: str) -> Path | None:
    """Return the sheet file of a game that is not in the package."""
    return None if game in qwixx.games() else SHEETS / f"{game}.toml"
