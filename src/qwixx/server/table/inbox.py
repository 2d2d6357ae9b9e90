"""
The inbox of a table: messages of clients, decisions of bots, the clock, commands of the operator.

Client messages share a limit, and the server may answer that the table is busy. Items of the server itself are never
refused: a clock that rings into a full inbox would never ring again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from qwixx.server.base.errors import RefusalCode
from qwixx.server.limits.meter import Meter
from qwixx.server.wire.connection import Connection
from qwixx.server.wire.messages import FromPage


class ClientMessage(NamedTuple):
    """A client sent a message."""

    connection: Connection
    message: FromPage
    received_at: float = 0.0
    """When the server received it, by `time.perf_counter`."""


@dataclass(frozen=True, slots=True)
class Connected:
    """A connection sent its hello."""

    connection: Connection


@dataclass(frozen=True, slots=True)
class Disconnected:
    """A connection has closed."""

    connection: Connection


@dataclass(frozen=True, slots=True)
class BotChose:
    """A bot has decided; an empty action if it had no answer."""

    seat: int
    phase: int
    action: str


@dataclass(frozen=True, slots=True)
class HintReady:
    """A hint is computed, or why there is none, as the message for those who asked."""

    seat: int
    phase: int
    message: bytes
    is_hint: bool
    """False for an error: the next request computes it again."""


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The time of a phase is up."""

    phase: int


@dataclass(frozen=True, slots=True)
class RollDue:
    """The time to undo a decision, or to open words, is over, and the table rolls."""

    phase: int


@dataclass(frozen=True, slots=True)
class RematchOpened:
    """The table for the rematch is open; without a code it could not be opened, and `refusal` says why."""

    code: str | None
    refusal: RefusalCode = "trouble"


@dataclass(frozen=True, slots=True)
class Unload:
    """Leave memory, if no client is connected or the server stops."""

    by_force: bool = False


@dataclass(frozen=True, slots=True)
class Close:
    """The operator closes all connections; the game stays as it is."""


@dataclass(frozen=True, slots=True)
class Delete:
    """The operator deletes the table."""


@dataclass(frozen=True, slots=True)
class Kick:
    """The operator has banned an address: close its connections."""

    address: str


Item = (
    ClientMessage
    | Connected
    | Disconnected
    | BotChose
    | HintReady
    | TimeUp
    | RollDue
    | RematchOpened
    | Unload
    | Close
    | Delete
    | Kick
)


class Inbox:
    """
    A queue of all items, first in, first out.

    Only client messages are limited, and half of the limit is reserved for players at the table. The number of other
    items is bounded by itself: a clock rings once in a phase, a bot decides once, a connection opens and closes once.
    """

    def __init__(self, limit: int) -> None:
        """Let at most `limit` client messages wait."""
        self._room, self._reserve = Meter(limit), limit // 2
        self._items: deque[Item] = deque()

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: Item) -> bool:
        """Append an item. Return False for a client message above the limit."""
        if isinstance(item, ClientMessage):
            reserve = 0 if item.connection.seats else self._reserve
            if not self._room.take(reserve=reserve):
                return False
        self._items.append(item)
        return True

    def take(self) -> Item:
        """Remove and return the first item."""
        item = self._items.popleft()
        if isinstance(item, ClientMessage):
            self._room.give_back()
        return item
