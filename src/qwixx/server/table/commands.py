"""The steward: answers what pages ask of a table, and sees to it that nobody acts for somebody else's seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from qwixx.fair import LONGEST_WORDS
from qwixx.server import hosting, protocol, telling
from qwixx.server.connection import Connection
from qwixx.server.names import clean_name, take_name
from qwixx.server.room import Refused
from qwixx.server.seats import hashed, new_token

if TYPE_CHECKING:
    from qwixx.server.table import Table


def carry_out(table: Table, connection: Connection, message: protocol.FromPage) -> None:
    """Do what a page asks. Raises `Refused`; then nothing has changed."""
    match message:
        case protocol.Decide(seat, phase, action):
            _check_player(table, connection, seat)
            table.dealer.decide(seat, phase, action)
        case protocol.Withdraw(seat, phase):
            _check_player(table, connection, seat)
            table.dealer.withdraw(seat, phase)
        case protocol.Undo(seat, phase):
            _check_player(table, connection, seat)
            table.undoing.ask(table, connection, seat, phase)
        case protocol.AgreeUndo(yes):
            _check_seated(connection)
            table.undoing.answer(table, connection, agrees=yes)
        case protocol.AskWhy(seat, action):
            _check_mine(connection, seat)
            _say_why(table, connection, seat, action)
        case protocol.AskHint(seat, phase):
            _check_player(table, connection, seat)
            table.hinting.ask(connection, seat, phase)
        case protocol.Roll(dice):
            if not set(connection.mine) & set(table.dealer.rollers()):
                raise Refused("not-your-turn" if connection.mine else "not-your-seat")
            table.dealer.roll(dice)
        case protocol.Ping():
            table.reply(connection, protocol.Pong())
        case protocol.Hello(tokens, changes):
            connection.keys = [hashed(token) for token in tokens]
            connection.wants_changes = changes
            table.admit(connection)
        case protocol.Rematch(now):
            _check_seated(connection)
            hosting.rematch(table, connection, now=now)
        case protocol.React(seat, sign):
            _check_mine(connection, seat)
            hosting.react(table, seat, sign)
        case (
            protocol.ToBot()
            | protocol.TakeBack()
            | protocol.Vote()
            | protocol.Remove()
            | protocol.ForgetName()
            | protocol.DeleteTable()
            | protocol.MakeHost()
        ):
            _see_to_people(table, connection, message)
        case _:
            _change_room(table, connection, message)
            table.round.room_changed = True


def _change_room(table: Table, connection: Connection, message: protocol.FromPage) -> None:
    room = table.room
    match message:
        case protocol.Sit(name, seat):
            _sit(table, connection, name, None if seat is UNSET else seat)
        case protocol.Rename(seat, name):
            _check_exists(table, seat)
            if room.stage != "lobby" or not room.seats[seat].is_person:
                _check_mine(connection, seat)
            elif seat not in connection.mine:
                hosting.check_host(table, connection)
            room.seats[seat].name = _name(table, name, seat)
        case protocol.Move(seat, to):
            _check_exists(table, seat)
            _check_exists(table, to)
            hosting.move(table, connection, seat, to)
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
            if room.stage == "lobby":
                _check_guest(table, connection)
            else:
                hosting.check_host(table, connection)
            room.change(message)
        case protocol.AddWords(seat, words):
            room.check_lobby()
            _check_mine(connection, seat)
            room.seats[seat].words = clean_name(words, LONGEST_WORDS)
        case protocol.Start():
            room.check_lobby()
            if telling.host_of(room, table.here()) not in connection.mine:
                raise Refused("not-host")
            table.dealer.begin()


def _sit(table: Table, connection: Connection, name: str, seat: int | None) -> None:
    """Seat a person: in the lobby behind the others, in a game where a bot plays that stands for nobody."""
    room, token = table.room, new_token()
    if room.stage == "lobby" or seat is None:
        seat = room.add_person(_name(table, name), hashed(token))
    else:
        _check_exists(table, seat)
        room.take_over(seat, _name(table, name, seat), hashed(token))
        hosting.changed_hands(table, seat)
    connection.keys.append(hashed(token))
    connection.mine = (*connection.mine, seat)
    table.reply(connection, protocol.Seated(seat, token))


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


def _see_to_people(table: Table, connection: Connection, message: protocol.FromPage) -> None:
    """Check that somebody may ask for this at all; what it takes beyond that is said where it is done."""
    _check_seated(connection)
    match message:
        case protocol.ToBot(seat):
            _check_played_by(table, seat, person=True)
            hosting.give_to_bot(table, connection, seat)
        case protocol.TakeBack(seat):
            _check_played_by(table, seat, person=False)
            _check_mine(connection, seat)
            hosting.take_back(table, seat)
        case protocol.Vote(seat):
            _check_exists(table, seat)
            hosting.vote(table, connection, seat)
        case protocol.Remove(seat, ban):
            _check_exists(table, seat)
            hosting.remove(table, connection, seat, ban=ban)
        case protocol.ForgetName(seat):
            _check_mine(connection, seat)
            hosting.forget_name(table, seat)
        case protocol.DeleteTable():
            hosting.delete(table, connection)
        case protocol.MakeHost(seat):
            _check_exists(table, seat)
            hosting.make_host(table, connection, seat)


# ---- who may


def _check_exists(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.room.seats):
        raise Refused("no-such-seat")


def _check_played_by(table: Table, seat: int, *, person: bool) -> None:
    """Refuse what makes sense only in a game, at a seat that a person or a bot plays."""
    _check_exists(table, seat)
    if table.room.stage != "playing" or table.room.seats[seat].is_person != person:
        raise Refused("not-now")


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


def _name(table: Table, text: str, own: int | None = None) -> str:
    """Take a name for a seat, which no other seat has."""
    others = [seat.name for place, seat in enumerate(table.room.seats) if place != own]
    return take_name(text, table.settings.name_length, others)
