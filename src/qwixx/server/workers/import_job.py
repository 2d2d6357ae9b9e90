"""Imports games from records that were played elsewhere: on a device without a server, or on another server."""

from __future__ import annotations

import re

import qwixx
from qwixx.errors import QwixxError
from qwixx.server.base.errors import Refused
from qwixx.server.room import ledger
from qwixx.server.room.bots import AllowedBots
from qwixx.server.room.display_names import NO_NAME, checked_name
from qwixx.server.room.room import Room, new_room
from qwixx.server.room.seats import Seat, hash_token, new_token
from qwixx.server.wire.message_parts import Payload
from qwixx.text.record import GameRecord, read_record

_FACTS = {"variant", "sheet", "seats", "first", "lucky", "seed"}
"""Facts that a record of a table may have: no custom sheets and no custom positions."""
_SEAT = re.compile(r"# (person|bot) ([0-9]) (.+)")
"""A remark, which readers of records skip: the player of a seat. See docs/formats.md."""


class ImportedGame(Payload):
    """An imported game: its table, the tokens of its people, and whether it is over."""

    code: str
    tokens: list[str]
    over: bool


def is_over(text: str) -> bool:
    """Replay a record; return whether the game is over. Raises `Refused` for a text that is not a valid record."""
    try:
        record = read_record(text)
        if set(record.facts) - _FACTS or record.facts.get("variant") not in qwixx.games():
            raise Refused("no-record")
        game = None
        for game in qwixx.Game.replay(text):  # noqa: B007 - only the last one is used
            pass
    except QwixxError:
        raise Refused("no-record") from None
    assert game is not None
    return game.is_over


def ledger_lines(text: str, record: GameRecord) -> list[str]:
    """Return the lines of a record for the ledger: every step, and the remarks about undone decisions and hints."""
    lines = {number: line for number, raw in enumerate(text.split("\n"), 1) if ledger.is_remark(line := raw.strip())}
    lines |= {step.line: str(step) for step in record.steps}
    return [lines[number] for number in sorted(lines)]


def make_room(
    text: str, record: GameRecord, allowed: AllowedBots, name_length: int, *, over: bool
) -> tuple[Room, list[str]]:
    """Create a room for an imported game, and a token for each of its people."""
    facts = {key: fact for key, fact in record.facts.items() if key != "seed"}
    room = new_room(facts["variant"], facts.get("sheet", ""))
    room.seed = ""  # its dice were rolled elsewhere, so this server cannot prove them
    seats = int(facts["seats"])
    named = {
        int(found[2]): (found[1], found[3]) for line in text.splitlines() if (found := _SEAT.fullmatch(line.strip()))
    }
    tokens = []
    for place in range(seats):
        kind, word = named.get(place, ("person", NO_NAME))
        if kind == "bot":
            player = allowed.find(word, room.rules, seats)
            if player is None:
                raise Refused("bad-options")
            room.seats.append(Seat("", "bot", player.name))
            continue
        others = [seat.name for seat in room.seats if seat.name != NO_NAME]
        tokens.append(new_token())
        room.seats.append(
            Seat(NO_NAME if word == NO_NAME else checked_name(word, name_length, others), key=hash_token(tokens[-1]))
        )
    room.opening = facts
    room.stage = "over" if over else "playing"
    return room, tokens
