"""
From a game to the words on the wire.

Everything hidden stays behind `Game.view`: nothing else of a game's state leaves through this file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import UNSET, Raw, UnsetType

import qwixx
from qwixx.server import foretelling
from qwixx.server.players import level_of
from qwixx.server.protocol import Message, SeatInfo, TableState, encode
from qwixx.server.room import Room

if TYPE_CHECKING:
    from qwixx.server.table import Table


class StateRaw(Message, tag="state"):
    """The message `State` with its parts encoded already, since many connections share them."""

    phase: int
    view: Raw
    mine: dict[str, Raw]
    events: Raw
    deadline: float | None
    rollers: list[int]
    undoable: list[int]
    outcome: qwixx.Outcome | None
    choices: dict[str, str] | UnsetType = UNSET


def mine_part(game: qwixx.Game, seat: int, choice: str | None) -> Raw:
    """Say what one seat may do, and what it alone sees."""
    told = foretelling.mine(game, seat, choice)
    if game.variant.is_cards:
        told.view = game.view(seat)
    return Raw(encode(told))


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
        )
    )


def host_of(room: Room, here: set[int]) -> int | None:
    """Give the seat that starts the game: the first person who is here, else the first person."""
    people = [place for place, seat in enumerate(room.seats) if seat.is_person]
    return next((place for place in people if place in here), people[0] if people else None)
