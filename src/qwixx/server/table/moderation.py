"""What people at a table may do about one another: hand seats over, vote, send away, and clear up afterwards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from qwixx.server.connection import BANNED, Connection
from qwixx.server.protocol import Error, Reaction, Sign
from qwixx.server.room import Refused
from qwixx.server.security import address_of
from qwixx.server.telling import by_right

if TYPE_CHECKING:
    from qwixx.server.table import Table

NO_NAME = "—"
"""What stands where somebody took their name out: a sign that needs no translation."""


def give_to_bot(table: Table, connection: Connection, seat: int) -> None:
    """Give a seat to a bot: one's own at once, that of somebody who has left when they had time to come back."""
    if table.room.day:
        raise Refused("not-now")  # a score of the day is somebody's own
    found = table.room.seats[seat]
    if seat not in connection.mine:
        if seat in table.here():
            raise Refused("still-here")
        _wait(table.settings.grace_seconds - table.company.away(found))
    _seat_bot(table, seat)


def take_back(table: Table, seat: int) -> None:
    """Give a seat back to its person."""
    found = table.room.seats[seat]
    found.kind, found.level = "person", None
    table.company.returned(found)
    changed_hands(table, seat)


def vote(table: Table, connection: Connection, seat: int) -> None:
    """Vote for a bot in place of somebody who does not move; more than half of the other people decide."""
    room, game = table.room, table.dealer.game
    found = room.seats[seat]
    voters = {room.seats[own].key for own in connection.mine if own != seat and room.seats[own].is_person}
    if not voters:
        raise Refused("not-your-seat")
    if game is None or game.is_over or room.options.timer or not found.is_person:
        raise Refused("not-now")
    if seat not in game.deciders() and table.dealer.rollers() != [seat]:
        raise Refused("not-now")
    _wait(table.settings.vote_seconds - table.company.waited(found, table.dealer.since))
    others = sum(each.is_person for each in room.seats) - 1
    if 2 * table.company.vote(table.dealer.phase, found, voters) > others:
        _seat_bot(table, seat)
    else:
        table.round.people_changed = True


def remove(table: Table, connection: Connection, seat: int, *, ban: bool) -> None:
    """Send a person away, as the host: from the lobby, or with a ban also during the game, which a bot then goes on."""
    room = table.room
    check_host(table, connection)
    if room.stage == "over" or seat in connection.mine or not room.seats[seat].key:
        raise Refused("not-now")
    if room.stage == "playing" and not ban:
        raise Refused("not-now")
    sent_away = [each for each in table.connections if seat in each.mine]
    # Who took several seats loses all of them by a ban.
    seats = {seat}.union(*(each.mine for each in sent_away)) if ban else {seat}
    for place in sorted(seats - set(connection.mine), reverse=True):
        _vacate(table, place)
    table.reseat()
    table.round.room_changed = True
    for each in sent_away:
        if ban:
            _ban(table, each, connection)
        else:
            table.reply(each, Error("removed"))


def make_host(table: Table, connection: Connection, seat: int) -> None:
    """Hand the host's rights over to another person, who keeps them from then on."""
    check_host(table, connection)
    found = table.room.seats[seat]
    if not found.is_person:
        raise Refused("not-now")
    table.room.host = found.key
    table.round.room_changed = True


def move(table: Table, connection: Connection, seat: int, to: int) -> None:
    """Change the order of turns; whoever is host stays it, wherever they sit then."""
    check_host(table, connection)
    host = _host(table)
    assert host is not None
    key = table.room.seats[host].key
    table.room.move(seat, to)
    table.room.host = key
    table.reseat()


def check_host(table: Table, connection: Connection) -> None:
    """Refuse what only the host may do."""
    if _host(table) not in connection.mine:
        raise Refused("not-host")


def rematch(table: Table, connection: Connection, *, now: bool) -> None:
    """Say yes to another game, which begins when all who are here have said so, or now if somebody does not wait."""
    room = table.room
    if room.stage != "over":
        raise Refused("not-now")
    table.company.want(room, connection.mine)
    table.round.people_changed = True
    if now:
        table.open_next(connection)
    else:
        look_for_next(table)


def look_for_next(table: Table) -> None:
    """Open the next table if all who are here want it."""
    wanting, here = set(table.company.wanting(table.room)), table.here()
    if table.room.stage == "over" and here and here <= wanting:
        table.open_next(next(connection for connection in table.connections if connection.mine))


def react(table: Table, seat: int, sign: Sign) -> None:
    """Show a sign to everybody; who shows one after the other is not seen for a moment."""
    if table.company.may_react(table.room.seats[seat]):
        for each in table.connections:
            table.reply(each, Reaction(seat, sign))


def _vacate(table: Table, seat: int) -> None:
    """Free a seat in the lobby; in a game, let a bot have it for good."""
    room = table.room
    if room.stage == "lobby":
        room.remove(seat, bot=False)
    else:
        _seat_bot(table, seat)
        room.seats[seat].key = room.seats[seat].name = ""


def _ban(table: Table, banned: Connection, host: Connection) -> None:
    """Hang up on somebody, and let nobody in from where they came, unless the host is there too."""
    address = address_of(banned.socket)
    if address != address_of(host.socket):
        table.company.banned.add(address)
    if not banned.mine:  # else the host sits there too
        table.turn_away(banned, "banned", BANNED)


def forget_name(table: Table, seat: int) -> None:
    """Take a name out of a finished game."""
    if table.room.stage != "over":
        raise Refused("not-now")
    table.room.seats[seat].name = NO_NAME
    table.round.room_changed = True


def delete(table: Table, connection: Connection) -> None:
    """Delete a table: a finished one, or one where nobody else sits; that of a day not before its dice are told."""
    others = [place for place, seat in enumerate(table.room.seats) if seat.key and place not in connection.mine]
    if (table.room.stage != "over" and others) or table.tables.days.hides(table.room):
        raise Refused("not-now")
    table.round.is_deleted = True


def _host(table: Table) -> int | None:
    """Give the seat that may send others away: the first by right, who keeps that through a lost line."""
    seats, patience = table.room.seats, table.settings.grace_seconds
    return next((place for place in by_right(table.room) if table.company.away(seats[place]) <= patience), None)


def _seat_bot(table: Table, seat: int) -> None:
    player = table.tables.allowed.usual(table.room.rules, len(table.room.seats))
    if player is None:
        raise Refused("not-now")
    found = table.room.seats[seat]
    found.kind, found.level = "bot", player
    changed_hands(table, seat)


def changed_hands(table: Table, seat: int) -> None:
    """Let somebody else think for a seat from now on."""
    table.thinking.forget(seat)
    table.round.room_changed = True
    table.round.moved = True


def _wait(seconds: float) -> None:
    """Refuse what is possible only so many seconds later."""
    if seconds > 0:
        raise Refused("too-soon", details={"seconds": math.ceil(seconds)})
