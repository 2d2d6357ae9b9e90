"""Reads and writes files, with one sentence for each error."""

from __future__ import annotations

import sys
from pathlib import Path

from qwixx.base.atomic_files import write_atomically
from qwixx.errors import QwixxError


def read_text(path: str, most: int) -> str:
    """Read a text file, or standard input for `-`. Raises `QwixxError` if it cannot be read or is not text."""
    try:
        if path == "-":
            raw = sys.stdin.buffer.read(most + 1)
        else:
            with Path(path).open("rb") as file:
                raw = file.read(most + 1)
        text = raw.decode("utf-8")
    except OSError as error:
        raise QwixxError(f"{path!r} cannot be read: {error.strerror or error}.") from None
    except (UnicodeDecodeError, ValueError):
        raise QwixxError(f"{path!r} is not a text file.") from None
    if len(raw) > most:
        raise QwixxError(f"{path!r} is too large; the limit is {most} bytes.")
    if "\0" in text:
        raise QwixxError(f"{path!r} is not a text file.")
    return text


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically. Raises `QwixxError`."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file atomically, so that a crash never leaves half a game. Raises `QwixxError`."""
    try:
        if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
            path.write_bytes(data)
        else:
            write_atomically(path, [data])
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise QwixxError(f"{str(path)!r} cannot be written: {reason}.") from None
