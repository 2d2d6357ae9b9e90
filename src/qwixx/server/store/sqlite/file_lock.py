"""One server for each database: a lock on a file beside it, which the system releases when a server dies."""

from __future__ import annotations

import os
import time
from pathlib import Path

from qwixx.base.os_locks import lock
from qwixx.errors import QwixxError


class FileLock:
    """A lock that is held until `close`, or until the process ends."""

    def __init__(self, database: Path) -> None:
        """Acquire the lock of a database. Raises `QwixxError` that names the process that has it."""
        path = Path(f"{database}.lock")
        self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            lock(self._file)
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
        """Release the lock. The file stays: deleting it could remove the lock of the next server."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
