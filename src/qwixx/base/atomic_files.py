"""Atomic file writes: a file is replaced completely or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path


def write_atomically(path: Path, chunks: Iterable[bytes | memoryview]) -> None:
    """
    Write a file so that a reader finds the old or the new content, never a part of it, even after a power cut.

    The chunks are written to a temporary file beside it, which replaces it once it is on disk. Raises `OSError`;
    then the old file is unchanged.
    """
    temporary = path.parent / f".qwixx-{secrets.token_hex(8)}"
    try:
        with temporary.open("xb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_directory(path.parent)


def _sync_directory(directory: Path) -> None:
    """Sync the folder too: until then a power cut may bring the old file back."""
    try:
        handle = os.open(directory, os.O_RDONLY)
    except OSError:  # some systems cannot open folders, and sync names themselves
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
