"""
Checkpoints of a training: all that is needed to go on as if nothing had happened.

A checkpoint holds the net twice: as it is, and as it was one round before, since the round that comes next is played by
that one (`train.run`); and how often each row of its tables was seen, since those move less later.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np

from qwixx.errors import QwixxError
from qwixx.files import write_whole
from qwixx.kernel.records import SEATS
from qwixx.learn.net import HIDDEN, LAYERS, Floats, Net
from qwixx.learn.tables import VERSION

_MAGIC: Final = "qwixx-training"
_FORMAT: Final = 2
_LONGEST_HEADING: Final = 4096


@dataclass(frozen=True, slots=True)
class Plan:
    """What is trained, and how: two trainings with equal plans give equal nets."""

    layout: str
    seats: tuple[int, ...]
    games: int
    seed: int
    per_cycle: int
    """Games of a round for each number of seats."""
    begun_from: str
    """The checksum of the weights it goes on from, or nothing."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a training stands."""

    plan: Plan
    rounds: int
    """Rounds that were learned from."""
    net: Net
    behind: Net
    seen: Floats
    """How many lessons each row of the tables has had."""


def _chunks(net: Net) -> list[bytes]:
    return [net.tables.astype("<f4", copy=False).tobytes(), net.layers.tobytes()]


def write_checkpoint(path: Path, kept: Checkpoint) -> None:
    """Write a checkpoint, whole or not at all. Raises `QwixxError` if that cannot be done."""
    seen = kept.seen.astype("<f4", copy=False).tobytes()
    content = b"".join([*_chunks(kept.net), *_chunks(kept.behind), seen])
    facts = {
        "magic": _MAGIC,
        "format": _FORMAT,
        "inputs": VERSION,
        "rounds": kept.rounds,
        "rows": len(kept.net.tables),
        "plan": asdict(kept.plan),
        "checksum": hashlib.blake2b(content, digest_size=16).hexdigest(),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, [json.dumps(facts).encode() + b"\n", content])
    except OSError as error:
        raise QwixxError(f"The checkpoint cannot be kept in {str(path)!r}: {error.strerror}.") from None


def read_checkpoint(path: Path) -> Checkpoint | None:
    """Read a checkpoint; None if there is none. Raises `QwixxError` if it cannot be believed."""
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
        seen = np.frombuffer(content, "<f4", rows, 2 * size).astype(np.float32)
        plan = Plan(**facts["plan"] | {"seats": tuple(facts["plan"]["seats"])})
        return Checkpoint(plan, int(facts["rounds"]), net, behind, seen)
    except (ValueError, TypeError, KeyError):
        raise QwixxError(
            f"The checkpoint in {str(path)!r} is damaged or of another version; remove it to begin anew."
        ) from None


def _net(content: bytes, rows: int) -> Net:
    tables = np.frombuffer(content, "<f4", rows * HIDDEN).reshape(rows, HIDDEN).astype(np.float32)
    return Net(tables, np.frombuffer(content, LAYERS, SEATS - 1, tables.nbytes).copy())
