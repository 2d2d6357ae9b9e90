"""Reads and writes files, with one sentence for each error."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

from qwixx.base.atomic_files import write_atomically
from qwixx.errors import QwixxError
from qwixx.text.catalogue import t

_REASONS: dict[int | None, str] = {
    errno.ENOENT: "missing",
    errno.EISDIR: "folder",
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.ENOSPC: "full",
}


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
        raise QwixxError(t("cli.error.read", file=repr(path), reason=reason_of(error))) from None
    except (UnicodeDecodeError, ValueError):
        raise QwixxError(t("cli.error.not-text", file=repr(path))) from None
    if len(raw) > most:
        raise QwixxError(t("cli.error.too-large", file=repr(path), n=most))
    if "\0" in text:
        raise QwixxError(t("cli.error.not-text", file=repr(path)))
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
        raise QwixxError(t("cli.error.write", file=repr(str(path)), reason=reason_of(error))) from None


def reason_of(error: OSError | ValueError) -> str:
    """Return why a file cannot be used; rare reasons are those of the operating system, in English."""
    known = _REASONS.get(getattr(error, "errno", None))
    return t(f"cli.reason.{known}") if known else str(getattr(error, "strerror", None) or error)
