"""What can lie in a table's inbox: messages of pages, and everything else that wants something from a table."""

from __future__ import annotations

from dataclasses import dataclass

from qwixx.server.connection import Connection
from qwixx.server.protocol import FromPage


@dataclass(frozen=True, slots=True)
class Asked:
    """A page sent a message."""

    connection: Connection
    message: FromPage


@dataclass(frozen=True, slots=True)
class Arrived:
    """A connection said hello."""

    connection: Connection


@dataclass(frozen=True, slots=True)
class Left:
    """A connection is gone."""

    connection: Connection


@dataclass(frozen=True, slots=True)
class BotChose:
    """A bot has thought."""

    seat: int
    phase: int
    action: str


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The clock has rung for a phase."""

    phase: int


@dataclass(frozen=True, slots=True)
class NextOpened:
    """The next table with the same people is there; no code if there could be none."""

    code: str | None


@dataclass(frozen=True, slots=True)
class Unload:
    """Leave memory, if nobody is here or the server stops."""

    by_force: bool = False


Item = Asked | Arrived | Left | BotChose | TimeUp | NextOpened | Unload
