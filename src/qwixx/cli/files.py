"""Reading and writing text files, with one sentence for whatever goes wrong."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path

from qwixx.errors import QwixxError


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
    """Write a file whole or not at all, so that a crash never leaves half a game. Raises `QwixxError`."""
    try:
        if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
            path.write_text(text, "utf-8")
            return
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=".", delete=False) as file:
            temporary = Path(file.name)
            file.write(text)
        try:
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise QwixxError(f"{str(path)!r} cannot be written: {reason}.") from None


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
