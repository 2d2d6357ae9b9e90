"""The tasks and answers of worker processes, and their form in the pipe: the length, then MessagePack."""

from __future__ import annotations

from typing import IO, Final, Literal

import msgspec
from msgspec import Struct

from qwixx.printing.print_request import PrintRequest
from qwixx.server.room.room import Room

GameFormat = Literal["replay", "record", "analysis"]
_SIZE: Final = 4
"""Bytes of the length of a message."""


class FinishedGameTask(Struct, tag=True, frozen=True):
    """Return a finished game: as a replay, as a record, or as a review of its decisions."""

    what: GameFormat
    room: Room
    lines: list[str]


class CheckTask(Struct, tag=True, frozen=True):
    """Replay the game of a stored table and compare it with its room and its seed."""

    room: Room
    lines: list[str]


class ImportTask(Struct, tag=True, frozen=True):
    """Check a record from outside, and return its game as a `CheckedGame`."""

    text: str


class HintTask(Struct, tag=True, frozen=True):
    """Compute a hint for a seat of a running game, as a message."""

    record: str
    seat: int
    phase: int


class PrintTask(Struct, tag=True, frozen=True):
    """Draw sheets to print."""

    game: str
    sheet: str
    request: PrintRequest


Task = FinishedGameTask | CheckTask | ImportTask | HintTask | PrintTask


class TaskDone(Struct, tag=True):
    """The result of a task; a finished game is compressed."""

    data: bytes


class TaskFailed(Struct, tag=True):
    """A refusal code; for an unexpected error also a traceback for the log, for a damaged table the reason."""

    code: str
    trace: str = ""
    reason: str = ""


Answer = TaskDone | TaskFailed


def send(stream: IO[bytes], message: Task | Answer) -> None:
    """Write the length of a message, then the message. Raises `OSError` if the pipe is closed."""
    data = msgspec.msgpack.encode(message)
    stream.write(len(data).to_bytes(_SIZE) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Read the next message. Raises `EOFError` at the end of the stream."""
    size = stream.read(_SIZE)
    data = stream.read(int.from_bytes(size)) if len(size) == _SIZE else b""
    if not size or len(data) != int.from_bytes(size):
        raise EOFError
    return data
