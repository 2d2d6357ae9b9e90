"""The puzzles that this person has solved: a file in the data directory, as the page keeps them on its device."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

from qwixx.base.user_dirs import data_directory
from qwixx.cli.terminal.files import read_text, write_text
from qwixx.errors import QwixxError
from qwixx.puzzles.generate import Puzzle

_MOST = 10_000
_LONGEST = 1_000_000
_KEY_LENGTH = 12


def solved_file() -> Path:
    """Return the file of solved puzzles."""
    return data_directory() / "puzzles.json"


class SolvedPuzzles:
    """The puzzles solved so far. A file that cannot be read or written is no reason to stop the quiz."""

    def __init__(self) -> None:
        """Read the file."""
        self._keys: list[str] = []
        with contextlib.suppress(QwixxError, ValueError):
            if solved_file().is_file():
                read = json.loads(read_text(str(solved_file()), _LONGEST))
                self._keys = [key for key in read if isinstance(key, str)] if isinstance(read, list) else []

    def __contains__(self, puzzle: Puzzle) -> bool:
        return _key(puzzle) in self._keys

    def add(self, puzzle: Puzzle) -> None:
        """Note a puzzle as solved."""
        if puzzle in self:
            return
        self._keys = [*self._keys, _key(puzzle)][-_MOST:]
        with contextlib.suppress(QwixxError, OSError):
            solved_file().parent.mkdir(parents=True, exist_ok=True)
            write_text(solved_file(), json.dumps(self._keys) + "\n")


def _key(puzzle: Puzzle) -> str:
    return hashlib.sha256(f"{puzzle.position} {puzzle.seat}".encode()).hexdigest()[:_KEY_LENGTH]
