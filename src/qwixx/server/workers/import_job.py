"""Games that were played elsewhere and come in as records: on a device without a server, or at another one."""

from __future__ import annotations

import re

import qwixx
from qwixx.errors import QwixxError
from qwixx.record import GameRecord, read_record
from qwixx.server import ledger
from qwixx.server.hosting import NO_NAME
from qwixx.server.names import take_name
from qwixx.server.pieces import Part
from qwixx.server.players import Allowed
from qwixx.server.room import Refused, Room, new_room
from qwixx.server.seats import Seat, hashed, new_token

LONGEST = 64 * 1024
"""Bytes of a record; the longest games need a quarter of it."""
_FACTS = {"variant", "sheet", "seats", "first", "lucky", "seed"}
"""What a game that was begun at a table says of itself: no sheets of one's own, no positions that were set up."""
_SEAT = re.compile(r"# (person|bot) ([0-9]) (.+)")
"""A line that readers of records skip: who sat where. See docs/formats.md."""


class Brought(Part):
    """A game came in; the tokens of its people's seats, and whether it is over."""

    code: str
    tokens: list[str]
    over: bool


def is_over(text: str) -> bool:
    """Play a record to its end; tell whether the game is over. Raises `Refused` for anything that is no record."""
    try:
        record = read_record(text)
        if set(record.facts) - _FACTS or record.facts.get("variant") not in qwixx.games():
            raise Refused("no-record")
        game = None
        for game in qwixx.Game.replay(text):  # noqa: B007 - the last one counts
            pass
    except QwixxError:
        raise Refused("no-record") from None
    assert game is not None
    return game.is_over


def lines_of(text: str, record: GameRecord) -> list[str]:
    """Give what a table's ledger holds of a record: every step, and what was taken back between them."""
    lines = {number: line for number, raw in enumerate(text.split("\n"), 1) if ledger.is_remark(line := raw.strip())}
    lines |= {step.line: str(step) for step in record.steps}
    return [lines[number] for number in sorted(lines)]


def make_room(
    text: str, record: GameRecord, allowed: Allowed, name_length: int, *, over: bool
) -> tuple[Room, list[str]]:
    """Make a room for a game that was read, and a token for each of its people."""
    facts = {key: fact for key, fact in record.facts.items() if key != "seed"}
    room = new_room(facts["variant"], facts.get("sheet", ""))
    room.seed = ""  # its dice fell elsewhere, and nobody here has promised them
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
            Seat(NO_NAME if word == NO_NAME else take_name(word, name_length, others), key=hashed(tokens[-1]))
        )
    room.opening = facts
    room.stage = "over" if over else "playing"
    return room, tokens
