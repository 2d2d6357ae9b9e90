"""
From a game to the words on the wire.

Everything hidden stays behind `Game.view`: nothing else of a game's state leaves through this file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

import qwixx
from qwixx.events import Aside, Decided, Event, PhaseBegan, TurnBegan
from qwixx.fair import promise_of
from qwixx.server import foretelling
from qwixx.server.pieces import Part, SeatInfo
from qwixx.server.players import level_of
from qwixx.server.protocol import TableState, encode
from qwixx.server.room import Room

if TYPE_CHECKING:
    from qwixx.server.table import Table


_LONGEST_STORY = 240
"""Events that somebody who comes is told of at most; a whole game seldom has more."""


class Rest(Part):
    """What `State` and `Change` end with, the same for everybody."""

    events: list[Event]
    deadline: float | None
    rollers: list[int]
    undoable: list[int]
    outcome: qwixx.Outcome | None
    choices: dict[str, str] | UnsetType = UNSET


class Letter:
    """A message `State` or `Change` to many: what everybody's own seats may do is put in, the rest is shared."""

    __slots__ = ("_head", "_tail")

    def __init__(self, kind: bytes, phase: int, view: Struct, rest: bytes) -> None:
        """Write what all of them are told; `rest` is an encoded `Rest`."""
        self._head = b'{"t":"%b","phase":%d,"view":%b,"mine":{' % (kind, phase, encode(view))
        self._tail = b"}," + rest[1:]

    def to(self, mine: Iterable[tuple[int, bytes]]) -> bytes:
        """Give the message for somebody with these seats, and what each of them may do."""
        parts = b",".join([b'"%d":%b' % part for part in mine])
        return self._head + parts + self._tail


def with_story(rest: bytes, story: bytes) -> bytes:
    """Let a `Rest` end with a story."""
    return b'%b,"story":%b}' % (rest[:-1], story)


def mine_part(game: qwixx.Game, seat: int, choice: str | None) -> bytes:
    """Say what one seat may do, and what it alone sees."""
    told = foretelling.mine(game, seat, choice)
    if game.variant.is_cards:
        told.view = game.view(seat)
    return encode(told)


def story_part(game: qwixx.Game, first: int, asides: Sequence[tuple[int, Aside]]) -> bytes:
    """
    Tell what has happened so far, whole turns, to somebody who was not there or has forgotten.

    `first` is the seat that began; `asides` is what happened beside the game, each with the number of events before.
    """
    told: list[Event] = [TurnBegan(first)]
    beside = deque(asides)
    for number, event in enumerate(game.events):
        while beside and beside[0][0] <= number:
            told.append(beside.popleft()[1])
        if not isinstance(event, Decided | PhaseBegan):  # they show on the screen in other ways
            told.append(event)
    told += [event for _, event in beside]
    begins = (place for place, event in enumerate(told) if isinstance(event, TurnBegan))
    start = next((place for place in begins if len(told) - place <= _LONGEST_STORY), 0)
    return encode(told[start:])


def table_message(table: Table, mine: Iterable[int], here: set[int], watchers: int) -> bytes:
    """Describe the room to somebody."""
    room = table.room
    seats = [
        SeatInfo(
            place,
            seat.name,
            seat.kind,
            level_of(seat.level),
            place in here or not seat.is_person,
            table.company.votes(seat) if seat.is_person else 0,
            seat.words,
        )
        for place, seat in enumerate(room.seats)
    ]
    return encode(
        TableState(
            room.code,
            room.variant,
            room.options.sheet or room.variant,
            room.stage,
            host_of(room, here),
            list(mine),
            seats,
            room.options,
            watchers,
            room.next,
            0 if room.options.timer else table.settings.vote_seconds,
            table.undoing.told(),
            table.company.wanting(room),
            promise_of(room.seed) if room.is_fair else "",
            room.seed if room.is_fair and room.stage == "over" else "",
            room.day,
            room.has_hints,
            not table.tables.store.is_shared,  # a proxy leads a new socket to the process that should have its table
        )
    )


def host_of(room: Room, here: set[int]) -> int | None:
    """Give the seat that starts the game: the host if they are here, the first person who is, else the first person."""
    people = by_right(room)
    return next((place for place in people if place in here), people[0] if people else None)


def by_right(room: Room) -> list[int]:
    """List the people's seats in the order in which they would be host: who was made host comes first."""
    people = [place for place, seat in enumerate(room.seats) if seat.is_person]
    return sorted(people, key=lambda place: not (room.host and room.seats[place].key == room.host))
