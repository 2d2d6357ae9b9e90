"""The position line: a whole state as one line of text, written and read. docs/formats.md describes it."""

from __future__ import annotations

from qwixx.game.position.read import read_position
from qwixx.game.position.write import write_position

__all__ = ["read_position", "write_position"]
