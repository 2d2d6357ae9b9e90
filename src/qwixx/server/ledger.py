"""
The ledger: every roll and decision of a table as lines of a game record.

It is the truth. A game in memory is only what replaying it gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import qwixx
from qwixx.events import GameOver, PhaseBegan
from qwixx.record import FIRST_LINE
from qwixx.server import chance
from qwixx.server.room import Refused, Room


def begin(room: Room) -> qwixx.Game:
    """Set up the game of a room; first seat and lucky numbers are drawn by lot unless they were chosen."""
    seats = len(room.seats)
    rules = room.rules
    if seats not in rules.seats:
        raise Refused("too-few")
    lucky = chance.lucky_pairs(rules, seats) if room.options.lucky is None else room.options.lucky
    try:
        game = qwixx.Game(rules, seats, first=chance.first_seat(seats), lucky=lucky)
    except qwixx.QwixxError:
        raise Refused("bad-options") from None
    room.opening = opening(game)
    return game


def opening(game: qwixx.Game) -> dict[str, str]:
    """Give the facts that a record of this game starts with."""
    lines = game.record().splitlines()[1:]
    return dict(line.split(" ", 1) for line in lines)


def text(room: Room, lines: Iterable[str], scores: Sequence[int] | None = None) -> str:
    """Write a room's game as a record."""
    head = [FIRST_LINE, *(f"{key} {fact}" for key, fact in room.opening.items())]
    tail = [] if scores is None else ["scores " + " ".join(map(str, scores))]
    return "\n".join([*head, *lines, *tail]) + "\n"


def replay(room: Room, lines: Iterable[str]) -> qwixx.Game:
    """Play a ledger again, from its first line to its last."""
    return qwixx.Game.from_record(text(room, lines))


def phases_in(events: Iterable[qwixx.Event]) -> int:
    """Count the phases that began in these events; the number of a phase is how many have begun before it."""
    return sum(isinstance(event, PhaseBegan | GameOver) for event in events)
