"""
Puzzles: positions with one clearly best choice, generated from games (`generate`), with their themes (`themes`).

The page and `qwixx puzzles` show them; evaluation belongs to `qwixx.coach`.
"""

from typing import TYPE_CHECKING

from qwixx.base.lazy import lazy_names

if TYPE_CHECKING:
    from qwixx.puzzles.generate import (
        Puzzle,
        make_puzzles,
        read_puzzles,
        shipped_games,
        shipped_puzzles,
        write_puzzles,
    )

__all__ = ["Puzzle", "make_puzzles", "read_puzzles", "shipped_games", "shipped_puzzles", "write_puzzles"]

if not TYPE_CHECKING:  # to a type checker `__getattr__` would make every name one of the package's
    __getattr__, __dir__ = lazy_names(__name__)
