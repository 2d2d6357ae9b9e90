"""
Handlers of all messages that clients send to a table. A tap of a player arrives here as `Decide`.

`handle` checks that the sender may act for the seat, then calls the dealer (the game), `moderation` (other players) or
the room (seats and options). `Table` calls it for each message, and writes and sends the change that it returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from msgspec import UNSET
from msgspec.structs import replace

from qwixx.server.base.errors import Refused
from qwixx.server.room.display_names import checked_name
from qwixx.server.room.seats import Seat, hash_token, new_token, owned_seats
from qwixx.server.table import moderation, outgoing
from qwixx.server.table.change import ROOM, STATE, Change, reply
from qwixx.server.wire import messages
from qwixx.server.wire.connection import Connection

if TYPE_CHECKING:
    from qwixx.server.table.table import Table


def handle(table: Table, connection: Connection, message: messages.FromPage) -> Change:
    """Carry out a message of a client; return what changed. Raises `Refused`; then nothing has changed."""
    room = table.room
    match message:
        # the game
        case messages.Decide(seat, phase, action):
            _check_player(table, connection, seat)
            return table.dealer.decide_for_person(seat, phase, action)
        case messages.Withdraw(seat, phase):
            _check_player(table, connection, seat)
            return table.dealer.withdraw(seat, phase)
        case messages.Undo(seat, phase):
            _check_player(table, connection, seat)
            return table.pending_undo.ask(table, connection, seat, phase)
        case messages.AgreeUndo(yes):
            _check_seated(connection)
            return table.pending_undo.answer(table, connection, agrees=yes)
        case messages.AskWhy(seat, action):
            _check_mine(connection, seat)
            return _explain(table, connection, seat, action)
        case messages.AskHint(seat, phase, quiet):
            _check_player(table, connection, seat)
            return table.hint_requests.ask(connection, seat, phase, quiet=quiet)
        case messages.Roll(dice):
            if not set(connection.seats) & set(table.dealer.rollers()):
                raise Refused("not-your-turn" if connection.seats else "not-your-seat")
            return table.dealer.roll(dice)
        case messages.Start():
            room.check_lobby()
            if outgoing.host_of(room, table.here()) not in connection.seats:
                raise Refused("not-host")
            return table.dealer.start_game()
        # connections
        case messages.Ping():
            return reply(connection, messages.Pong())
        case messages.Hello(tokens, changes):
            connection.keys = [hash_token(token) for token in tokens]
            connection.wants_changes = changes
            return table.admit(connection)
        # seats and options
        case messages.Sit(name, seat):
            return _sit(table, connection, name, None if seat is UNSET else seat)
        case messages.Rename(seat, name):
            _check_exists(table, seat)
            if room.stage != "lobby" or not room.seats[seat].is_person:
                _check_mine(connection, seat)
            elif seat not in connection.seats:
                moderation.check_host(table, connection)
            room.seats[seat].name = _name(table, name, seat)
        case messages.Move(seat, to):
            _check_exists(table, seat)
            _check_exists(table, to)
            return moderation.move(table, connection, seat, to)
        case messages.Stand(seat):
            if _is_reserved(table, seat):
                place = seat - len(room.seats)
                if place not in owned_seats(room.waiting, connection.keys):
                    raise Refused("not-your-seat")
                del room.waiting[place]
                return ROOM
            _check_mine(connection, seat)
            room.remove(seat, bot=False)
            table.reseat()
        case messages.AddBot(level):
            _check_guest(table, connection)
            room.add_bot(table.tables.allowed.check(level, room.rules))
        case messages.RemoveBot(seat):
            _check_guest(table, connection)
            _check_exists(table, seat)
            room.remove(seat, bot=True)
            table.reseat()
        case messages.SetOptions():
            if room.stage == "lobby":
                _check_guest(table, connection)
            else:
                moderation.check_host(table, connection)
            room.change(message)
        case messages.SealWords(seat, seal):
            _check_mine(connection, seat)
            room.seal_words(seat, seal)
        case messages.OpenWords(seat, words):
            _check_mine(connection, seat)
            return table.dealer.open_words(seat, words)
        # other players; `moderation` checks the rights that go beyond having a seat
        case messages.Rematch(now):
            _check_seated(connection)
            return moderation.rematch(table, connection, now=now)
        case messages.React(seat, sign):
            _check_mine(connection, seat)
            return moderation.react(table, seat, sign)
        case messages.Lead(seat):
            _check_seated(connection)
            _check_exists(table, seat)
            return table.shared_review.lead(table, connection, seat)
        case messages.PointAt():
            return table.shared_review.point(table, connection, message)
        case messages.StopLeading():
            _check_seated(connection)
            return table.shared_review.stop(table, connection)
        case messages.ToBot(seat):
            _check_seated(connection)
            _check_played_by(table, seat, person=True)
            return moderation.give_to_bot(table, connection, seat)
        case messages.TakeBack(seat):
            _check_seated(connection)
            _check_played_by(table, seat, person=False)
            _check_mine(connection, seat)
            return moderation.take_back(table, seat)
        case messages.Vote(seat):
            _check_seated(connection)
            _check_exists(table, seat)
            return moderation.vote(table, connection, seat)
        case messages.Remove(seat, ban):
            _check_seated(connection)
            if _is_reserved(table, seat):
                return moderation.remove_waiting(table, connection, seat - len(room.seats), ban=ban)
            _check_exists(table, seat)
            return moderation.remove(table, connection, seat, ban=ban)
        case messages.ForgetName(seat):
            _check_mine(connection, seat)
            return moderation.forget_name(table, seat)
        case messages.DeleteTable():
            _check_seated(connection)
            return moderation.delete(table, connection)
        case messages.MakeHost(seat):
            _check_seated(connection)
            _check_exists(table, seat)
            return moderation.transfer_host(table, connection, seat)
        case _:
            assert_never(message)
    return ROOM


def _add_key(table: Table, connection: Connection, key: str) -> None:
    """Add the key of a seat, and forget those of seats that were given up: people may sit down any number of times."""
    owned = {seat.key for seat in (*table.room.seats, *table.room.waiting)}
    connection.keys = [*(each for each in connection.keys if each in owned), key]


def _sit(table: Table, connection: Connection, name: str, seat: int | None) -> Change:
    """
    Seat a person: in the lobby after the others, later in place of a bot, or without a seat in the next game.

    The choice of the bot in the open phase is withdrawn before anybody sees it, and the newcomer decides. An announced
    closing stays (C14).
    """
    room, token, change = table.room, new_token(), ROOM
    if room.stage == "lobby":
        seat = room.add_person(_name(table, name), hash_token(token))
    elif seat is None:
        if connection.seats or table.is_opening_rematch:  # its seats are chosen: this one would be lost
            raise Refused("not-now")
        seat = room.reserve(_name(table, name), hash_token(token))
        _add_key(table, connection, hash_token(token))
        return replace(change, replies=reply(connection, messages.Seated(seat, token)).replies)
    else:
        _check_exists(table, seat)
        if seat not in room.late_seats:
            raise Refused("not-now")
        newcomer = Seat(_name(table, name, seat), key=hash_token(token))
        is_public = seat in table.dealer.announced()
        change = STATE if is_public else table.dealer.withdraw(seat, table.dealer.phase)
        room.seats[seat] = newcomer
        moderation.on_seat_transferred(table, seat)
    _add_key(table, connection, hash_token(token))
    connection.seats = (*connection.seats, seat)
    return replace(change, room=True, replies=reply(connection, messages.Seated(seat, token)).replies)


def _explain(table: Table, connection: Connection, seat: int, action: str) -> Change:
    """Reply why an action is not possible, with the rule, or that it is allowed."""
    game = table.dealer.game
    if game is None:
        raise Refused("not-now")
    try:
        refusal = game.why_not(seat, action)
    except ValueError:
        raise Refused("unreadable") from None
    if refusal is None:
        return reply(connection, messages.Why(seat, action, "allowed", "", {}))
    return reply(connection, messages.Why(seat, action, refusal.code, refusal.rule, refusal.details))


# ---- permissions


def _check_exists(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.room.seats):
        raise Refused("no-such-seat")


def _is_reserved(table: Table, seat: int) -> bool:
    """Return whether this number is a seat in the next game."""
    return 0 <= seat - len(table.room.seats) < len(table.room.waiting)


def _check_played_by(table: Table, seat: int, *, person: bool) -> None:
    """Refuse unless a game is running and a person, or else a bot, plays this seat."""
    _check_exists(table, seat)
    if table.room.stage != "playing" or table.room.seats[seat].is_person != person:
        raise Refused("not-now")


def _check_mine(connection: Connection, seat: int) -> None:
    if seat not in connection.seats:
        raise Refused("not-your-seat")


def _check_player(table: Table, connection: Connection, seat: int) -> None:
    _check_mine(connection, seat)
    if not table.room.seats[seat].is_person:
        raise Refused("bot-plays")


def _check_seated(connection: Connection) -> None:
    if not connection.seats:
        raise Refused("not-your-seat")


def _check_guest(table: Table, connection: Connection) -> None:
    """Refuse unless the sender has a seat; at a table without people, allow every connection."""
    if not connection.seats and any(seat.is_person for seat in table.room.seats):
        raise Refused("not-your-seat")


def _name(table: Table, text: str, own: int | None = None) -> str:
    """Return a valid name for a seat that differs from the names of the other seats."""
    others = [seat.name for place, seat in enumerate([*table.room.seats, *table.room.waiting]) if place != own]
    return checked_name(text, table.settings.name_length, others)
