"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, chunks: Iterable[bytes | memoryview]) -> None:
    """
    Write a file so that a reader finds the old one or the new one, never half of one, even after a power cut.

    The chunks go to a file beside it, which takes its place once it is on disk. Raises `OSError`; then the old file
    is as it was.
    """
    beside = path.parent / f".qwixx-{secrets.token_hex(8)}"
    try:
        with beside.open("xb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    _sync_directory(path.parent)


def _sync_directory(directory: Path) -> None:
    """Have the new name written too: until then a power cut may bring the old file back."""
    try:
        handle = os.open(directory, os.O_RDONLY)
    except OSError:  # some systems do not open folders, and look after names themselves
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
