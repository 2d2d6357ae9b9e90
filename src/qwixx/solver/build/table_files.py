"""
Solved tables on disk: written whole or not at all, and believed only after a check.

A file is one line of JSON, which says what was solved and has a checksum of the rest, and then the values as
little-endian doubles. It serves as a checkpoint too: `reach` is the last reach that was finished, 0 in a complete
table. Anything that does not fit, a format of another version, another sheet, other lucky numbers, a cut-off or
altered file, is no table.

The line is filled up with spaces, so that the values begin where a page of memory does: a complete table is not read
but mapped, and what nobody asks for stays on disk.
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

from qwixx.errors import QwixxError
from qwixx.files import write_whole
from qwixx.places import cache_directory
from qwixx.solver.numbering.fold import Values

FORMAT = 1
"""Raised whenever the numbering of positions or the meaning of a value changes."""
_MAGIC = "qwixx-solve"
_LONGEST_HEADER = 4096
"""In bytes; so long is every heading written today, those of earlier days were as long as their words."""
_CHUNK = 1 << 26
_DOUBLE = 8


@dataclass(frozen=True, slots=True)
class Heading:
    """What a table says about itself."""

    layout: str
    lucky: tuple[int, ...]
    positions: int
    misses: int
    reach: int
    """The last reach that is worked out; 0 when the table is complete."""
    states: int
    seconds: float
    cpu_seconds: float


def table_path(layout: str, lucky: tuple[int, ...], name: str) -> Path:
    """Name the file of a table in the user's cache directory, or in $QWIXX_CACHE."""
    numbers = "".join(f"-{number}" for number in lucky)
    return cache_directory() / "solved" / f"{name}{numbers}-{layout}.qwixx"


def _checksum(values: Values) -> str:
    return hashlib.blake2b(values.reshape(-1).view(np.uint8).data, digest_size=16).hexdigest()


def check_target(path: Path, layout: str, lucky: tuple[int, ...]) -> None:
    """Refuse a file of the user's that is anything else than a table of this very sheet: it would be overwritten."""
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
    """Refuse a place where a table cannot be written, before the work is done in vain."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
        if path.is_dir():
            raise IsADirectoryError(EISDIR, "a directory stands there")
    except OSError as error:
        raise QwixxError(f"The table cannot be kept in {str(path)!r}: {error.strerror}.") from None


def write_table(path: Path, heading: Heading, values: Values) -> None:
    """Write a table so that a reader finds the old file or the new one, never half of one."""
    facts = {"magic": _MAGIC, "format": FORMAT, "checksum": _checksum(values), **asdict(heading)}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, _chunks(json.dumps(facts).encode(), values))


def _chunks(line: bytes, values: Values) -> Iterator[bytes | memoryview]:
    yield line.ljust(_LONGEST_HEADER - 1) + b"\n"
    content = values.astype("<f8", copy=False).reshape(-1).view(np.uint8).data
    for begin in range(0, len(content), _CHUNK):
        yield content[begin : begin + _CHUNK]


def is_complete(path: Path) -> bool:
    """Whether there is a table that says of itself that nothing is missing; what it holds is not read."""
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
    Read a table or checkpoint of this very sheet; None if there is none that can be believed.

    Without `check` the values are not compared with their checksum, which takes reading all of them: for files that
    were checked before (`work.checked`).
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

    Changes to mapped values, which nobody makes, would stay in this process. Compiled code wants values that begin at
    multiples of their size, in the machine's own order of bytes.
    """
    if heading.reach == 0 and begin % _DOUBLE == 0 and sys.byteorder == "little":
        return np.asarray(np.memmap(file, np.float64, mode="c", offset=begin, shape=shape))
    return np.fromfile(file, "<f8").astype(np.float64, copy=False).reshape(shape)
