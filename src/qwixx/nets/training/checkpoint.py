"""
Checkpoints of a training: all that is needed to resume it with the same result.

A checkpoint holds the net twice: as it is, and as it was one round before, because that one plays the next round
(`run`). It also holds the update counts of the table rows, because rows with many updates have smaller steps.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np

from qwixx.base.atomic_files import write_atomically
from qwixx.errors import QwixxError
from qwixx.kernel.state.records import SEATS
from qwixx.nets.feature_tables import VERSION
from qwixx.nets.network import HIDDEN, LAYERS, Floats, Net

_MAGIC: Final = "qwixx-training"
_FORMAT: Final = 2
_LONGEST_HEADING: Final = 4096


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a training: equal plans give equal nets. Its field names are in the file."""

    layout: str
    seats: tuple[int, ...]
    games: int
    seed: int
    per_cycle: int
    """Games of one round of each number of seats, in total."""
    begun_from: str
    """The checksum of the weights that the training starts from, or empty."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a training."""

    plan: Plan
    rounds: int
    """Completed rounds."""
    net: Net
    behind: Net
    updates: Floats
    """The number of updates of each row of the tables."""


def _chunks(net: Net) -> list[bytes]:
    return [net.tables.astype("<f4", copy=False).tobytes(), net.layers.tobytes()]


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint atomically. Raises `QwixxError` if that fails."""
    updates = checkpoint.updates.astype("<f4", copy=False).tobytes()
    content = b"".join([*_chunks(checkpoint.net), *_chunks(checkpoint.behind), updates])
    facts = {
        "magic": _MAGIC,
        "format": _FORMAT,
        "inputs": VERSION,
        "rounds": checkpoint.rounds,
        "rows": len(checkpoint.net.tables),
        "plan": asdict(checkpoint.plan),
        "checksum": hashlib.blake2b(content, digest_size=16).hexdigest(),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, [json.dumps(facts).encode() + b"\n", content])
    except OSError as error:
        raise QwixxError(f"The checkpoint cannot be written to {str(path)!r}: {error.strerror}.") from None


def read_checkpoint(path: Path) -> Checkpoint | None:
    """Return the checkpoint in a file; None if there is no file. Raises `QwixxError` if it is damaged."""
    try:
        with path.open("rb") as file:
            line, content = file.readline(_LONGEST_HEADING), file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise QwixxError(f"The checkpoint in {str(path)!r} cannot be read: {error.strerror}.") from None
    try:
        facts = json.loads(line)
        if (facts["magic"], facts["format"], facts["inputs"]) != (_MAGIC, _FORMAT, VERSION):
            raise ValueError
        if facts["checksum"] != hashlib.blake2b(content, digest_size=16).hexdigest():
            raise ValueError
        rows = int(facts["rows"])
        size = (len(content) - 4 * rows) // 2
        net, behind = (_net(content[start : start + size], rows) for start in (0, size))
        updates = np.frombuffer(content, "<f4", rows, 2 * size).astype(np.float32)
        plan = Plan(**facts["plan"] | {"seats": tuple(facts["plan"]["seats"])})
        return Checkpoint(plan, int(facts["rounds"]), net, behind, updates)
    except (ValueError, TypeError, KeyError):
        raise QwixxError(
            f"The checkpoint in {str(path)!r} is damaged or of another version; remove it to start again."
        ) from None


def _net(content: bytes, rows: int) -> Net:
    tables = np.frombuffer(content, "<f4", rows * HIDDEN).reshape(rows, HIDDEN).astype(np.float32)
    return Net(tables, np.frombuffer(content, LAYERS, SEATS - 1, tables.nbytes).copy())
