"""What a worker can be asked for, and how that goes through a pipe: each message behind its length."""

from __future__ import annotations

from typing import IO, Final, Literal

import msgspec
from msgspec import Struct

from qwixx.server.room import Room

What = Literal["replay", "record", "analysis"]
_SIZE: Final = 4
"""Bytes of a message's length."""


class Finished(Struct, tag=True, frozen=True):
    """A finished game is wanted: as its record, step by step, or with what its decisions were worth."""

    what: What
    room: Room
    lines: list[str]


class Brought(Struct, tag=True, frozen=True):
    """A record came from outside; wanted is whether it is one, and whether its game is over."""

    text: str


class Wondering(Struct, tag=True, frozen=True):
    """A seat of a game that is being played wonders what is best; wanted is the hint as its page gets it."""

    record: str
    seat: int
    phase: int


Task = Finished | Brought | Wondering


class Made(Struct, tag=True):
    """It is done; a finished game is packed."""

    data: bytes


class NotMade(Struct, tag=True):
    """It was refused, by this code; if it should not have happened, with what is worth logging."""

    code: str
    trace: str = ""


Answer = Made | NotMade


def send(stream: IO[bytes], message: Task | Answer) -> None:
    """Write a message behind its length. Raises `OSError` if nobody reads any more."""
    data = msgspec.msgpack.encode(message)
    stream.write(len(data).to_bytes(_SIZE) + data)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Read the next message. Raises `EOFError` if none will come."""
    size = stream.read(_SIZE)
    data = stream.read(int.from_bytes(size)) if len(size) == _SIZE else b""
    if not size or len(data) != int.from_bytes(size):
        raise EOFError
    return data
