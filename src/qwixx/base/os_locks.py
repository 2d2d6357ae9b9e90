"""Locks between processes, held on a file: the system releases a lock when its process ends for any reason."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    _LOCK_OFFSET = 1 << 20
    """Offset of the locked byte: after all text, because no other process can read a locked byte."""

    def lock(file: int) -> None:
        """Lock an open file for this process. Raises `OSError` if another process holds the lock."""
        os.lseek(file, _LOCK_OFFSET, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def lock(file: int) -> None:
        """Lock an open file for this process. Raises `OSError` if another process holds the lock."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


_RETRY_SECONDS = 0.1
_LOCKED_ERRORS = (BlockingIOError, PermissionError)
"""The errors of each system for a lock that another process holds."""


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """
    Wait until no other process holds the lock of this file, then hold it.

    The file stays: deleting it could take the lock from the next owner. Where the file system has no locks, do not
    wait.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        yield
        return
    try:
        with contextlib.suppress(OSError):
            while not _try_lock(file):
                time.sleep(_RETRY_SECONDS)
        yield
    finally:
        os.close(file)


def _try_lock(file: int) -> bool:
    """Try to lock a file; return False if another process holds the lock."""
    try:
        lock(file)
    except _LOCKED_ERRORS:
        return False
    return True
