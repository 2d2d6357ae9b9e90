"""
Which stored tables have been verified: a note for each file, valid until the file changes.

Verifying a big table means reading all of it. So the result is noted in the cache directory: the file's size, time,
inode and device, and a hash of the rules that a sample was computed with. If any of them changes, the file is verified
again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from pathlib import Path

from qwixx.base.atomic_files import write_atomically
from qwixx.base.user_dirs import cache_directory
from qwixx.jit.source_key import source_key, sources_of
from qwixx.solver.build import sweep

_SETTLED = 2.0
"""Seconds: a file that was just written can be written again without a change of its timestamp."""


def identity(path: Path) -> dict[str, object]:
    """Return the identity of a file and of the current rules; raises `OSError` if there is no file."""
    facts = path.stat()
    return {
        "path": str(path.resolve()),
        "size": facts.st_size,
        "time": facts.st_mtime_ns,
        "inode": [facts.st_dev, facts.st_ino],
        "rules": source_key(sources_of(Path(sweep.__file__))),
    }


def is_checked(path: Path) -> bool:
    """Return whether this file was verified before, by the current rules."""
    try:
        return bool(json.loads(_note(path).read_bytes()) == identity(path))
    except (OSError, ValueError):
        return False


def note_checked(path: Path, before: dict[str, object]) -> None:
    """Note that a file with the identity `before` was verified; a failure to write the note is ignored."""
    with contextlib.suppress(OSError):
        if before == identity(path) and time.time() - path.stat().st_mtime > _SETTLED:
            note = _note(path)
            note.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(note, [json.dumps(before).encode()])


def _note(path: Path) -> Path:
    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    return cache_directory() / "checked" / f"{name}.json"
