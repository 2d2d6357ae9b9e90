"""
Builds the messages that a table sends, from its game and its room.

Redaction is in `Game.view`: no other part of the state of a game is sent from here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct, UnsetType

import qwixx
from qwixx.fair.commitment import MAX_WORDS_CHARS, promise_of, without_nonce
from qwixx.game.events import Decided, Event, PhaseBegan, TableEvent, TurnBegan
from qwixx.server.room.bots import level_of
from qwixx.server.room.codes import join_code
from qwixx.server.room.display_names import clean_name
from qwixx.server.room.room import Room
from qwixx.server.table import preview
from qwixx.server.wire.message_parts import Payload, SeatInfo
from qwixx.server.wire.messages import TableState, encode

if TYPE_CHECKING:
    from qwixx.server.table.table import Table


MAX_HISTORY = 240
"""Events that a client gets at most when it connects; a whole game seldom has more."""
SILENT = (Decided, PhaseBegan)
"""Events that the page shows in other ways; a client that connects does not get them."""


class SharedPart(Payload):
    """The fields at the end of `State` and `Change`, the same for all clients."""

    events: list[Event]
    deadline: float | None
    rollers: list[int]
    undoable: list[int]
    outcome: qwixx.Outcome | None
    choices: dict[str, str] | UnsetType = UNSET
    announced: dict[str, list[str]] | UnsetType = UNSET
    undo_left: float | UnsetType = UNSET


class StateMessage:
    """A `State` or `Change` for many clients: the shared parts are encoded once, the parts of seats are inserted."""

    __slots__ = ("_head", "_tail")

    def __init__(self, kind: bytes, phase: int, view: Struct, shared: bytes) -> None:
        """Encode what is the same for all; `shared` is an encoded `SharedPart`."""
        self._head = b'{"t":"%b","phase":%d,"view":%b,"mine":{' % (kind, phase, encode(view))
        self._tail = b"}," + shared[1:]

    def with_seats(self, mine: Iterable[tuple[int, bytes]]) -> bytes:
        """Return the message for a client with these seats, each with its encoded `SeatState`."""
        parts = b",".join([b'"%d":%b' % part for part in mine])
        return self._head + parts + self._tail


def with_history(shared: bytes, history: bytes) -> bytes:
    """Append the field `story` to an encoded `SharedPart`."""
    return b'%b,"story":%b}' % (shared[:-1], history)


def seat_part(game: qwixx.Game, seat: int, choice: str | None) -> bytes:
    """Encode what one seat may do; in card games also its own view."""
    state = preview.preview_seat(game, seat, choice)
    if game.variant.is_cards:
        state.view = game.view(seat)
    return encode(state)


def history_part(game: qwixx.Game, first: int, asides: Sequence[tuple[int, TableEvent]]) -> bytes:
    """
    Encode the latest turns, whole turns only, for a client that connects or reconnects.

    `first` is the seat that began; `asides` are events outside the game, each with the number of game events before it.
    """
    history: list[Event] = [TurnBegan(first)]
    waiting = deque(asides)
    for number, event in enumerate(game.events):
        while waiting and waiting[0][0] <= number:
            history.append(waiting.popleft()[1])
        if not isinstance(event, SILENT):
            history.append(event)
    history += [event for _, event in waiting]
    turns = (place for place, event in enumerate(history) if isinstance(event, TurnBegan))
    start = next((place for place in turns if len(history) - place <= MAX_HISTORY), 0)
    return encode(history[start:])


def table_message(table: Table, mine: Iterable[int], waits: Iterable[int], here: set[int], watchers: int) -> bytes:
    """Encode the room for a client with these seats, and these places among the people who wait."""
    room = table.room
    seats = [
        SeatInfo(
            place,
            seat.name,
            seat.kind,
            level_of(seat.level),
            place in here or not seat.is_person,
            table.presence.votes(seat) if seat.is_person else 0,
            clean_name(without_nonce(seat.words), MAX_WORDS_CHARS),
            seat.seal,
            seat.next_seal,
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
            table.pending_undo.message(),
            table.presence.rematch_seats(room),
            promise_of(room.seed) if room.is_fair else "",
            room.seed if room.is_fair and room.stage == "over" else "",
            promise_of(room.next_seed) if room.next_seed else "",
            room.day,
            room.has_hints,
            room.late_seats,
            room.announces,
            not table.tables.store.is_shared,  # a proxy routes a new socket to the process that should own its table
            room.locked,
            join_code(room.code) if room.stage == "lobby" else "",
            [seat.name for seat in room.waiting],
            list(waits),
            table.shared_review.leader,
        )
    )


def host_of(room: Room, here: set[int]) -> int | None:
    """Return the seat that starts the game: the first in host order who is connected, else the first."""
    people = host_order(room)
    return next((place for place in people if place in here), people[0] if people else None)


def host_order(room: Room) -> list[int]:
    """List the seats of people in the order in which they become host: a named host comes first."""
    people = [place for place, seat in enumerate(room.seats) if seat.is_person]
    return sorted(people, key=lambda place: not (room.host and room.seats[place].key == room.host))
