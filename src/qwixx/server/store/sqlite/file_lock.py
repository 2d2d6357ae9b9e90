"""One server for each database: a lock on a file beside it, which the system takes back when a server dies."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from qwixx.errors import QwixxError

if sys.platform == "win32":
    import msvcrt

    _BEHIND = 1 << 20
    """Where the locked byte lies: behind the words, since nobody else could read a locked place."""

    def _lock(file: int) -> None:
        os.lseek(file, _BEHIND, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """A lock that is held until it is closed, or until the process ends in whatever way."""

    def __init__(self, database: Path) -> None:
        """Take the lock of a database. Raises `QwixxError` with a sentence that says who has it."""
        path = Path(f"{database}.lock")
        self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._file)
        except OSError:
            words = os.read(self._file, 200).decode("utf-8", "replace").strip() or "another process"
            self.close()
            raise QwixxError(
                f"The database {str(database)!r} is in use by another server: {words}. "
                "Stop that one first, or name another file with --db."
            ) from None
        os.ftruncate(self._file, 0)
        os.write(self._file, f"process {os.getpid()}, since {time.strftime('%Y-%m-%d %H:%M:%S')}\n".encode())

    def close(self) -> None:
        """Let go of the lock. The file stays: deleting it could take the lock of whoever comes next."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
