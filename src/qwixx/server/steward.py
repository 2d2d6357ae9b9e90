"""The steward: answers what pages ask of a table, and sees to it that nobody acts for somebody else's seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qwixx.server import protocol, telling
from qwixx.server.connection import Connection
from qwixx.server.room import Refused
from qwixx.server.seats import clean_name, hashed, new_token

if TYPE_CHECKING:
    from qwixx.server.table import Table


def carry_out(table: Table, connection: Connection, message: protocol.FromPage) -> None:
    """Do what a page asks. Raises `Refused`; then nothing has changed."""
    match message:
        case protocol.Decide(seat, phase, action):
            _check_player(table, connection, seat)
            table.dealer.decide(seat, phase, action)
        case protocol.AskWhy(seat, action):
            _check_mine(connection, seat)
            _say_why(table, connection, seat, action)
        case protocol.Roll(dice):
            if not set(connection.mine) & set(table.dealer.rollers()):
                raise Refused("not-your-turn" if connection.mine else "not-your-seat")
            table.dealer.roll(dice)
        case protocol.Ping():
            table.reply(connection, protocol.Pong())
        case protocol.Hello(tokens):
            connection.keys = [hashed(token) for token in tokens]
            table.reseat()
            table.round.people_changed = True
            table.round.resync.append(connection)
        case protocol.Rematch():
            _check_seated(connection)
            table.open_next()
        case protocol.ToBot(seat) | protocol.TakeBack(seat):
            _hand_over(table, connection, seat, to_bot=isinstance(message, protocol.ToBot))
        case _:
            _change_room(table, connection, message)
            table.round.room_changed = True


def _change_room(table: Table, connection: Connection, message: protocol.FromPage) -> None:
    room = table.room
    match message:
        case protocol.Sit(name):
            token = new_token()
            seat = room.add_person(_name(table, name), hashed(token))
            connection.keys.append(hashed(token))
            connection.mine = (*connection.mine, seat)
            table.reply(connection, protocol.Seated(seat, token))
        case protocol.Rename(seat, name):
            _check_mine(connection, seat)
            room.seats[seat].name = _name(table, name)
        case protocol.Stand(seat):
            _check_mine(connection, seat)
            room.remove(seat, bot=False)
            table.reseat()
        case protocol.AddBot(level):
            _check_guest(table, connection)
            room.add_bot(table.tables.allowed.check(level, room.rules))
        case protocol.RemoveBot(seat):
            _check_guest(table, connection)
            _check_exists(table, seat)
            room.remove(seat, bot=True)
            table.reseat()
        case protocol.SetOptions():
            _check_guest(table, connection)
            room.change(message)
        case protocol.Start():
            room.check_lobby()
            if telling.host_of(room, table.here()) not in connection.mine:
                raise Refused("not-host")
            table.dealer.begin()


def _say_why(table: Table, connection: Connection, seat: int, action: str) -> None:
    game = table.dealer.game
    if game is None:
        raise Refused("not-now")
    try:
        refusal = game.why_not(seat, action)
    except ValueError:
        raise Refused("unreadable") from None
    if refusal is None:
        table.reply(connection, protocol.Why(seat, action, "allowed", "", {}))
    else:
        table.reply(connection, protocol.Why(seat, action, refusal.code, refusal.rule, refusal.details))


def _hand_over(table: Table, connection: Connection, seat: int, *, to_bot: bool) -> None:
    """Give a seat to a bot, or back to its person."""
    _check_exists(table, seat)
    found = table.room.seats[seat]
    if table.room.stage != "playing" or found.is_person != to_bot:
        raise Refused("not-now")
    if to_bot:
        _check_seated(connection)
        if seat in table.here() and seat not in connection.mine:
            raise Refused("still-here")
        player = table.tables.allowed.usual(table.room.rules, len(table.room.seats))
        if player is None:
            raise Refused("not-now")
        found.kind, found.level = "bot", player
    else:
        _check_mine(connection, seat)
        found.kind, found.level = "person", None
    table.thinking.forget(seat)
    table.round.room_changed = True
    table.round.moved = True


# ---- who may


def _check_exists(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.room.seats):
        raise Refused("no-such-seat")


def _check_mine(connection: Connection, seat: int) -> None:
    if seat not in connection.mine:
        raise Refused("not-your-seat")


def _check_player(table: Table, connection: Connection, seat: int) -> None:
    _check_mine(connection, seat)
    if not table.room.seats[seat].is_person:
        raise Refused("bot-plays")


def _check_seated(connection: Connection) -> None:
    if not connection.mine:
        raise Refused("not-your-seat")


def _check_guest(table: Table, connection: Connection) -> None:
    """Let the people at the table arrange it; at a table without people, whoever is there."""
    if not connection.mine and any(seat.is_person for seat in table.room.seats):
        raise Refused("not-your-seat")


def _name(table: Table, text: str) -> str:
    name = clean_name(text, table.settings.name_length)
    if not name:
        raise Refused("bad-name")
    return name
