"""The position line: a whole state as one line of text, written and read. The form is described in docs/formats.md."""

from __future__ import annotations

from qwixx.position.read import read_position
from qwixx.position.write import write_position

__all__ = ["read_position", "write_position"]
