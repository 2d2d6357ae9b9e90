"""
Which stored tables have been checked: a note for each file, believed until the file changes.

Checking a big table means to read all of it. So whoever has done it leaves a note in the cache directory: the file's
size, time, inode and device, and the sources of the rules that a sample was worked out by. With any of them changed,
the file is checked again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from pathlib import Path

from qwixx.files import write_whole
from qwixx.kernel.sources import source_key, sources_of
from qwixx.places import cache_directory
from qwixx.solver.work import sweep

_SETTLED = 2.0
"""Seconds: a file that was written just now can be written again without its time telling so."""


def identity(path: Path) -> dict[str, object]:
    """Name a file as it is now, with the rules of today; raises `OSError` if there is none."""
    facts = path.stat()
    return {
        "path": str(path.resolve()),
        "size": facts.st_size,
        "time": facts.st_mtime_ns,
        "inode": [facts.st_dev, facts.st_ino],
        "rules": source_key(sources_of(Path(sweep.__file__))),
    }


def is_checked(path: Path) -> bool:
    """Whether this very file was checked before, by the rules of today."""
    try:
        return bool(json.loads(_note(path).read_bytes()) == identity(path))
    except (OSError, ValueError):
        return False


def note_checked(path: Path, before: dict[str, object]) -> None:
    """Note that a file has been checked which was `before` when the check began; no harm is done where that fails."""
    with contextlib.suppress(OSError):
        if before == identity(path) and time.time() - path.stat().st_mtime > _SETTLED:
            note = _note(path)
            note.parent.mkdir(parents=True, exist_ok=True)
            write_whole(note, [json.dumps(before).encode()])


def _note(path: Path) -> Path:
    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    return cache_directory() / "checked" / f"{name}.json"
