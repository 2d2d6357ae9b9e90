"""Actions that concern other players: give seats to bots, vote, remove and ban, rematch, delete the table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec.structs import replace

from qwixx.server.base.errors import Refused
from qwixx.server.limits.client_address import address_of
from qwixx.server.room.display_names import NO_NAME
from qwixx.server.table.change import NOTHING, PEOPLE, ROOM, Change, reply_all
from qwixx.server.table.outgoing import host_order
from qwixx.server.wire.connection import BANNED, Connection
from qwixx.server.wire.messages import Error, Reaction, Sign, encode

if TYPE_CHECKING:
    from qwixx.server.table.table import Table


def give_to_bot(table: Table, connection: Connection, seat: int) -> Change:
    """Give a seat to a bot: the own seat immediately, the seat of an absent player after a grace time."""
    if table.room.day:
        raise Refused("not-now")  # a daily score is of one person, without help
    found = table.room.seats[seat]
    if seat not in connection.seats:
        if seat in table.here():
            raise Refused("still-here")
        _check_waited(table.settings.grace_seconds - table.presence.seconds_away(found))
    return _seat_bot(table, seat)


def take_back(table: Table, seat: int) -> Change:
    """Give a seat back to its player."""
    found = table.room.seats[seat]
    found.kind, found.level = "person", None
    table.presence.returned(found)
    return on_seat_transferred(table, seat)


def vote(table: Table, connection: Connection, seat: int) -> Change:
    """Vote for a bot in place of a player who does not move; more than half of the other people decide."""
    room, game = table.room, table.dealer.game
    found = room.seats[seat]
    voters = {room.seats[own].key for own in connection.seats if own != seat and room.seats[own].is_person}
    if not voters:
        raise Refused("not-your-seat")
    if game is None or game.is_over or room.options.timer or not found.is_person:
        raise Refused("not-now")
    if seat not in game.deciders() and table.dealer.rollers() != [seat]:
        raise Refused("not-now")
    _check_waited(table.settings.vote_seconds - table.presence.seconds_waited(found, table.dealer.phase_began))
    others = sum(each.is_person for each in room.seats) - 1
    if 2 * table.presence.vote(table.dealer.phase, found, voters) > others:
        return _seat_bot(table, seat)
    return PEOPLE


def remove(table: Table, connection: Connection, seat: int, *, ban: bool) -> Change:
    """Remove a person, as the host: from the lobby, or with a ban also during the game; a bot takes the seat then."""
    room = table.room
    check_host(table, connection)
    if room.stage == "over" or seat in connection.seats or not room.seats[seat].key:
        raise Refused("not-now")
    if room.stage == "playing" and not ban:
        raise Refused("not-now")
    removed = [each for each in table.connections if seat in each.seats]
    # A ban removes all seats of a person.
    seats = {seat}.union(*(each.seats for each in removed)) if ban else {seat}
    keys = {room.seats[seat].key}.union(*(each.keys for each in removed)) - set(connection.keys)
    for place in sorted(seats - set(connection.seats), reverse=True):
        _vacate(table, place)
    table.reseat()
    if ban:
        table.presence.ban((), keys)
        for each in removed:
            _ban(table, each, connection)
        return Change(room=True, state=room.stage == "playing")
    return replace(reply_all(removed, encode(Error("removed"))), room=True)


def remove_waiting(table: Table, connection: Connection, place: int, *, ban: bool) -> Change:
    """Take a person out of the next game, as the host; with a ban the person also leaves the table."""
    check_host(table, connection)
    key = table.room.waiting.pop(place).key
    removed = [each for each in table.connections if key in each.keys]
    if ban:
        table.presence.ban((), [key])
        for each in removed:
            _ban(table, each, connection)
        return ROOM
    return replace(reply_all(removed, encode(Error("removed"))), room=True)


def transfer_host(table: Table, connection: Connection, seat: int) -> Change:
    """Transfer the rights of the host to another person."""
    check_host(table, connection)
    found = table.room.seats[seat]
    if not found.is_person:
        raise Refused("not-now")
    table.room.host = found.key
    return ROOM


def move(table: Table, connection: Connection, seat: int, to: int) -> Change:
    """Change the order of turns; the host stays the same person."""
    check_host(table, connection)
    host = _host(table)
    assert host is not None
    key = table.room.seats[host].key
    table.room.move(seat, to)
    table.room.host = key
    table.reseat()
    return ROOM


def check_host(table: Table, connection: Connection) -> None:
    """Raise `Refused` unless the sender is the host."""
    if _host(table) not in connection.seats:
        raise Refused("not-host")


def rematch(table: Table, connection: Connection, *, now: bool) -> Change:
    """Agree to a rematch. It starts when all connected players agree, or immediately with `now`."""
    room = table.room
    if room.stage != "over":
        raise Refused("not-now")
    table.presence.set_rematch(room, connection.seats)
    if now:
        table.open_rematch(connection)
    else:
        maybe_open_rematch(table)
    return PEOPLE


def maybe_open_rematch(table: Table) -> None:
    """Open the rematch if all connected players want it."""
    agreed, here = set(table.presence.rematch_seats(table.room)), table.here()
    if table.room.stage == "over" and here and here <= agreed:
        table.open_rematch(next(connection for connection in table.connections if connection.seats))


def react(table: Table, seat: int, sign: Sign) -> Change:
    """Show a sign to all; signs that follow too fast are dropped."""
    if not table.presence.may_react(table.room.seats[seat]):
        return NOTHING
    return reply_all(table.connections, encode(Reaction(seat, sign)))


def _vacate(table: Table, seat: int) -> None:
    """Free a seat in the lobby; during a game, give it to a bot permanently."""
    room = table.room
    if room.stage == "lobby":
        room.remove(seat, bot=False)
    else:
        _seat_bot(table, seat)
        room.seats[seat].key = room.seats[seat].name = ""


def _ban(table: Table, banned: Connection, host: Connection) -> None:
    """Close a connection and ban its address, unless the host has the same address."""
    address = address_of(banned.socket)
    if address != address_of(host.socket):
        table.presence.ban([address], ())
    if not banned.seats:  # else it is a connection of the host too
        table.reject(banned, "banned", BANNED)


def forget_name(table: Table, seat: int) -> Change:
    """Remove a name from a finished game."""
    if table.room.stage != "over":
        raise Refused("not-now")
    table.room.seats[seat].name = NO_NAME
    return ROOM


def delete(table: Table, connection: Connection) -> Change:
    """Delete a table that is finished or has no other players; a daily game only after its dice are public."""
    others = [place for place, seat in enumerate(table.room.seats) if seat.key and place not in connection.seats]
    if (table.room.stage != "over" and others) or table.tables.daily_games.is_secret(table.room):
        raise Refused("not-now")
    return Change(is_deleted=True)


def _host(table: Table) -> int | None:
    """Return the seat of the host: the first in host order who is connected or was a moment ago."""
    for place in host_order(table.room):
        if table.presence.seconds_away(table.room.seats[place]) <= table.settings.grace_seconds:
            return place
    return None


def _seat_bot(table: Table, seat: int) -> Change:
    player = table.tables.allowed.default(table.room.rules, len(table.room.seats))
    if player is None:
        raise Refused("not-now")
    found = table.room.seats[seat]
    found.kind, found.level = "bot", player
    return on_seat_transferred(table, seat)


def on_seat_transferred(table: Table, seat: int) -> Change:
    """Note that a person or a bot has taken over a seat."""
    table.bot_turns.reset_seat(seat)
    return Change(room=True, state=True)


def _check_waited(seconds: float) -> None:
    """Raise `Refused` with the seconds that the client still has to wait, if any."""
    if seconds > 0:
        raise Refused("too-soon", details={"seconds": math.ceil(seconds)})
