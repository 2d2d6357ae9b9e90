"""
Solved tables on disk: written atomically, and trusted only after a check.

A file is one line of JSON, which names what was solved and has a checksum of the rest, and then the values as
little-endian doubles. It serves as a checkpoint too: `reach` is the last reach that was finished, 0 in a complete
table. A file with another format version, another sheet, other lucky numbers, or one that is truncated or damaged, is
not accepted.

The line is padded with spaces, so that the values begin at a memory page: a complete table is not read but mapped, and
unused parts stay on disk.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from errno import EISDIR
from io import BufferedReader
from pathlib import Path

import numpy as np

from qwixx.base.atomic_files import write_atomically
from qwixx.base.user_dirs import cache_directory
from qwixx.errors import QwixxError
from qwixx.solver.encoding.sheet_index import Values

FORMAT = 1
"""Raised whenever the numbering of positions or the meaning of a value changes."""
_MAGIC = "qwixx-solve"
_LONGEST_HEADER = 4096
"""In bytes; headings are padded to this length. Older versions wrote them without padding."""
_CHUNK = 1 << 26
_DOUBLE = 8


@dataclass(frozen=True, slots=True)
class Heading:
    """The metadata of a table."""

    layout: str
    lucky: tuple[int, ...]
    positions: int
    misses: int
    reach: int
    """The last reach that is computed; 0 when the table is complete."""
    states: int
    seconds: float
    cpu_seconds: float


def table_path(layout: str, lucky: tuple[int, ...], name: str) -> Path:
    """Return the path of a table in the user's cache directory, or in $QWIXX_CACHE."""
    numbers = "".join(f"-{number}" for number in lucky)
    return cache_directory() / "solved" / f"{name}{numbers}-{layout}.qwixx"


def _checksum(values: Values) -> str:
    return hashlib.blake2b(values.reshape(-1).view(np.uint8).data, digest_size=16).hexdigest()


def check_target(path: Path, layout: str, lucky: tuple[int, ...]) -> None:
    """Refuse a file of the user that is not a table of this sheet, because it would be overwritten."""
    if not path.exists():
        return
    if not path.is_file():
        raise QwixxError(f"A table is kept in a file; {str(path)!r} is none.")
    try:
        with path.open("rb") as file:
            line = file.readline(_LONGEST_HEADER)
        facts = json.loads(line) if line else {"magic": _MAGIC, "layout": layout, "lucky": lucky}
    except (OSError, ValueError):
        facts = None
    if not isinstance(facts, dict) or facts.get("magic") != _MAGIC:
        raise QwixxError(f"{str(path)!r} is not a solved table, so it is left as it is.")
    if (facts.get("layout"), tuple(facts.get("lucky", ()))) != (layout, lucky):
        raise QwixxError(f"{str(path)!r} holds the table of another sheet, so it is left as it is.")


def check_writable(path: Path) -> None:
    """Refuse a path where a table cannot be written, before the work begins."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
        if path.is_dir():
            raise IsADirectoryError(EISDIR, "there is a directory")
    except OSError as error:
        raise QwixxError(f"The table cannot be kept in {str(path)!r}: {error.strerror}.") from None


def write_table(path: Path, heading: Heading, values: Values) -> None:
    """Write a table atomically: a reader finds the old file or the new one."""
    facts = {"magic": _MAGIC, "format": FORMAT, "checksum": _checksum(values), **asdict(heading)}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, _chunks(json.dumps(facts).encode(), values))


def _chunks(line: bytes, values: Values) -> Iterator[bytes | memoryview]:
    yield line.ljust(_LONGEST_HEADER - 1) + b"\n"
    content = values.astype("<f8", copy=False).reshape(-1).view(np.uint8).data
    for begin in range(0, len(content), _CHUNK):
        yield content[begin : begin + _CHUNK]


def is_complete(path: Path) -> bool:
    """Return whether there is a table whose heading marks it as complete; the values are not read."""
    try:
        with path.open("rb") as file:
            facts = json.loads(file.readline(_LONGEST_HEADER))
        return bool((facts["magic"], facts["format"], facts["reach"]) == (_MAGIC, FORMAT, 0))
    except (OSError, ValueError, TypeError, KeyError):
        return False


def read_table(
    path: Path, layout: str, lucky: tuple[int, ...], shape: tuple[int, int], *, check: bool = True
) -> tuple[Heading, Values] | None:
    """
    Read a table or checkpoint of this sheet; None if there is no valid one.

    Without `check` the values are not compared with their checksum, which means reading all of them: for files that
    were checked before (`build.verified_files`).
    """
    try:
        with path.open("rb") as file:
            facts = json.loads(file.readline(_LONGEST_HEADER))
            begin = file.tell()
            if not isinstance(facts, dict) or (facts.pop("magic", 0), facts.pop("format", 0)) != (_MAGIC, FORMAT):
                return None
            checksum = facts.pop("checksum", "")
            heading = Heading(**{**facts, "lucky": tuple(facts["lucky"])})
            expected = (layout, lucky, *shape)
            if (heading.layout, heading.lucky, heading.positions, heading.misses) != expected:
                return None
            if os.fstat(file.fileno()).st_size != begin + shape[0] * shape[1] * _DOUBLE:
                return None
            values = _values(file, heading, begin, shape)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return None if check and _checksum(values) != checksum else (heading, values)


def _values(file: BufferedReader, heading: Heading, begin: int, shape: tuple[int, int]) -> Values:
    """
    Map the values of a complete table; read those of a checkpoint, which will be changed, and of old files.

    Mapped values are never changed; a change would not reach the file. Compiled code needs aligned values in the native
    byte order.
    """
    if heading.reach == 0 and begin % _DOUBLE == 0 and sys.byteorder == "little":
        return np.asarray(np.memmap(file, np.float64, mode="c", offset=begin, shape=shape))
    return np.fromfile(file, "<f8").astype(np.float64, copy=False).reshape(shape)
