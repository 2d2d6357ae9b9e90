"""Reading and writing files, with one sentence for whatever goes wrong."""

from __future__ import annotations

import sys
from pathlib import Path

from qwixx.errors import QwixxError
from qwixx.files import write_whole


def read_text(path: str, most: int) -> str:
    """Read a text file, or standard input for `-`. Raises `QwixxError` if it cannot be read or is no text."""
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
        raise QwixxError(f"{path!r} is too large; {most} bytes are the most.")
    if "\0" in text:
        raise QwixxError(f"{path!r} is not a text file.")
    return text


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all. Raises `QwixxError`."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, so that a crash never leaves half a game. Raises `QwixxError`."""
    try:
        if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
            path.write_bytes(data)
        else:
            write_whole(path, [data])
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise QwixxError(f"{str(path)!r} cannot be written: {reason}.") from None
