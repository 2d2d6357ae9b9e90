"""
A table's inbox: what pages ask, and everything else that wants something from a table.

Pages share a bound and may be told that the table is busy. What the server itself has to say is never refused: a clock
that rang into a full inbox would never ring again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from qwixx.server.connection import Connection
from qwixx.server.protocol import FromPage


class Asked(NamedTuple):
    """A page sent a message."""

    connection: Connection
    message: FromPage
    since: float = 0.0
    """When it came in."""


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
class HintFound:
    """A hint has been worked out, as the message for who asked."""

    seat: int
    phase: int
    message: bytes
    lasts: bool
    """Whether it is one: why there is none is asked about again."""


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The clock has rung for a phase."""

    phase: int


@dataclass(frozen=True, slots=True)
class NextOpened:
    """The next table with the same people is there; no code if there could be none, and then why."""

    code: str | None
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Unload:
    """Leave memory, if nobody is here or the server stops."""

    by_force: bool = False


@dataclass(frozen=True, slots=True)
class Close:
    """The operator sends everybody away; the game stays as it is."""


@dataclass(frozen=True, slots=True)
class Delete:
    """The operator deletes the table."""


@dataclass(frozen=True, slots=True)
class Expel:
    """The operator keeps an address out."""

    address: str


Item = Asked | Arrived | Left | BotChose | HintFound | TimeUp | NextOpened | Unload | Close | Delete | Expel


class Inbox:
    """
    Everything in the order in which it came.

    Only what pages ask is counted and bounded, and half of that is kept for people who sit at the table. The rest
    bounds itself: a clock rings once in a phase, a bot chooses once, a connection arrives and leaves once.
    """

    def __init__(self, most: int) -> None:
        """Let so many questions of pages wait."""
        self._most = most
        self._items: deque[Item] = deque()
        self._asked = 0

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: Item) -> bool:
        """Put something behind everything else; False for a page that has to try again later."""
        if isinstance(item, Asked):
            if self._asked >= (self._most if item.connection.mine else (self._most + 1) // 2):
                return False
            self._asked += 1
        self._items.append(item)
        return True

    def take(self) -> Item:
        """Take what came first."""
        item = self._items.popleft()
        if isinstance(item, Asked):
            self._asked -= 1
        return item
